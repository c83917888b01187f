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
