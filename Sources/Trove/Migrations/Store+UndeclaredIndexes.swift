// The indexes in a store that the program does not declare: it cannot maintain them, so it does not write their types.

import LMDB
import Logging
import TroveCoding

extension Store {
    /// Drops the indexes and unique constraints that the types of this program no longer have, and frees their pages.
    /// The drop concerns the types that the store was opened with, and the types that the program has used since.
    ///
    /// Until then, such indexes are kept for the program that declared them. This program would not maintain them, so
    /// it can read the type's records but not write them
    /// (``StoreError/SchemaError/schemaNewer(path:type:stored:declared:undeclaredIndexes:)``). Afterwards, the work on
    /// the types that opening the store left undone is done, as its policy says: records are migrated, and new indexes
    /// are built. With ``MigrationPolicy/lazily`` and ``MigrationPolicy/refuse``, `finishMigrations(progress:)` does
    /// it.
    ///
    /// ``MigrationPolicy/droppingUndeclaredIndexes`` does the same while the store opens.
    ///
    /// - Returns: The names of the indexes with the names of their types, such as `Person, index(age)`.
    /// - Throws: ``StoreError/SchemaError/schemaNewer(path:type:stored:declared:undeclaredIndexes:)`` for a type with a
    ///   newer layout, unless the store was opened with ``MigrationPolicy/allowingOlderLayout``. After the drop, the
    ///   errors of migrating records.
    /// - Complexity: O(*p*) in the number of pages, in a transaction per type. Pages of entries are not read. In
    ///   addition, the migration and the builds.
    @discardableResult
    @available(*, noasync, message: "await the call")
    public func dropUndeclaredIndexes() throws -> [String] {
        try checkIsWritable()
        let dropped = try dropIndexes(undeclaredBy: schemasInUse)
        if !dropped.isEmpty, !declaredTypes.isEmpty, migrationPolicy.timing != .refuse {
            try openTypes(migrationPolicy, unless: CancellationFlag(), nil)
        }
        return dropped
    }

    /// The record types that the store was opened with, and the types that the process has used since.
    var schemasInUse: [RecordSchema] {
        let declared = declaredTypes.map { $0.schema }
        let prefixes = Set(declared.map(\.keyPrefix))
        return declared + catalog.usedSchemas.filter { !$0.isOfLinks && !prefixes.contains($0.keyPrefix) }
    }

    /// Drops the indexes that types do not declare. Returns their names.
    @discardableResult
    func dropIndexes(undeclaredBy schemas: [RecordSchema]) throws -> [String] {
        try schemas.flatMap { schema in
            if try undeclaredIndexes(of: schema).isEmpty { return [String]() }
            return try write { context in try translatingErrors { try context.dropUndeclaredIndexes(of: schema) } }
        }
    }

    /// The declared types with stored indexes that they do not declare, and the names of these indexes.
    var undeclaredIndexes: [(schema: RecordSchema, names: [String])] {
        get throws {
            try declaredTypes.compactMap { type in
                let names = try undeclaredIndexes(of: type.schema)
                return names.isEmpty ? nil : (type.schema, names)
            }
        }
    }

    /// Returns the names of the stored indexes that a type does not declare.
    func undeclaredIndexes(of schema: RecordSchema) throws -> [String] {
        try readToEnd { context in
            let stored = context.catalogSnapshot.recordTable(schema.keyPrefix)?.type
            return stored?.undeclaredIndexes(by: schema).values.map(\.text).sorted() ?? []
        }
    }

    /// Logs indexes that keep a type from being written and migrated.
    func warn(of indexes: [String], undeclaredBy schema: RecordSchema) {
        Logger(label: "trove").warning(
            "A type has indexes that the program does not declare, and is not written or migrated until they are dropped",
            metadata: [
                "path": "\(path)", "type": "\(schema.qualifiedName)", "indexes": "\(indexes.joined(separator: ", "))",
                "to drop them": "dropUndeclaredIndexes(), or migrations: .onOpen.droppingUndeclaredIndexes",
            ])
    }
}

extension TransactionContext {
    fileprivate func dropUndeclaredIndexes(of schema: RecordSchema) throws -> [String] {
        let prefix = schema.keyPrefix
        guard var stored = try catalogStorage().type(prefix) else { return [] }
        let undeclared = stored.undeclaredIndexes(by: schema).sorted { $0.key < $1.key }
        guard !undeclared.isEmpty else { return [] }
        if stored.hasNewerLayout(than: schema), !allowsOlderLayouts { throw catalog.newer(stored, than: schema) }
        // The tables themselves stay, without a page: other processes may have their handles open.
        try empty(undeclared.map(\.key), of: &stored, prefix)
        for (number, index) in undeclared {
            let name = TableName(keyPrefix: prefix, table: TableNumber(rawValue: number))
            try index.kind.maintainer.complete(index, name, in: self)
            stored.indexes[number] = nil
            try catalogStorage().setIndex(prefix, number, nil)
        }
        try set(stored, prefix)
        return undeclared.map { indexName($0.value.text, of: schema.name) }
    }
}
