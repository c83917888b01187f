// Rebuilds indexes.

import LMDB
import TroveCoding

extension Store {
    /// Rebuilds indexes of a type from its records, and the lists of its relations from their links.
    ///
    /// ```swift
    /// if try !store.check(User.self).isEmpty { try store.rebuild(User.self) }
    /// ```
    ///
    /// From the first transaction of the rebuild on, queries do not use the indexes, and writes maintain them. An
    /// interrupted rebuild resumes when a program with the type opens the store.
    ///
    /// The lists of a relation are rebuilt in one transaction, since reads of links always use them. The missing
    /// direction of a symmetric link is stored again, at the end of the list. If the entity across has another link in
    /// a relation to one, the link is removed instead.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - index: The name of an index, as printed by `check()` and `explain()`, such as `index(age)`; nil for all
    ///     indexes, and the lists of relations.
    ///   - progress: Receives the progress, on this thread.
    /// - Throws: ``StoreError/SchemaError/noSuchIndex(type:index:indexes:)``. After the rebuild:
    ///   ``StoreError/RecordError/notUnique(type:index:key:existing:)`` if such a unique index has duplicate values,
    ///   ``StoreError/RecordError/checksumMismatch(type:key:)`` if a damaged record was skipped.
    /// - Complexity: O(*n* log *n*) in the number of records, in transactions of bounded size.
    @available(*, noasync, message: "await the call")
    public func rebuild<Record: IndexKeyRecord>(
        _ type: Record.Type, index: String? = nil, progress: ((MigrationProgress) -> Void)? = nil
    ) throws {
        try rebuild(type, index, unless: CancellationFlag()) { progress?($0) }
    }

    func rebuild(
        _ type: any IndexKeyRecord.Type, _ index: String?, unless isCancelled: CancellationFlag,
        _ progress: (MigrationProgress) -> Void
    ) throws {
        if let index, !type.schema.indexes.contains(where: { $0.text == index }) {
            throw StoreError.schema(
                .noSuchIndex(type: type.schema.name, index: index, indexes: type.schema.indexes.map(\.text)))
        }
        var reports = try rebuildReporting(type, index, unless: isCancelled, progress)
        if index == nil {
            reports += try rebuildLinks(unless: isCancelled) { $0.hasEnd(type.schema.keyPrefix) }
        }
        if let first = reports.first { throw first }
    }

    /// Rebuilds all indexes of the declared types from their records, and the lists of all relations from their links,
    /// as `rebuild(_:index:progress:)` does.
    ///
    /// - Parameter progress: Receives the progress, on this thread.
    /// - Throws: After the rebuild: ``StoreError/RecordError/notUnique(type:index:key:existing:)`` if a unique index
    ///   has duplicate values, ``StoreError/RecordError/checksumMismatch(type:key:)`` if a damaged record was skipped.
    /// - Complexity: O(*n* log *n*) in the number of records, in transactions of bounded size.
    @available(*, noasync, message: "await the call")
    public func rebuild(progress: ((MigrationProgress) -> Void)? = nil) throws {
        try rebuild(unless: CancellationFlag()) { progress?($0) }
    }

    func rebuild(unless isCancelled: CancellationFlag, _ progress: (MigrationProgress) -> Void) throws {
        var reports = try declaredTypes.flatMap { try rebuildReporting($0, nil, unless: isCancelled, progress) }
        reports += try rebuildLinks(unless: isCancelled) { _ in true }
        if let first = reports.first { throw first }
    }

    /// Rebuilds the lists of relations, each in a transaction.
    ///
    /// - Returns: The errors of damaged links.
    private func rebuildLinks(
        unless isCancelled: CancellationFlag, of isIncluded: (CatalogRelation) -> Bool
    ) throws -> [StoreError] {
        let stored = try readToEnd { $0.relations }
        return try stored.filter { isIncluded($0.value.relation) }.sorted { $0.key < $1.key }.flatMap { prefix, _ in
            try isCancelled.check()
            return try write { context in
                try translatingErrors { try context.rebuildLinks(prefix) }
            }
        }
    }

    /// - Returns: The errors of records: duplicate values and damaged records.
    private func rebuildReporting(
        _ type: any IndexKeyRecord.Type, _ index: String?, unless isCancelled: CancellationFlag,
        _ progress: (MigrationProgress) -> Void
    ) throws -> [StoreError] {
        let prefix = type.schema.keyPrefix
        try isCancelled.check()
        try write { context in
            try translatingErrors {
                guard try context.catalogStorage().type(prefix) != nil else { return }
                _ = try context.tableForWriting(type.schema)
                guard var stored = try context.catalogStorage().type(prefix) else { return }
                let emptied = stored.indexes.filter { index ?? $0.value.text == $0.value.text }
                try context.empty(emptied.keys.sorted(), of: &stored, prefix)
                try context.set(stored, prefix)
            }
        }
        return try Self.buildIndexes(of: type, in: try isCancelled.passing(self), .large, progress).filter { report in
            // Leave out duplicates in other indexes.
            guard let index, case .record(.notUnique(_, let other, _, _)) = report else { return true }
            return other == index
        }
    }
}
