// Every number that a store's file holds besides the users' data. None of them is ever given another meaning.

/// The version of the file's format.
enum FormatVersion {
    /// What this version of Trove writes, and the latest that it reads.
    static let current: UInt32 = 1
    /// The earliest that it reads.
    static let oldest: UInt32 = 1
}

/// Which of a record type's tables a table is: a part of its name. From 1 on, indexes in the order in which they
/// were made.
struct TableNumber: RawRepresentable, Hashable {
    /// The records themselves.
    static let records = TableNumber(rawValue: 0)

    let rawValue: UInt32
}

/// The kind of an index. The kinds themselves are in Indexes/Kinds/.
struct IndexKindNumber: RawRepresentable, Hashable {
    /// Records in the order of some of their properties.
    static let value = IndexKindNumber(rawValue: 1)
    /// Values of which no two records have the same.
    static let unique = IndexKindNumber(rawValue: 2)

    let rawValue: UInt8
}

/// What an entry of the catalog is: the first byte of its key.
enum CatalogEntryKind: UInt8 {
    /// The store itself: its format and identity.
    case store = 0
    /// The number of commits.
    case commitSequence = 1
    /// The number of changes of the catalog's types.
    case schemaEpoch = 2
    /// A record type, by its prefix.
    case type = 3
    /// A layout of a record type, by its prefix and version.
    case layout = 4
    /// How far the migration of a record type is, by its prefix.
    case migration = 5
    /// An index of a record type, by its prefix and the table's number.
    case index = 6
}
