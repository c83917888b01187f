// The conflict rule of an insert.

/// What an insert does when a record with the same key exists.
public enum ConflictRule: Sendable {
    /// Replaces the stored record.
    case replace
    /// Throws ``StoreError/keyExists(type:key:)``; the transaction stays usable.
    case `throw`
    /// Leaves the stored record as it is.
    case ignore
}
