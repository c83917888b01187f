// The numbers of the kinds of indexes. A number never changes its meaning.

/// The kind of an index.
struct IndexKindNumber: RawRepresentable, Hashable {
    /// An index: records in the order of some of their properties.
    static let value = IndexKindNumber(rawValue: 1)
    /// A unique index: no two records have equal values.
    static let unique = IndexKindNumber(rawValue: 2)
    /// A list: the links of a relation in the order of an end, and of their positions.
    static let list = IndexKindNumber(rawValue: 3)
    /// A full-text index: the words of some properties.
    static let fullText = IndexKindNumber(rawValue: 4)
    /// The numbers of records, shared by the full-text indexes of a type.
    static let recordNumbers = IndexKindNumber(rawValue: 5)
    /// Totals: for each group of records, their number and the sums of some properties.
    static let totals = IndexKindNumber(rawValue: 6)
    /// A ranked index: an index that counts its entries.
    static let ranked = IndexKindNumber(rawValue: 7)

    let rawValue: UInt8
}
