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
        try checkFork("openDatabase")
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
                do throws(LMDBError) {
                    opened.append(try reader.openHandle(name, create: false))
                } catch  where names == nil && error.code == .incompatible {
                    continue  // another program's: nobody asked for it by name
                }
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
            publishing.add(1, ordering: .sequentiallyConsistent)
            reader.commitHandles()
            state.publish(opened)
            state.readers.removeAll { $0 === reader }
        }
        transactionEnded()
        return opened.count
    }
}

extension SharedEnvironment {
    /// Removes a database while no transaction of this process is open: liblmdb gives up its handle at once, for the
    /// next new name to use.
    func dropDatabase(_ name: String) throws(LMDBError) -> Bool {
        try checkFork("dropDatabase")
        guard !options.isReadOnly else { throw LMDBError(.readOnlyEnvironment, in: "dropDatabase", path: path) }
        try writers.acquire(for: "dropDatabase")
        defer { writers.release() }
        try openDatabasesInTurn([name])
        guard let database = database(named: name) else { return false }
        var code: Int32 = 0
        try whenQuiet(or: .busy, in: "dropDatabase", within: options.busyTimeout, closingGate: true) { state in
            code = drop(database)
            database.retire()
            state.databases[name] = nil
        }
        guard code == 0 else { throw LMDBError(.init(code), in: "mdb_drop", path: path, database: name) }
        return true
    }

    private func drop(_ database: Database) -> Int32 {
        var made: TransactionPointer?
        var code = unsafe Calls.begin(pointer, parent: nil, readOnly: false, &made)
        guard code == 0, let transaction = unsafe made else { return code }
        code = unsafe Calls.drop(transaction, database.handle)
        guard code == 0 else {
            unsafe Calls.abort(transaction)
            return code
        }
        return unsafe Calls.commit(transaction)
    }
}

extension SharedEnvironment.State {
    mutating func publish(_ created: [Database]) {
        publications += 1
        for database in created {
            database.publish(publications)
            databases[database.name] = database
        }
    }
}
