// How far a migration is: for a callback, and for Foundation's `Progress`.

import Foundation

/// How far the migration of one record type is.
public struct MigrationProgress: Hashable, Sendable {
    /// What is done with the records.
    public enum Phase: Hashable, Sendable {
        /// They are read, to learn whether each of them can be converted. Nothing is written.
        case validating
        /// They are rewritten.
        case rewriting
        /// Indexes and unique constraints are made of them, all in one pass.
        case indexing
    }

    /// The name of the type, with its module.
    public var type: String
    /// What is done with its records.
    public var phase: Phase
    /// The number of records done. It grows. A migration that is resumed begins where the last one has stopped, and may
    /// do up to a chunk of records again where indexes are made.
    public var done: Int
    /// How many there were when the phase began.
    public var total: Int
}

extension Progress {
    /// Shows how far a migration is.
    ///
    /// ```swift
    /// let progress = Progress(totalUnitCount: 0)
    /// let store = try Store(path: path, records: [Person.self]) { progress.update(with: $0) }
    /// ```
    ///
    /// - Parameter migration: What the callback of a migration receives. Each type, and each of its phases, counts from
    ///   zero.
    public func update(with migration: MigrationProgress) {
        totalUnitCount = Int64(migration.total)
        completedUnitCount = Int64(min(migration.done, migration.total))
    }
}
