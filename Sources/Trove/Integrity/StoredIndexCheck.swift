// The result of checking an index without its Swift type.

/// The result of checking an index or a unique constraint without its Swift type.
public struct StoredIndexCheck: Hashable, Sendable, Codable {
    /// The extent of the comparison with the records.
    public enum Extent: String, Hashable, Sendable, Codable {
        /// Every entry and every record was compared.
        case whole
        /// Every entry was compared. Only the index's program can evaluate its condition, or gather its texts, so
        /// missing entries cannot be found.
        case entries
        /// Nothing was compared: the index is still being built.
        case notReady
        /// Nothing was compared: only its program can derive its entries from records; or the index has totals, and
        /// the numbers of a damaged record, or of one of an older layout, are not known.
        case unknown
    }

    /// The record type's name, with its module.
    public var type: String
    /// The index's own name, such as `index(age)`.
    public var index: String
    /// The number of entries; of totals, the number of groups.
    public var entries: Int
    /// Whether the entries are groups of records with their totals.
    public var hasGroups: Bool
    /// The extent of the comparison.
    public var extent: Extent
    /// The number of records skipped because of their older layout. Only the program converts these.
    public var olderRecords: Int
    /// The differences, at most 1,000 for all indexes of a type.
    public var differences: [IndexDifference]
}
