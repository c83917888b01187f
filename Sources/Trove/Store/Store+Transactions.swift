// Reads and writes on the caller's thread.

import LMDB

extension Store {
    /// Runs a closure in a read transaction: a snapshot of the last commit, which no writer can change.
    ///
    /// It does not wait for a write that is at work. In three rare cases it waits a moment before it begins: up to 0.1
    /// seconds while this process enlarges the map, which has nearly filled up; up to 5 seconds, then ``StoreError``,
    /// for the process's other transactions when another process has enlarged it; and as long for its writers when
    /// another process has added a record type that nobody here has seen.
    ///
    /// Inside a write, it shows the last commit, not that write. In an async function the async form is the one that
    /// is called.
    ///
    /// - Parameter body: Runs once, on this thread. Its context is of no use afterwards or elsewhere.
    /// - Returns: What the closure returns.
    /// - Throws: ``StoreError`` when no transaction can begin, and what the closure throws.
    @inlinable
    public func read<R>(_ body: (ReadContext) throws -> R) throws -> R {
        let context = try beginRead()
        let result: R
        do {
            result = try body(context)
        } catch {
            ReadContext.end(consume context)
            throw error
        }
        ReadContext.end(consume context)
        return result
    }

    /// Runs a closure in a write transaction: committed when it returns, rolled back when it throws.
    ///
    /// Writers run one at a time, in order of arrival. The closure runs exactly once. When the calling task is
    /// cancelled before or during it, everything is rolled back too. In an async function the async form is the one
    /// that is called.
    ///
    /// - Parameter body: Runs once, on this thread. Its context is of no use afterwards or elsewhere.
    /// - Returns: What the closure returns, when its changes are durable.
    /// - Throws: ``StoreError`` when the transaction cannot begin or commit; what the closure throws;
    ///   `CancellationError`.
    @discardableResult
    public func write<R>(_ body: (TransactionContext) throws -> R) throws -> R {
        try Task.checkCancellation()
        let context = try beginWrite()
        defer { context.core.endWrite() }
        let result = try body(context)
        try Task.checkCancellation()
        try context.commit()
        return result
    }

    /// Another word for ``write(_:)-(_)``.
    @discardableResult
    public func withTransaction<R>(_ body: (TransactionContext) throws -> R) throws -> R {
        try write(body)
    }
}

// MARK: Beginning

extension Store {
    @usableFromInline
    func beginRead() throws -> ReadContext {
        try translatingErrors {
            try begin {
                let core = try environment.shared.beginRead()
                do {
                    return try ReadContext.beginning(core, in: self)
                } catch {
                    core.endRead()
                    throw error
                }
            } openingTables: {
                try environment.shared.openDatabases(nil)
            }
        }
    }

    /// Waits for the turn of the calling thread, and begins; `endWrite` of the context's core ends both.
    private func beginWrite() throws -> TransactionContext {
        try checkIsWritable()
        let environment = environment.shared
        let deadline = environment.writeDeadline()
        try translatingErrors { try environment.takeTurn(before: deadline) }
        do {
            return try beginWriteInTurn(before: deadline)
        } catch {
            environment.writers.release()
            throw error
        }
    }

    /// The same where the calling thread has the turn: in a job of the writer thread.
    func beginWriteInTurn(before deadline: WriteDeadline) throws -> TransactionContext {
        try checkIsWritable()
        let environment = environment.shared
        return try translatingErrors {
            try begin {
                let known = catalog.latest
                let core = try environment.beginWriteInTurn(before: deadline)
                do {
                    let snapshot = core.identifier - 1
                    let view = try catalog.view(at: snapshot, known: known, Keyspace(core), environment)
                    return TransactionContext(self, core, view)
                } catch {
                    core.endWriteInTurn()
                    throw error
                }
            } openingTables: {
                try environment.openDatabasesInTurn(nil)
            }
        }
    }

    /// The view of the catalog that holds for a read.
    ///
    /// - Parameter known: A view from before it began.
    func view(of core: TransactionCore, known: Catalog.View) throws -> Catalog.View {
        try catalog.view(at: core.identifier, known: known, Keyspace(core), environment.shared)
    }

    /// Begins a transaction; where tables have appeared whose handles it cannot use, opens them and begins anew.
    @inline(__always)
    private func begin<Context>(_ body: () throws -> Context, openingTables open: () throws -> Void) throws -> Context {
        var unusable: LMDBError?
        while true {
            do {
                return try body()
            } catch let error as LMDBError where error.code == .databaseNotUsable {
                // A table that is still not usable is none of ours: it has the name of one, and another kind.
                guard unusable?.database != error.database else {
                    throw StoreError.notAStore(path: path, reason: error)
                }
                unusable = error
                try open()
            }
        }
    }
}
