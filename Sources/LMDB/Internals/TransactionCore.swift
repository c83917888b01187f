// An LMDB transaction: its owner thread, the checks of its use, and its end.

import CTroveLMDB
import Synchronization

/// The internals of a transaction of either kind.
///
/// Every use is checked: it must be on the owner's thread, before the end, with no nested transaction open, and not
/// after a failure that may have left the transaction half done. A read transaction's core returns to the environment's
/// pool when it ends. So users hold it together with a `lease`; the end of the transaction invalidates the lease.
///
/// Unchecked because a stale user on another thread touches only the atomic `owner` and `lease`. Every other member is
/// used by the owner's thread alone, after this check.
@safe package final class TransactionCore: @unchecked Sendable {
    package let isReadOnly: Bool
    /// The environment's file, for errors, including errors after the end of the transaction.
    package let path: String
    private let owner = Atomic<UInt>(0)
    /// Odd while the use cannot expire; see `neverExpire`.
    private let lease = Atomic<UInt64>(2)
    private var forkGeneration = 0
    /// An object of the layer above, stored with a reader between uses.
    package var companion: AnyObject?

    /// The environment while the transaction is open; a core in the pool must not keep its environment alive.
    package private(set) var environment: SharedEnvironment?
    /// The identity of the current or last environment, for comparisons without reference counting.
    private(set) var environmentIdentity: ObjectIdentifier?
    private(set) var pointer: TransactionPointer?
    /// The transaction's own thread, if the user's thread did not begin the transaction.
    private var held: HeldTransaction?
    /// The commit that a read transaction shows, for other threads.
    let snapshot = Atomic<Int>(0)
    /// The lease of an expired use, ended from outside: at the maximum age, or by a cancellation.
    private let expired = Atomic<UInt64>(0)
    /// The enclosing transaction of a nested transaction.
    private(set) var parent: TransactionCore?
    /// The reason to refuse any use.
    private var obstacle = Obstacle.none
    /// The first error that may have left this transaction half done; the transaction can no longer commit.
    package private(set) var failure: LMDBError? { didSet { hasFailed = failure != nil } }
    /// Whether there is a failure: a comparison of the failure with nil would copy it.
    private var hasFailed = false

    /// The serial number of the write transaction in its environment, shared with its nested transactions; 0 for
    /// readers.
    var serial: UInt64 = 0
    // Stored counters are internal: so the compiler can prove most of their accesses exclusive, and need not check them
    // at run time. Other modules read them through computed properties.

    /// The number of publications of databases before this transaction began.
    var knownPublications: UInt64 = 0
    package var publications: UInt64 { knownPublications }
    /// The databases created by this transaction.
    var created = CreatedDatabases()

    /// The number of writes. With it, a scan detects a stale position.
    var changes: UInt64 = 0
    /// The number of bytes of values stored, for a limit on the size of a transaction.
    var putBytes = 0
    package var writtenBytes: Int { putBytes }
    var cursors = CursorCache()
    #if DEBUG
    /// The cursor moves of all scans, for tests of query costs.
    package var cursorMoves = CursorMoves()
    /// The number of nested transactions begun in this transaction, at any depth, for tests.
    package private(set) var nestedTransactions = 0
    #endif

    private enum Obstacle: UInt8 {
        case none, nestedTransaction, openValue, failure
    }

    init(isReadOnly: Bool, path: String) {
        self.isReadOnly = isReadOnly
        self.path = path
    }

    // MARK: Checks

    /// The token for the user of this transaction, checked with each call.
    package var currentLease: UInt64 { lease.load(ordering: .relaxed) }

    /// The number of uses that have ended: each end gives the next use the next even lease. The end of a use at its
    /// maximum age counts as another use.
    var endedUses: Int { Int(currentLease / 2) - 1 }

    func isOwned(by thread: UInt) -> Bool { owner.load(ordering: .relaxed) == thread }

    /// Throws for a use on another thread, after the end, during a nested transaction, after a failure, or in a forked
    /// process.
    @inline(__always)
    package func check(_ lease: UInt64) throws(LMDBError) {
        guard owner.load(ordering: .relaxed) == currentThread(), self.lease.load(ordering: .relaxed) == lease,
            obstacle == .none, forkGeneration == ForkGuard.current
        else { throw refusal(lease) }
    }

    private func refusal(_ lease: UInt64) -> LMDBError {
        if self.lease.load(ordering: .relaxed) != lease {
            let isExpired = expired.load(ordering: .relaxed) == lease
            return refused(isExpired ? .readExpired : .transactionEnded, in: "transaction")
        }
        if owner.load(ordering: .relaxed) != currentThread() { return refused(.wrongThread, in: "transaction") }
        if wasForkedOff { return refused(.usedAfterFork, in: "transaction") }
        return switch obstacle {
        case .nestedTransaction: refused(.nestedTransactionOpen, in: "transaction")
        case .openValue: refused(.valueOpen, in: "transaction")
        case .failure, .none: failure ?? refused(.badTransaction, in: "transaction")
        }
    }

    /// Returns whether the use with this lease continues on this thread, and liblmdb has not ended it.
    func isInUse(_ lease: UInt64) -> Bool {
        guard currentLease == lease, isOwned(by: currentThread()), !wasForkedOff else { return false }
        return unsafe pointer != nil
    }

    /// Whether this process was forked while the transaction was open. The transaction then belongs to the parent,
    /// together with its reader slot and locks.
    private var wasForkedOff: Bool { forkGeneration != ForkGuard.current }

    /// Refuses all use of the transaction while `body` writes a value in place, since a write would move the value.
    @inline(__always)
    func withOpenValue<R>(_ body: () throws -> R) rethrows -> R {
        openValue()
        defer { closeValue() }
        return try body()
    }

    /// Refuses all use of a write transaction until `closeValue`, while the caller reads or writes bytes in its pages.
    package func openValue() { obstacle = .openValue }

    package func closeValue() { removeObstacle() }

    private func removeObstacle() { obstacle = hasFailed ? .failure : .none }

    /// Converts a result code into an error. An error that may have left the transaction half done is remembered, and
    /// returned again in place of later errors.
    func failed(_ code: Int32, in operation: String, _ database: Database? = nil) -> LMDBError {
        if let failure { return failure }
        guard let environment else { return refused(.init(code), in: operation, database) }
        let error = environment.writeError(code, in: operation, database: database?.name)
        poison(error)
        return error
    }

    /// Prevents this transaction from committing, because of an error from outside this layer.
    package func poison(because cause: any Error, in operation: String, _ database: Database) {
        var error = refused(.badTransaction, in: operation, database)
        error.cause = "\(cause)"
        poison(cause as? LMDBError ?? error)
    }

    /// Prevents this transaction from committing.
    package func poison(_ error: LMDBError) {
        guard !isReadOnly, failure == nil else { return }
        failure = error
        if obstacle == .none { obstacle = .failure }
    }

    /// Returns an error that leaves the transaction usable.
    func refused(_ code: LMDBError.Code, in operation: String, _ database: Database? = nil, limit: Int? = nil)
        -> LMDBError
    {
        LMDBError(code, in: operation, path: path, database: database?.name, limit: limit)
    }

    // MARK: Beginning and ending

    /// Begins a read transaction on the calling thread, or renews it after a reset.
    func start(in environment: SharedEnvironment) -> Int32 {
        var code = resume(in: environment)
        while code == 0, isReadOnly, let pointer = unsafe pointer, isOvertaken(in: environment) {
            let overtaken = identifier
            unsafe Calls.reset(pointer)
            code = unsafe Calls.renew(pointer)
            // The same number again: the lock file belongs to a different data file, and a retry cannot help.
            if identifier == overtaken { break }
        }
        if code == 0 {
            if isReadOnly { snapshot.store(identifier, ordering: .relaxed) }
            belong(to: environment)
        }
        return code
    }

    private func resume(in environment: SharedEnvironment) -> Int32 {
        if let pointer = unsafe pointer { return unsafe Calls.renew(pointer) }
        var made: TransactionPointer?
        let code = unsafe environment.beginInLibrary(&made, readOnly: isReadOnly)
        unsafe pointer = made
        return code
    }

    /// Returns whether two commits happened during the beginning of a read transaction.
    ///
    /// liblmdb reads the number of the last commit, then the meta page selected by the number's parity. If two commits
    /// happen in between, it shows the second commit under the number of the first. If the process of the second commit
    /// is then killed before it publishes its number, the next snapshot would be older than this snapshot.
    private func isOvertaken(in environment: SharedEnvironment) -> Bool {
        atomicMemoryFence(ordering: .acquiring)
        return unsafe Calls.info(environment.pointer).me_last_txnid > identifier + 1
    }

    /// Begins a write transaction for the calling thread; nil if the deadline passes first.
    func start(in environment: SharedEnvironment, before deadline: WriteDeadline) -> Int32? {
        guard let limit = deadline.remaining else { return start(in: environment) }
        guard let begun = HeldTransaction.begin(in: environment, within: limit) else { return nil }
        unsafe pointer = begun.transaction
        if begun.code == 0 {
            held = begun.held
            belong(to: environment)
        }
        return begun.code
    }

    private func belong(to environment: SharedEnvironment) {
        self.environment = environment
        environmentIdentity = ObjectIdentifier(environment)
        forkGeneration = environment.forkGeneration
        owner.store(currentThread(), ordering: .relaxed)
    }

    /// liblmdb's number of the snapshot (for a reader) or of the coming commit (for a writer).
    package var identifier: Int {
        guard let pointer = unsafe pointer else { return 0 }
        return unsafe Calls.identifier(pointer)
    }

    private func invalidate() {
        lease.wrappingAdd(2 - (currentLease & 1), ordering: .relaxed)
        owner.store(0, ordering: .relaxed)
    }

    /// Expires the use of a read transaction with this lease: every later call throws. Any thread may call this method;
    /// the snapshot itself is released when the user's closure returns.
    ///
    /// - Returns: Whether the transaction was still in use, and can expire.
    package func expire(_ lease: UInt64) -> Bool {
        guard Self.canExpire(lease) else { return false }
        expired.store(lease, ordering: .relaxed)
        return self.lease.compareExchange(expected: lease, desired: lease &+ 2, ordering: .releasing).exchanged
    }

    /// Returns whether the use with a lease can expire.
    static func canExpire(_ lease: UInt64) -> Bool { lease.isMultiple(of: 2) }

    /// Protects this use of a read transaction from expiry, before the lease is given to a user.
    package func neverExpire() {
        var known = currentLease
        while true {
            let (exchanged, original) = lease.compareExchange(
                expected: known, desired: known | 1, ordering: .relaxed)
            if exchanged { return }
            known = original
        }
    }

    /// Whether a thread has the transaction open.
    var isOpen: Bool { owner.load(ordering: .relaxed) != 0 }

    /// Ends a read transaction, and returns it to the pool.
    package func endRead() {
        guard isReadOnly, let environment = environment.take(), let pointer = unsafe pointer else { return }
        invalidate()
        guard !wasForkedOff else { return }
        unsafe Calls.reset(pointer)
        environment.readerEnded(self)
    }

    /// Frees liblmdb's resources of an unused reader.
    func discard() {
        companion = nil
        cursors.closeAll()
        if let pointer = unsafe pointer { unsafe Calls.abort(pointer) }
        unsafe pointer = nil
    }

    /// Ends a reader, and keeps its opened handles.
    func commitHandles() {
        invalidate()
        cursors.closeAll()
        if let pointer = unsafe pointer { _ = unsafe Calls.commit(pointer) }
        unsafe pointer = nil
        environment = nil
    }

    /// Commits a write transaction, nested or not.
    ///
    /// - Throws: The failure of an earlier operation, or of the commit; in both cases nothing is committed.
    package func commit() throws(LMDBError) {
        guard let environment, let pointer = unsafe pointer else {
            throw refused(.transactionEnded, in: "commit")
        }
        guard obstacle == .none, !wasForkedOff, isOwned(by: currentThread()) else { throw refusal(currentLease) }
        cursors.forgetAll()
        unsafe self.pointer = nil
        let code: Int32
        if let parent {
            code = unsafe Calls.commit(pointer)
            if code == 0 {
                parent.created.append(created)
                created = CreatedDatabases()
                parent.changes += 1
                parent.putBytes += putBytes
            } else {
                parent.poison(environment.writeError(code, in: "mdb_txn_commit"))
            }
        } else if created.isEmpty {
            code = unsafe commitToDisk(pointer)
        } else {
            code = unsafe environment.publish(created.all, withCommit: Calls.identifier(pointer)) {
                unsafe commitToDisk(pointer)
            }
            if code == 0 { created = CreatedDatabases() }
        }
        guard code == 0 else {
            var error = environment.writeError(code, in: "mdb_txn_commit")
            if parent == nil { error.outcome = environment.outcomeOfFailedCommit() }
            throw error
        }
        if parent == nil { environment.noteCommit() }
    }

    private func commitToDisk(_ pointer: TransactionPointer) -> Int32 {
        if let held = held.take() { return held.end(committing: true) }
        defer { environment?.writerGuard?.release() }
        return unsafe Calls.commit(pointer)
    }

    private func abort(_ pointer: TransactionPointer) {
        if let held = held.take() {
            _ = held.end(committing: false)
        } else {
            unsafe Calls.abort(pointer)
            if parent == nil { environment?.writerGuard?.release() }
        }
    }

    /// Ends a write transaction, rolls it back unless it was committed, and passes the writers' turn on.
    package func endWrite() {
        guard !isReadOnly, let environment else { return }
        endWriteInTurn()
        if !wasForkedOff { environment.writers.release() }
    }

    /// Ends the write transaction of a job of the writer thread. The turn ends with the job.
    package func endWriteInTurn() {
        guard !isReadOnly, let environment else { return }
        rollBackUnlessCommitted()
        if !wasForkedOff { environment.transactionEnded() }
    }

    private func rollBackUnlessCommitted() {
        invalidate()
        cursors.forgetAll()
        for database in created.all { database.retire() }
        created = CreatedDatabases()
        if let pointer = unsafe pointer, !wasForkedOff { unsafe abort(pointer) }
        unsafe pointer = nil
        environment = nil
    }

    // MARK: Nesting

    /// Begins a nested transaction. This transaction cannot be used until `endNested`.
    package func beginNested() throws(LMDBError) -> TransactionCore {
        guard let environment, let pointer = unsafe pointer else { throw refused(.transactionEnded, in: "nested") }
        guard obstacle == .none else { throw refusal(currentLease) }
        let child = TransactionCore(isReadOnly: false, path: path)
        var made: TransactionPointer?
        let code = unsafe Calls.begin(environment.pointer, parent: pointer, readOnly: false, &made)
        guard code == 0 else { throw failed(code, in: "mdb_txn_begin") }
        unsafe child.pointer = made
        child.environment = environment
        child.environmentIdentity = environmentIdentity
        child.parent = self
        child.serial = serial
        child.knownPublications = knownPublications
        child.forkGeneration = forkGeneration
        child.owner.store(currentThread(), ordering: .relaxed)
        obstacle = .nestedTransaction
        #if DEBUG
        nestedTransactions += 1
        #endif
        cursors.forgetAppendPositions()
        return child
    }

    /// Ends a nested transaction, and rolls it back unless it was committed.
    package func endNested() {
        rollBackUnlessCommitted()
        #if DEBUG
        parent?.nestedTransactions += nestedTransactions
        #endif
        parent?.removeObstacle()
        parent = nil
    }
}
