// Database handles: opened only with the writers' turn, published when their transaction commits.

extension SharedEnvironment {
    package func database(named name: String) -> Database? {
        state.withLock { $0.databases[DatabaseName(name)] }
    }

    /// Opens the handles of existing databases that are not open yet, for all later transactions.
    ///
    /// - Parameter names: The names of the databases; nil for all databases of the last commit.
    /// - Returns: The number of databases opened.
    /// - Throws: `busy` when the writers of this process keep the turn for longer than the busy timeout.
    @discardableResult
    package func openDatabases(_ names: [String]?) throws(LMDBError) -> Int {
        try takeTurn(for: "openDatabase", within: options.patience)
        defer { writers.release() }
        return try openDatabasesInTurn(names)
    }

    /// Opens databases for a caller that has the writers' turn, and no write transaction open.
    @discardableResult
    package func openDatabasesInTurn(_ names: [String]?) throws(LMDBError) -> Int {
        let reader = try beginRead()
        var opened: [Database] = []
        do throws(LMDBError) {
            let wanted: [String]
            if let names { wanted = names } else { wanted = try reader.databaseNames() }
            for name in wanted where database(named: name) == nil {
                do throws(LMDBError) {
                    guard try reader.hasDatabase(named: name) else { continue }
                    opened.append(try reader.openHandle(name, create: false))
                } catch  where names == nil && [.incompatible, .badDatabaseName].contains(error.code) {
                    continue  // a database or an entry of another program, which the caller did not name
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
        // A commit, unlike a reset, keeps the handles. It also frees the reader.
        state.withLock { state in
            publishing.add(1, ordering: .sequentiallyConsistent)
            reader.commitHandles()
            publish(opened, &state)
            publishing.add(1, ordering: .sequentiallyConsistent)
        }
        drop(reader)
        return opened.count
    }

    /// Commits a write transaction with created or opened databases, and publishes them.
    ///
    /// Readers keep beginning and ending during the commit. A reader whose snapshot is this commit detects the missing
    /// publication; see `seesPublished`.
    ///
    /// - Parameters:
    ///   - number: The number of the coming commit.
    ///   - created: The databases.
    ///   - commit: Commits, and returns liblmdb's code.
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

    /// Makes databases usable for all later transactions.
    private func publish(_ created: [Database], _ state: inout State) {
        let number = publications.add(1, ordering: .releasing).newValue
        for database in created {
            database.publish(number)
            state.databases[DatabaseName(database.name)] = database
        }
    }
}

extension SharedEnvironment {
    /// Removes a database while no other transaction of this process is open: liblmdb releases its handle at once, for
    /// reuse by the next new name.
    func dropDatabase(_ name: String) throws(LMDBError) -> Bool {
        let deadline = writeDeadline()
        try takeTurn(before: deadline)
        defer { writers.release() }
        if database(named: name) == nil { try openDatabasesInTurn([name]) }
        guard let database = database(named: name) else { return false }
        let writer = try beginWriteInTurn(before: deadline)
        defer { writer.endWriteInTurn() }
        var failure: LMDBError?
        try whenQuiet(or: .busy, in: "dropDatabase", within: options.patience, excluding: 1, closingGate: true) {
            state in
            do throws(LMDBError) {
                try writer.drop(database)
                // From now on, liblmdb may assign the handle to another database, whether or not the commit succeeds.
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
