// A read transaction.

/// A read transaction: a snapshot, on one thread, for the duration of a closure.
public struct ReadTransaction: Transaction, ~Copyable {
    /// The internals of the transaction. Not for use.
    public let core: TransactionAccess

    init(core: TransactionCore, lease: UInt64) {
        self.core = TransactionAccess(core: core, lease: lease)
    }
}
