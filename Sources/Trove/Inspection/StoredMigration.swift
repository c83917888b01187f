// A migration under way, in the catalog.

/// The state of a migration of a type's records to a new layout.
public struct StoredMigration: Hashable, Sendable {
    /// The version of the new layout.
    public let version: UInt32
    /// The number of records migrated.
    public let done: Int
    /// The number of records at the beginning of the migration.
    public let total: Int
    /// Whether the migration changes keys. Then the records appear in the new layout all at once, at the end.
    public let changesKeys: Bool
}
