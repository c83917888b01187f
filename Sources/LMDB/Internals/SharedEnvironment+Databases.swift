// Database handles: opened only by who has the writers' turn, published when their transaction commits.

import CLMDB

extension SharedEnvironment {
    package func database(named name: String) -> Database? {
        state.withLock { $0.databases[DatabaseName(name)] }
    }

    /// Opens the handles of those databases that exist and are not open yet, for all transactions that begin later.
    ///
    /// - Parameter names: The databases wanted; nil for all that the last commit holds.
    /// - Returns: How many were opened.
    /// - Throws: `busy` when the writers of this process do not give their turn within the busy timeout.
    @discardableResult
    package func openDatabases(_ names: [String]?) throws(LMDBError) -> Int {
        try takeTurn(for: "openDatabase", within: options.patience)
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
            publish(opened, &state)
            publishing.add(1, ordering: .sequentiallyConsistent)
        }
        drop(reader)
        return opened.count
    }

    /// Commits a write transaction that created or opened databases, and publishes them.
    ///
    /// Readers go on beginning and ending meanwhile: those whose snapshot is this commit see that it has not published
    /// its databases yet; see `seesPublished`.
    ///
    /// - Parameters:
    ///   - number: The number that the commit will have.
    ///   - created: The databases.
    ///   - commit: Commits, and gives liblmdb's code.
    func publish(_ created: [Database], withCommit number: Int, _ commit: () -> Int32) -> Int32 {
        state.withLock { state in
            state.publishingCommit = number
            publishing.add(1, ordering: .sequentiallyConsistent)
        }
        let code = commit()
        state.withLock { state in
            if code == 0 { publish(created, &state) }
            state.publishingCommit = nil
            publishing.add(1, ordering: .sequentiallyConsistent)
        }
        state.wakeAll()
        return code
    }

    /// Makes databases usable for all transactions that begin later.
    private func publish(_ created: [Database], _ state: inout State) {
        let number = publications.add(1, ordering: .releasing).newValue
        for database in created {
            database.publish(number)
            state.databases[DatabaseName(database.name)] = database
        }
    }
}

extension SharedEnvironment {
    /// Removes a database while no other transaction of this process is open: liblmdb gives up its handle at once, for
    /// the next new name to use.
    func dropDatabase(_ name: String) throws(LMDBError) -> Bool {
        let deadline = writeDeadline()
        try takeTurn(before: deadline)
        defer { writers.release() }
        if database(named: name) == nil { try openDatabasesInTurn([name]) }
        guard let database = database(named: name) else { return false }
        let writer = try beginWriteInTurn(before: deadline)
        defer { writer.endWriteInTurn() }
        var failure: LMDBError?
        try whenQuiet(or: .busy, in: "dropDatabase", within: options.patience, excluding: 1, closingGate: true) { state in
            do throws(LMDBError) {
                try writer.drop(database)
                // From here on liblmdb may give the handle to another database, whether or not the commit succeeds.
                database.retire()
                state.databases[DatabaseName(name)] = nil
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        try writer.commit()
        return true
    }
}
