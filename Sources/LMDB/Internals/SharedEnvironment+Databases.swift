// Database handles: opened only by who has the writers' turn, published when their transaction commits.

import CLMDB

extension SharedEnvironment {
    package func database(named name: String) -> Database? {
        state.withLock { $0.databases[name] }
    }

    /// Opens the handles of those databases that exist and are not open yet, for all transactions that begin later.
    ///
    /// - Parameter names: The databases wanted; nil for all that the last commit holds.
    /// - Returns: How many were opened.
    @discardableResult
    package func openDatabases(_ names: [String]?) throws(LMDBError) -> Int {
        try writers.acquire(for: "openDatabase")
        defer { writers.release() }
        return try openDatabasesInTurn(names)
    }

    /// The same for a caller that has the writers' turn, and no write transaction open.
    @discardableResult
    package func openDatabasesInTurn(_ names: [String]?) throws(LMDBError) -> Int {
        let reader = try beginRead()
        var opened: [Database] = []
        do throws(LMDBError) {
            let wanted: [String]
            if let names { wanted = names } else { wanted = try reader.databaseNames() }
            for name in wanted where database(named: name) == nil {
                guard try reader.hasDatabase(named: name) else { continue }
                opened.append(try reader.openHandle(name, create: false))
            }
        } catch {
            reader.endRead()
            throw error
        }
        guard !opened.isEmpty else {
            reader.endRead()
            return 0
        }
        // Committing, unlike resetting, keeps the handles. The reader itself is gone then.
        state.withLock { state in
            reader.commitHandles()
            state.publish(opened)
            state.readers.removeAll { $0 === reader }
        }
        writeEnded()
        return opened.count
    }
}

extension SharedEnvironment.State {
    mutating func publish(_ created: [Database]) {
        for database in created {
            database.pendingIn.store(Database.live, ordering: .relaxed)
            databases[database.name] = database
            handleLimit = max(handleLimit, database.handle + 1)
        }
    }
}
