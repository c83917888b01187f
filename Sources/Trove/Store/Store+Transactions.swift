// Synchronous reads and writes, on the caller's thread.

import LMDB

extension Store {
    /// Runs a closure in a read transaction: a snapshot of the last commit, which no writer can change.
    ///
    /// A read does not wait for a running write. In three rare cases it waits before it begins. While this process
    /// enlarges a nearly full map, it waits up to 0.1 seconds. If another process has enlarged the map, it waits up to
    /// 5 seconds for the other transactions of this process, and then throws ``StoreError``. If another process has
    /// added a record type that this process has not opened yet, it waits as long for the writers of this process.
    ///
    /// Inside a write, a read shows the last commit, not the changes of the write. In an async function, the async form
    /// is called.
    ///
    /// - Parameter body: Runs once, on this thread. Its context is not usable after the closure or on another thread.
    /// - Returns: The closure's result.
    /// - Throws: ``StoreError`` if no transaction can begin, and any error of the closure.
    @inlinable
    @available(*, noasync, message: "await the call")
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

    /// Runs a closure in a write transaction: committed if the closure returns, rolled back if it throws.
    ///
    /// Writers run one at a time, in order of arrival. The closure runs exactly once. If the calling task is cancelled
    /// before or during the closure, its changes are rolled back too. In an async function, the async form is called.
    ///
    /// - Parameters:
    ///   - author: The author of the changes in the history of the store, such as `"sync"`; nil for none.
    ///   - body: Runs once, on this thread. Its context is not usable after the closure or on another thread.
    /// - Returns: The closure's result, after its changes are durable.
    /// - Throws: ``StoreError`` if the transaction cannot begin or commit; any error of the closure;
    ///   `CancellationError`.
    @discardableResult
    @available(*, noasync, message: "await the call")
    public func write<R>(author: String? = nil, _ body: (TransactionContext) throws -> R) throws -> R {
        try Task.checkCancellation()
        let context = try beginWrite()
        context.author = author
        defer { context.core.endWrite() }
        let result: R
        do {
            result = try body(context)
            try Task.checkCancellation()
        } catch {
            context.noteUndone()
            throw error
        }
        try context.commit()
        return result
    }
}

// MARK: Beginning

extension Store {
    @usableFromInline
    func beginRead() throws -> ReadContext { try beginRead(canExpire: true) }

    private func beginRead(canExpire: Bool) throws -> ReadContext {
        try translatingErrors {
            try begin {
                let core = try environment.shared.beginRead()
                if !canExpire { core.neverExpire() }
                do {
                    try environment.checkIsOpen()
                    return try readContext(core)
                } catch {
                    core.endRead()
                    throw error
                }
            } openingTables: {
                try environment.shared.openDatabases(nil)
            }
        }
    }

    /// Runs a closure in a read transaction of the store's own, which is never ended at the maximum age.
    ///
    /// The walks over all records use it: the options of a program limit its own reads, not the work of the store.
    func readToEnd<R>(_ body: (ReadContext) throws -> R) throws -> R {
        let context = try beginRead(canExpire: false)
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

    /// Waits for the calling thread's turn, and begins a write. `endWrite` of the context's core ends the write and the
    /// turn.
    private func beginWrite() throws -> TransactionContext {
        try checkIsWritable()
        try checkIsOpen()
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

    /// Begins a write in a job of the writer thread, which already has the turn.
    func beginWriteInTurn(before deadline: WriteDeadline) throws -> TransactionContext {
        try checkIsWritable()
        return try translatingErrors {
            try environment.checkIsOpenInTurn()
            let environment = environment.shared
            return try begin {
                let known = catalog.latest
                let core = try environment.beginWriteInTurn(before: deadline)
                do {
                    catalog.counters.noteWrite()
                    let snapshot = core.identifier - 1
                    let view = try catalog.view(at: snapshot, known: known, Keyspace(core), environment)
                    if let error = view.snapshot.writeError { throw error }
                    let context = TransactionContext(
                        self, catalog: catalog, verifiesChecksums: verifiesChecksums,
                        allowsOlderLayouts: allowsOlderLayout, core: core, view: view)
                    context.recordHistory()
                    return context
                } catch {
                    core.endWriteInTurn()
                    throw error
                }
            } openingTables: {
                try environment.openDatabasesInTurn(nil)
            }
        }
    }

    /// Returns the view of the catalog for a read.
    ///
    /// - Parameter known: A view from before the read began.
    func view(of core: TransactionCore, known: Catalog.View) throws -> Catalog.View {
        try catalog.view(at: core.identifier, known: known, Keyspace(core), environment.shared)
    }

    /// Begins a transaction. If it cannot use the handles of new tables, opens them and begins again.
    @inline(__always)
    private func begin<Context>(_ body: () throws -> Context, openingTables open: () throws -> Void) throws -> Context {
        var unusable: LMDBError?
        while true {
            do {
                return try body()
            } catch let error as LMDBError where error.code == .databaseNotUsable {
                // A table still unusable is not a table of this store: it has such a name, but another kind.
                guard unusable?.database != error.database else {
                    throw StoreError.file(.notAStore(path: path, reason: error))
                }
                unusable = error
                try open()
            }
        }
    }
}

extension Store {
    /// Returns the context of a new read: the context of the reader's last transaction, if possible.
    private func readContext(_ core: TransactionCore) throws -> ReadContext {
        if let context = ReadContext.reused(core, verifiesChecksums: verifiesChecksums) {
            try context.renew { try view(of: core, known: $0) }
            return context
        }
        let latest = catalog.latest
        let known = latest.snapshot.publications <= core.publications ? latest : Catalog.View()
        return ReadContext(
            catalog, verifiesChecksums: verifiesChecksums, core, try view(of: core, known: known))
    }
}

extension Store: RecordReadable {
    /// Runs a closure in a read transaction.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func reading<R>(_ body: (ReadContext) throws -> R) throws -> R { try read(body) }
}

extension Store: RecordWritable {
    /// Runs a closure in a write transaction.
    @available(*, noasync, message: "await the call")
    public func writing<R>(_ body: (TransactionContext) throws -> R) throws -> R { try write(body) }

    /// True: an error undoes the closure's transaction.
    public static var _isUndoneByErrors: Bool { true }
}
