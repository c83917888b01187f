// The conflict rule of an insert.

/// The treatment of a stored record with the key of an inserted record.
public enum ConflictRule: Sendable {
    /// Replaces the stored record.
    case replace
    /// Throws ``StoreError/RecordError/keyExists(type:key:)``; the transaction stays usable.
    case `throw`
    /// Leaves the stored record as it is.
    case ignore
}
