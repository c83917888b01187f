// The result of checking a record type without its Swift type.

/// The result of checking the indexes of a record type without its Swift type.
public struct StoredTypeCheck: Hashable, Sendable, Codable {
    /// The result for each index.
    public var indexes: [StoredIndexCheck]
    /// The damaged records found during the comparison, at most 1,000.
    public var damagedRecords: [IndexDifference]
    /// The wrong links of a relation, at most 1,000: second links of an end to one, and links of a symmetric relation
    /// stored in one direction only. Before them, the lists that cannot be read.
    public var linkDifferences: [IndexDifference]

    /// All differences: of the indexes, of the links, and damaged records.
    public var differences: [IndexDifference] { indexes.flatMap(\.differences) + linkDifferences + damagedRecords }
}
