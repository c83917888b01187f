// The numbers in a store's file apart from user data. A number never changes its meaning.

/// The version of the file format.
enum FormatVersion {
    /// The version written by this version of Trove, and the latest version that it reads.
    static let current: UInt32 = 1
    /// The earliest version that it reads.
    static let oldest: UInt32 = 1
}

/// The number of a table within its record type, which is a part of the table's name. Indexes have numbers from 1 on,
/// in the order of their creation.
struct TableNumber: RawRepresentable, Hashable {
    /// The record table.
    static let records = TableNumber(rawValue: 0)

    let rawValue: UInt32
}

/// The kind of an index.
struct IndexKindNumber: RawRepresentable, Hashable {
    /// An index: records in the order of some of their properties.
    static let value = IndexKindNumber(rawValue: 1)
    /// A unique index: no two records have equal values.
    static let unique = IndexKindNumber(rawValue: 2)

    let rawValue: UInt8
}

/// The kind of a catalog entry: the first byte of its key.
enum CatalogEntryKind: UInt8 {
    /// The store itself: its format and identifier.
    case store = 0
    /// The number of commits.
    case commitSequence = 1
    /// The number of changes of the catalog's types.
    case schemaEpoch = 2
    /// A record type, by its prefix.
    case type = 3
    /// A layout of a record type, by its prefix and version.
    case layout = 4
    /// The state of a record type's migration, by its prefix.
    case migration = 5
    /// An index of a record type, by its prefix and the index's number.
    case index = 6
}
