// One LMDB transaction: which thread owns it, whether it may still be used, and how it ends.

import CLMDB
import Synchronization

/// What stands behind a transaction of either kind.
///
/// Every use is checked: on the owner's thread, before the end, with no nested transaction open, and not after a
/// failure that may have left the transaction half done. A read transaction's core returns to the environment's pool
/// when it ends, so users hold it together with a `lease`, which the end of the transaction invalidates.
///
/// Unchecked because a stale user on another thread touches only `owner` and `lease`, which are atomic: every other
/// member is used by the owner's thread alone, after that check.
@safe package final class TransactionCore: @unchecked Sendable {
    package let isReadOnly: Bool
    /// The environment's file, for errors: also those of a use after the end.
    package let path: String
    private let owner = Atomic<UInt>(0)
    private let lease = Atomic<UInt64>(1)
    private var forkGeneration = 0
    /// What the layer above keeps with a reader from one use to the next.
    package var companion: AnyObject?

    /// Present while the transaction is open; a core in the pool must not keep its environment alive.
    private(set) var environment: SharedEnvironment?
    /// Which environment that is, or was, for comparisons without reference counting.
    private(set) var environmentIdentity: ObjectIdentifier?
    private(set) var pointer: TransactionPointer?
    /// The thread that has begun the transaction, where that is not its user's.
    private var held: HeldTransaction?
    /// The use that came to its end from outside, because it had lasted too long.
    private let expired = Atomic<UInt64>(0)
    /// The enclosing transaction of a nested one.
    private(set) var parent: TransactionCore?
    /// What stands in the way of any use.
    private var obstacle = Obstacle.none
    /// The first error that may have left this transaction half done; it cannot commit any more.
    package private(set) var failure: LMDBError?

    /// Which write transaction of its environment this is, shared by those nested in it; 0 for readers.
    var serial: UInt64 = 0
    /// How many publications of databases there had been when this transaction began.
    package var publications: UInt64 = 0
    /// Databases that this transaction created.
    var created: [Database] = []

    /// Counts writes, so that a scan notices that its position may be stale.
    package var changes: UInt64 = 0
    /// How many bytes of values were stored, for a limit on what one transaction gathers.
    package internal(set) var writtenBytes = 0
    var cursors = CursorCache()
    #if DEBUG
    /// How scans have moved their cursors: for the tests of what a query costs.
    package var cursorMoves = CursorMoves()
    #endif

    private enum Obstacle: UInt8 {
        case none, nestedTransaction, openValue, failure
    }

    init(isReadOnly: Bool, path: String) {
        self.isReadOnly = isReadOnly
        self.path = path
    }

    // MARK: Checks

    /// The token that the user of this transaction shows with each call.
    package var currentLease: UInt64 { lease.load(ordering: .relaxed) }

    func isOwned(by thread: UInt) -> Bool { owner.load(ordering: .relaxed) == thread }

    /// Refuses a use on another thread, after the end, beside a nested transaction, after a failure, or in a process
    /// forked off since.
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

    /// Whether that use of the transaction goes on, is this thread's, and liblmdb has not ended it.
    func isInUse(_ lease: UInt64) -> Bool {
        guard currentLease == lease, isOwned(by: currentThread()), !wasForkedOff else { return false }
        return unsafe pointer != nil
    }

    /// Whether this process was forked off while the transaction was open. It belongs to the parent then, and so do
    /// the reader slot and the locks behind it.
    private var wasForkedOff: Bool { forkGeneration != ForkGuard.current }

    /// Refuses all use while `body` writes a value in place, since a write would move it.
    @inline(__always)
    func withOpenValue<R>(_ body: () throws -> R) rethrows -> R {
        openValue()
        defer { closeValue() }
        return try body()
    }

    /// Refuses all use of a write transaction until `closeValue`: somebody reads or writes bytes that lie in its pages.
    package func openValue() { obstacle = .openValue }

    package func closeValue() { removeObstacle() }

    private func removeObstacle() { obstacle = failure == nil ? .none : .failure }

    /// Turns a result code into an error. One that may have left the transaction half done is remembered, and given
    /// again instead of what follows from it.
    func failed(_ code: Int32, in operation: String, _ database: Database? = nil) -> LMDBError {
        if let failure { return failure }
        guard let environment else { return refused(.init(code), in: operation, database) }
        let error = environment.writeError(code, in: operation, database: database?.name)
        poison(error)
        return error
    }

    /// Makes this transaction unable to commit, because of an error that is not this layer's own.
    package func poison(because cause: any Error, in operation: String, _ database: Database) {
        var error = refused(.badTransaction, in: operation, database)
        error.cause = "\(cause)"
        poison(cause as? LMDBError ?? error)
    }

    /// Makes this transaction unable to commit.
    package func poison(_ error: LMDBError) {
        guard !isReadOnly, failure == nil else { return }
        failure = error
        if obstacle == .none { obstacle = .failure }
    }

    /// An error that leaves the transaction as usable as it was.
    func refused(_ code: LMDBError.Code, in operation: String, _ database: Database? = nil, limit: Int? = nil)
        -> LMDBError
    {
        LMDBError(code, in: operation, path: path, database: database?.name, limit: limit)
    }

    // MARK: Beginning and ending

    /// Begins a read transaction on the calling thread, or renews it where it was reset.
    func start(in environment: SharedEnvironment) -> Int32 {
        var code = resume(in: environment)
        while code == 0, isReadOnly, let pointer = unsafe pointer, isOvertaken(in: environment) {
            let overtaken = identifier
            unsafe Calls.reset(pointer)
            code = unsafe Calls.renew(pointer)
            // The same once more: the file is not the one that the lock file speaks of, and stays so.
            if identifier == overtaken { break }
        }
        if code == 0 { belong(to: environment) }
        return code
    }

    private func resume(in environment: SharedEnvironment) -> Int32 {
        if let pointer = unsafe pointer { return unsafe Calls.renew(pointer) }
        var made: TransactionPointer?
        let code = unsafe Calls.begin(environment.pointer, parent: nil, readOnly: isReadOnly, &made)
        unsafe pointer = made
        return code
    }

    /// Whether two commits fell into the beginning of a read transaction.
    ///
    /// liblmdb takes the number of the last commit, then reads the meta page of that number's parity. Where two commits
    /// come between, it shows the second one under the number of the first; and where the second one's process is
    /// killed before it tells its number, the next snapshot would be an earlier one.
    private func isOvertaken(in environment: SharedEnvironment) -> Bool {
        atomicMemoryFence(ordering: .acquiring)
        return unsafe Calls.info(environment.pointer).me_last_txnid > identifier + 1
    }

    /// Begins a write transaction for the calling thread; nil where the deadline passes first.
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

    /// The number that liblmdb gives the snapshot (a reader) or the commit to be (a writer).
    package var identifier: Int {
        guard let pointer = unsafe pointer else { return 0 }
        return unsafe Calls.identifier(pointer)
    }

    private func invalidate() {
        lease.wrappingAdd(1, ordering: .relaxed)
        owner.store(0, ordering: .relaxed)
    }

    /// Has every later use of a read transaction be refused, in that use of it that a lease stands for. Any thread may
    /// call this; the snapshot itself is given up when the user's closure returns.
    ///
    /// - Returns: Whether it was still in use.
    func expire(_ lease: UInt64) -> Bool {
        expired.store(lease, ordering: .relaxed)
        return self.lease.compareExchange(expected: lease, desired: lease &+ 1, ordering: .releasing).exchanged
    }

    /// Whether some thread has the transaction open.
    var isOpen: Bool { owner.load(ordering: .relaxed) != 0 }

    /// Ends a read transaction, and gives it back to the pool.
    package func endRead() {
        guard isReadOnly, let environment = environment.take(), let pointer = unsafe pointer else { return }
        invalidate()
        guard !wasForkedOff else { return }
        unsafe Calls.reset(pointer)
        environment.readerEnded(self)
    }

    /// Lets go of what liblmdb allocated for a reader that is in nobody's use.
    func discard() {
        companion = nil
        cursors.closeAll()
        if let pointer = unsafe pointer { unsafe Calls.abort(pointer) }
        unsafe pointer = nil
    }

    /// Ends a reader so that the handles which it opened stay.
    func commitHandles() {
        invalidate()
        cursors.closeAll()
        if let pointer = unsafe pointer { _ = unsafe Calls.commit(pointer) }
        unsafe pointer = nil
        environment = nil
    }

    /// Commits a write transaction, nested or not.
    ///
    /// - Throws: The failure that an earlier operation left behind, or that of the commit; nothing is committed then.
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
                parent.created += created
                created = []
                parent.changes += 1
                parent.writtenBytes += writtenBytes
            } else {
                parent.poison(environment.writeError(code, in: "mdb_txn_commit"))
            }
        } else if created.isEmpty {
            code = unsafe commitToDisk(pointer)
        } else {
            code = unsafe environment.publish(created, withCommit: Calls.identifier(pointer)) {
                unsafe commitToDisk(pointer)
            }
            if code == 0 { created = [] }
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
        return unsafe Calls.commit(pointer)
    }

    private func abort(_ pointer: TransactionPointer) {
        if let held = held.take() {
            _ = held.end(committing: false)
        } else {
            unsafe Calls.abort(pointer)
        }
    }

    /// Ends a write transaction, rolled back unless it was committed, and passes the writers' turn on.
    package func endWrite() {
        guard !isReadOnly, let environment else { return }
        endWriteInTurn()
        if !wasForkedOff { environment.writers.release() }
    }

    /// The same for a job of the writer thread, whose turn ends with the job.
    package func endWriteInTurn() {
        guard !isReadOnly, let environment else { return }
        rollBackUnlessCommitted()
        if !wasForkedOff { environment.transactionEnded() }
    }

    private func rollBackUnlessCommitted() {
        invalidate()
        cursors.forgetAll()
        for database in created { database.retire() }
        created = []
        if let pointer = unsafe pointer, !wasForkedOff { unsafe abort(pointer) }
        unsafe pointer = nil
        environment = nil
    }

    // MARK: Nesting

    /// Begins a transaction within this one, which cannot be used until `endNested`.
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
        child.publications = publications
        child.forkGeneration = forkGeneration
        child.owner.store(currentThread(), ordering: .relaxed)
        obstacle = .nestedTransaction
        cursors.forgetAppendPositions()
        return child
    }

    /// Ends a nested transaction, rolled back unless it was committed.
    package func endNested() {
        rollBackUnlessCommitted()
        parent?.removeObstacle()
        parent = nil
    }
}
