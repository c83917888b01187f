// The errors of transactions.

import LMDB

extension StoreError {
    /// An error of a transaction: of its commit, or of the use of its context.
    ///
    /// Later versions can add cases.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum TransactionError: Hashable, Sendable {
        /// The commit could not be written to disk.
        ///
        /// With the outcome `notCommitted`, the store has no change of the transaction. With `unknown`, the store may
        /// have all of its changes: they are committed if ``Store/commitSequence`` is at least `sequence`, provided
        /// that nothing else was written since.
        case commitFailed(path: String, outcome: CommitOutcome, sequence: UInt64, reason: LMDBError)
        /// Other writers, of this process or another, held the lock for longer than the busy timeout.
        case writerBusy(path: String, timeout: Duration)
        /// Other transactions of this process stayed open for longer than the busy timeout.
        case busy(path: String, reason: LMDBError)
        /// The read was ended because it exceeded the maximum age.
        case readExpired(path: String)
        /// All reader slots are taken.
        case tooManyReaders(path: String, limit: Int)
        /// The store has the maximum number of tables.
        case tooManyTables(path: String, limit: Int)
        /// The store was opened read-only.
        case readOnly(path: String)
        /// A write was begun inside another write on the same thread.
        case nestedWrite(path: String)
        /// A context was used while its nested transaction was open.
        case nestedTransactionOpen(path: String)
        /// A context was used after its closure had returned.
        case transactionEnded(path: String)
        /// A context was used on a thread other than its closure's thread.
        case wrongThread(path: String)
        /// A process died during a write, and this system never releases its lock. Reads go on. The lock is made again
        /// when no process has the store open.
        ///
        /// Only systems without robust mutexes have this error: those of Apple. The process is the dead one.
        case writerLockOrphaned(path: String, process: Int)
        /// The store is suspended, and was suspended with ``Store/SuspendedUse/refuse``.
        case suspended(path: String)
        /// The store was closed.
        case closed(path: String)
        /// The store was to be closed inside the closure of a read or a write.
        case closedInTransaction(path: String)
        /// The store was opened before this process was forked.
        case usedAfterFork(path: String)
    }
}

extension StoreError.TransactionError: CustomStringConvertible {
    /// The error in words: what happened, where, and what to do.
    public var description: String {
        switch self {
        case .commitFailed(let path, .notCommitted, _, let reason):
            "A transaction on \(path) was not committed: \(reason). Write it again after the cause is removed."
        case .commitFailed(let path, .unknown, let sequence, let reason):
            "A transaction on \(path) may or may not have been committed: \(reason). It was committed if commitSequence is at least \(sequence) before the next write."
        case .writerBusy(let path, let timeout):
            "Other writers held the lock of \(path) for longer than \(timeout). Try again, or raise busyTimeout."
        case .busy(let path, let reason):
            "\(path) could not be used: \(reason)."
        case .readExpired(let path):
            "A read of \(path) was ended because it exceeded the maximum age. Read less at once, or raise maximumReadAge."
        case .tooManyReaders(let path, let limit):
            "All \(limit) reader slots of \(path) are taken. Raise maximumReaders, or end reads sooner."
        case .tooManyTables(let path, let limit):
            "\(path) has \(limit) tables, the maximum that it was opened with. Raise maximumTables."
        case .readOnly(let path):
            "\(path) was opened read-only. Open it without isReadOnly to write to it."
        case .nestedWrite(let path):
            "A write or copy of \(path) was begun inside a write on the same thread. Use context.nested, or copy after the write."
        case .nestedTransactionOpen(let path):
            "A context of \(path) was used while its nested transaction was open. Inside nested, or in a collision rule, use the context that the closure receives. Before insert(contentsOf:) with a lazy sequence that reads, make the sequence an Array; before update, read what its closure needs."
        case .transactionEnded(let path):
            "A context of \(path) was used after its transaction ended. Use a context only inside its closure."
        case .wrongThread(let path):
            "A context of \(path) was used on a thread other than its closure's thread. Use it only on that thread."
        case .writerLockOrphaned(let path, let process):
            "Process \(process) died during a write to \(path), and this system never releases its lock. Call close() on the store in every process, or end the processes; then open it again."
        case .suspended(let path):
            "\(path) is suspended. Use it after resume()."
        case .closed(let path):
            "\(path): the store was closed with close(). Open it again: Store(path:)."
        case .closedInTransaction(let path):
            "\(path): close() was called inside the closure of a read or a write, for which it would wait. Call it after the closure has returned."
        case .usedAfterFork(let path):
            "\(path) was opened before this process was forked. Open it again in the child."
        }
    }
}
