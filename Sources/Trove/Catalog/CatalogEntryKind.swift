// The numbers of the kinds of catalog entries. A number never changes its meaning.

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
    /// A relation, by the prefix of its links.
    case relation = 7
    /// The changes of the last commits.
    case recentChanges = 8
    /// The rules of the history.
    case history = 9
}
