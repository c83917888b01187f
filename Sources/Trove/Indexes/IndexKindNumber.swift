// The numbers of the kinds of indexes. A number never changes its meaning.

/// The kind of an index.
struct IndexKindNumber: RawRepresentable, Hashable {
    /// An index: records in the order of some of their properties.
    static let value = IndexKindNumber(rawValue: 1)
    /// A unique index: no two records have equal values.
    static let unique = IndexKindNumber(rawValue: 2)

    let rawValue: UInt8
}
