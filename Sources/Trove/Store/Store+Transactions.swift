// Reads and writes on the caller's thread.

import LMDB

extension Store {
    /// Runs a closure in a read transaction: a snapshot of the last commit, which no writer can change or delay.
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
        defer { context.end() }
        return try body(context)
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
    public func withTransaction<R>(_ body: (TransactionContext) throws -> R) throws -> R {
        try write(body)
    }
}

extension Store {
    @usableFromInline
    func beginRead() throws -> ReadContext {
        try translatingErrors {
            while true {
                let core = try environment.shared.beginRead()
                do {
                    if try isCatalogCurrent(core, at: core.identifier) { return ReadContext(self, core) }
                } catch {
                    core.endRead()
                    throw error
                }
                core.endRead()
                try environment.shared.openDatabases(nil)
            }
        }
    }

    private func beginWrite() throws -> TransactionContext {
        try translatingErrors {
            while true {
                let core = try environment.shared.beginWrite()
                do {
                    if try isCatalogCurrent(core, at: core.identifier - 1) { return TransactionContext(self, core) }
                } catch {
                    core.endWrite()
                    throw error
                }
                core.endWrite()
                try environment.shared.openDatabases(nil)
            }
        }
    }

    /// The same inside a job of the writer thread.
    func beginWriteInTurn() throws -> TransactionContext {
        try translatingErrors {
            while true {
                let core = try environment.shared.beginWriteInTurn()
                do {
                    if try isCatalogCurrent(core, at: core.identifier - 1) { return TransactionContext(self, core) }
                } catch {
                    core.endWriteInTurn()
                    throw error
                }
                core.endWriteInTurn()
                try environment.shared.openDatabasesInTurn(nil)
            }
        }
    }

    /// Brings the catalog up to date with a transaction; false when tables must be opened first.
    @inline(__always)
    private func isCatalogCurrent(_ core: TransactionCore, at transaction: Int) throws -> Bool {
        if catalog.isCurrent(at: transaction) { return true }
        guard try catalog.update(Keyspace(core), environment.shared) else { return false }
        catalog.markCurrent(at: transaction)
        return true
    }
}
