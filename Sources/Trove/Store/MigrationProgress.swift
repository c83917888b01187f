// The progress of a migration, for a callback and for Foundation's `Progress`.

import Foundation

/// The progress of a record type's migration, or of the conversion of the store's file.
public struct MigrationProgress: Hashable, Sendable {
    /// A phase of a migration.
    public enum Phase: Hashable, Sendable {
        /// The file is converted to the format of the loaded liblmdb; see ``StoreOptions/conversion``. The type is
        /// empty, and the numbers count pages.
        case converting
        /// The records are converted in memory, to find records that cannot be converted. Nothing is written.
        case validating
        /// The records are rewritten.
        case rewriting
        /// Indexes and unique constraints are built from the records, all in a single pass.
        case indexing
    }

    /// The name of the type, with its module.
    public var type: String
    /// The current phase.
    public var phase: Phase
    /// The number of finished records. The number grows; a resumed migration continues with the number of the
    /// interrupted migration.
    public var done: Int
    /// The number of records when the phase began.
    public var total: Int
}

extension Progress {
    /// Updates the counts from the progress of a migration.
    ///
    /// ```swift
    /// let progress = Progress(totalUnitCount: 0)
    /// let store = try Store(path: path, records: [Person.self]) { progress.update(with: $0) }
    /// ```
    ///
    /// - Parameter migration: The argument of a migration's callback. Each type, and each of its phases, counts from
    ///   zero.
    public func update(with migration: MigrationProgress) {
        totalUnitCount = Int64(migration.total)
        completedUnitCount = Int64(min(migration.done, migration.total))
    }
}
