// The methods for reading records of older versions. `IndexKeyRecord+Migration.swift` chooses the method.

/// The method for reading the records of a version.
enum MigrationMethod: Sendable {
    /// The type's `init(decoding:version:)`.
    case initializer
    /// The type's `migrate(_:from:)`.
    case function(VersionMigration)
    /// The automatic rules.
    case rules(VersionMigration)
}

/// A record whose values the methods of another type convert: a deleted entity, by those of its entity type.
protocol DelegatedMigration: IndexKeyRecord {
    /// Converts a record of another version; nil if there is no method for the version.
    static func migrate(_ old: StoredFields, from version: UInt32, _ migration: VersionMigration) throws -> Self?
}
