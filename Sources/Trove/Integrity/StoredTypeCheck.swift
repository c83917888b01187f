// The result of checking a record type without its Swift type.

/// The result of checking the indexes of a record type without its Swift type.
public struct StoredTypeCheck: Hashable, Sendable, Codable {
    /// The result for each index.
    public var indexes: [StoredIndexCheck]
    /// The damaged records found during the comparison, at most 1,000.
    public var damagedRecords: [IndexDifference]
}
