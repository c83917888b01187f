// The result of searching a unique index for duplicate values.

/// The result of searching a unique index for forbidden duplicate values.
struct UniquenessViolation {
    /// The number of the index.
    let number: UInt32
    /// The error for the first two records with equal values; nil if there are none.
    let error: StoreError?
}
