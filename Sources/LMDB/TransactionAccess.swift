// The access to a transaction, for its context.

/// The token through which a transaction calls liblmdb, checked at each use.
public struct TransactionAccess {
    let core: TransactionCore
    let lease: UInt64

    /// Returns the core, if this thread may use it now.
    package func checked() throws(LMDBError) -> TransactionCore {
        try core.check(lease)
        return core
    }
}
