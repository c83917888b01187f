// The result of a search for duplicate values in a unique index.

/// The result of a search for forbidden duplicate values in a unique index.
struct DuplicateSearch {
    /// The number of the index.
    let number: UInt32
    /// The error for the first two records with equal values; nil if there are none.
    let error: StoreError?
}
