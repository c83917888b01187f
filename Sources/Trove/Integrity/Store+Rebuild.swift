// What somebody asks for who does not trust an index, or wants none of one that a program has given up.

import LMDB
import TroveCoding

extension Store {
    /// Makes indexes anew, of the records of a type.
    ///
    /// ```swift
    /// if try !store.check(User.self).isEmpty { try store.rebuild(User.self) }
    /// ```
    ///
    /// From its first transaction on, queries do without them, and writes maintain them. Whoever opens the store next
    /// with the type declared goes on where a rebuild was interrupted.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - index: One of its indexes, by the name that ``check()`` and `explain()` show, such as `index(age)`; nil for all.
    ///   - progress: Receives how far it is, on this thread.
    /// - Throws: ``StoreError/noSuchIndex(type:index:indexes:)``. When all is made:
    ///   ``StoreError/notUnique(type:index:key:existing:)`` where two records have the same unique values of such a table,
    ///   ``StoreError/checksumMismatch(type:key:)`` where a damaged record was passed over.
    /// - Complexity: O(*n* log *n*) in the number of records, in transactions of a bounded size.
    public func rebuild<Record: IndexKeyRecord>(
        _ type: Record.Type, index: String? = nil, progress: ((MigrationProgress) -> Void)? = nil
    ) throws {
        if let index, !type.schema.indexes.contains(where: { $0.text == index }) {
            throw StoreError.noSuchIndex(
                type: type.schema.name, index: index, indexes: type.schema.indexes.map(\.text))
        }
        let reports = try rebuild(AnyRecordType(type), index) { progress?($0) }
        if let first = reports.first { throw first }
    }

    /// Makes all indexes of the declared types anew, of their records.
    ///
    /// - Parameter progress: Receives how far it is, on this thread.
    /// - Throws: When all is made: ``StoreError/notUnique(type:index:key:existing:)`` where two records have the same
    ///   unique values, ``StoreError/checksumMismatch(type:key:)`` where a damaged record was passed over.
    /// - Complexity: O(*n* log *n*) in the number of records, in transactions of a bounded size.
    public func rebuild(progress: ((MigrationProgress) -> Void)? = nil) throws {
        let reports = try declaredTypes.flatMap { type in try rebuild(type, nil) { progress?($0) } }
        if let first = reports.first { throw first }
    }

    /// - Returns: What there is to tell of the records.
    private func rebuild(
        _ type: AnyRecordType, _ index: String?, _ progress: (MigrationProgress) -> Void
    ) throws -> [StoreError] {
        let prefix = type.schema.keyPrefix
        try write { context in
            try translatingErrors {
                guard try context.catalogStorage().type(prefix) != nil else { return }
                _ = try context.tableForWriting(type.schema)
                guard var stored = try context.catalogStorage().type(prefix) else { return }
                for (number, declared) in stored.indexes where index ?? declared.text == declared.text {
                    try context.empty(number, of: &stored, prefix)
                }
                try context.set(stored, prefix)
            }
        }
        return try Self.buildIndexes(of: type, in: self, .large, progress).filter { report in
            // What another table has to tell, nobody has asked.
            guard let index, case .notUnique(_, let other, _, _) = report else { return true }
            return other == index
        }
    }

    /// Gives up the indexes and unique constraints that the declared types do not have any more, and frees their pages.
    ///
    /// Until then they are kept, for the program that has declared them; and since this one would leave them behind, it
    /// can read the type's records and not write them
    /// (``StoreError/schemaNewer(path:type:stored:declared:undeclaredIndexes:)``). Where the type's layout has changed
    /// as well, ``finishMigrations(progress:)-(_)`` then does what opening the store could not.
    ///
    /// - Returns: The names of the tables, each behind its type's, such as `Person.index(age)`.
    /// - Throws: ``StoreError/schemaNewer(path:type:stored:declared:undeclaredIndexes:)`` for a type that has a newer
    ///   layout, unless the store was opened with ``MigrationPolicy/allowingOlderLayout``.
    /// - Complexity: O(*p*) in the number of pages, in one transaction a type. No page is read that holds rows.
    @discardableResult
    public func dropUndeclaredIndexes() throws -> [String] {
        try declaredTypes.flatMap { type in
            try write { context in try translatingErrors { try context.dropUndeclaredTables(of: type.schema) } }
        }
    }
}

extension TransactionContext {
    fileprivate func dropUndeclaredTables(of schema: RecordSchema) throws -> [String] {
        let prefix = schema.keyPrefix
        guard var stored = try catalogStorage().type(prefix) else { return [] }
        let undeclared = stored.undeclaredIndexes(by: schema).sorted { $0.key < $1.key }
        guard !undeclared.isEmpty else { return [] }
        if stored.hasNewerLayout(than: schema), !allowsOlderLayouts { throw catalog.newer(stored, than: schema) }
        for (number, _) in undeclared {
            // The table itself stays, without a page: others may have its handle open.
            try empty(number, of: &stored, prefix)
            stored.indexes[number] = nil
            try catalogStorage().setIndex(prefix, number, nil)
        }
        try set(stored, prefix)
        return undeclared.map { "\(schema.name).\($0.value.text)" }
    }
}
