// Tables for writing, and changes of the catalog in a write transaction.

import LMDB
import TroveCoding

extension TransactionContext {
    /// Returns the table of a type's records. Creates the table and updates the type's catalog entry if needed.
    @inline(__always)
    func tableForWriting(_ schema: RecordSchema) throws -> HeldTable {
        do throws(LMDBError) { try core.check(lease) } catch { throw StoreError(error) }
        try writeFullHistory()
        if let lastWritten, lastWritten.withTable({ $0.schema === schema }) { return lastWritten }
        if let table = writtenTable(for: schema) {
            lastWritten = table
            return table
        }
        let table = HeldTable(try findTableForWriting(schema))
        writtenTables.append(table)
        lastWritten = table
        return table
    }

    /// Returns the table of a type if this transaction has used it for writing.
    private func writtenTable(for schema: RecordSchema) -> HeldTable? {
        writtenTables.first { $0.withTable { $0.schema === schema } }
    }

    /// Returns the table of a type for removals; nil if the type has none.
    ///
    /// - Throws: ``StoreError/SchemaError/schemaNewer(path:type:stored:declared:undeclaredIndexes:)``, as writing does.
    @usableFromInline
    func tableForRemoval(_ schema: RecordSchema) throws -> RecordTable? {
        do throws(LMDBError) { try core.check(lease) } catch { throw StoreError(error) }
        try writeFullHistory()
        if let table = writtenTable(for: schema) { return table.table }
        guard let table = try table(for: schema), !table.isUpToDate else { return try table(for: schema) }
        if table.outdated != nil { return try tableForWriting(schema).table }
        // A migration to other keys by another program would bring copied records back.
        let migration = try translatingErrors { try catalogStorage().migration(schema.keyPrefix) }
        if let migration, migration.generation != table.type.generation {
            try translatingErrors { try endMigration(of: table.type, schema.keyPrefix) }
        }
        return table
    }

    private func findTableForWriting(_ schema: RecordSchema) throws -> RecordTable {
        if let pending = pendingTable(for: schema) { return pending }
        if let known = try findTable(for: schema), known.isUpToDate { return known }
        return try translatingErrors { try registerType(schema) }
    }

    /// Writes a type, or its new layout or name, into the catalog, and creates its table.
    private func registerType(_ schema: RecordSchema) throws -> RecordTable {
        let stored = try catalogStorage().type(schema.keyPrefix)
        if let stored { try catalog.check(schema, against: stored, in: catalogSnapshot) }
        let name = TableName(keyPrefix: schema.keyPrefix, generation: stored?.generation ?? 0)
        let database = try keyspace.createTable(named: name.text)
        let type = try adopt(schema, over: stored, isEmpty: keyspace.count(database) == 0)
        return try use(type, for: schema)
    }

    /// Opens the tables of a type after a change of its catalog entry.
    @discardableResult
    func use(_ type: CatalogType, for schema: RecordSchema) throws -> RecordTable {
        let name = TableName(keyPrefix: schema.keyPrefix, generation: type.generation)
        let database = try keyspace.createTable(named: name.text)
        var indexes: [UInt32: Database] = [:]
        for number in type.indexes.keys {
            let name = TableName(keyPrefix: schema.keyPrefix, table: TableNumber(rawValue: number))
            indexes[number] = try keyspace.table(named: name.text)
        }
        var parts: [TableName: Database] = [:]
        for name in type.indexes.parts(schema.keyPrefix) { parts[name] = try keyspace.createTable(named: name.text) }
        for feature in type.indexes.features { try use(feature) }
        let table = RecordTable(
            schema, database: database, name: name, type: type, indexes: indexes, parts: parts, catalog: catalog,
            relations: try schema.tableRelations(among: relations, in: catalogSnapshot).allDeclared,
            verifiesChecksums: verifiesChecksums)
        pendingTables.append(table)
        forgetTables()
        return table
    }

    /// Makes the layout of a schema the current layout of the type.
    ///
    /// - Parameters:
    ///   - stored: The type's catalog entry.
    ///   - isEmpty: Whether the type has no records, and so none of an older layout.
    /// - Returns: The new catalog entry.
    /// - Throws: ``StoreError/SchemaError/schemaNewer(path:type:stored:declared:undeclaredIndexes:)``.
    func adopt(
        _ schema: RecordSchema, over stored: CatalogType?, isEmpty: Bool = false
    ) throws -> CatalogType {
        var type = stored ?? CatalogType(schema)
        let lacksIndexes = !type.undeclaredIndexes(by: schema).isEmpty
        if lacksIndexes || !allowsOlderLayouts && type.hasNewerLayout(than: schema) {
            throw catalog.newer(type, than: schema, allowingOlderLayout: allowsOlderLayouts)
        }
        let undeclared = try schema.undeclaredRelations(among: relations)
        guard undeclared.isEmpty else {
            throw catalog.newer(type, than: schema, undeclared, allowingOlderLayout: allowsOlderLayouts)
        }
        let isNewLayout = type.newestVersion != schema.fieldsVersion || stored == nil
        // A migration to another layout would miss records written in this layout from now on.
        if type.newestVersion != schema.fieldsVersion { try endMigration(of: type, schema.keyPrefix) }
        type.adopt(schema)
        if isEmpty { type.oldestOrdinal = type.newestOrdinal }
        try adoptIndexes(schema, &type, isEmpty: isEmpty, isNewLayout: isNewLayout)
        try set(type, schema.keyPrefix)
        return type
    }

    /// Creates the indexes of a schema, and empties indexes with possibly stale entries. They are ready after a build.
    private func adoptIndexes(
        _ schema: RecordSchema, _ type: inout CatalogType, isEmpty: Bool, isNewLayout: Bool
    ) throws {
        for (declared, known) in zip(schema.indexes, type.indexNumbers(of: schema)) {
            // A migration by hand may change any property, so entries of an older layout are stale.
            if let known, type.hasIndex(declared, known), !isNewLayout {
                if declared.allowsDuplicates { type.indexes[known]?.allowDuplicates() }
                continue
            }
            let number = known ?? (type.indexes.keys.max() ?? 0) + 1
            let name = TableName(keyPrefix: schema.keyPrefix, table: TableNumber(rawValue: number))
            let keepsRows =
                known.map { type.hasIndex(declared, $0) } ?? false && declared.kind.maintainer.keepsRows(of: declared)
            if !keepsRows { try empty(CatalogIndex(declared), name) }
            let old = known.flatMap { type.indexes[$0] }
            let names = (old?.formerNames ?? []) + [old?.name ?? declared.name]
            type.indexes[number] = CatalogIndex(
                declared, formerNames: names.filter { $0 != declared.name })
            guard isEmpty else { continue }
            type.indexes[number]?.state = declared.kind.readable(mayHaveDuplicates: declared.allowsDuplicates)
            try declared.kind.maintainer.complete(CatalogIndex(declared), name, in: self)
        }
    }

    /// Writes a type into the catalog, with a new schema epoch: other programs reload the catalog.
    func set(_ type: CatalogType, _ keyPrefix: UInt32) throws {
        let catalog = try catalogStorage()
        try catalog.setType(keyPrefix, type)
        try beginSchemaEpoch(catalog)
    }

    /// Marks a feature of the format as used by the store, unless it is marked already.
    ///
    /// Each transaction that writes bytes of the feature calls it first. From then on, programs without the feature
    /// throw ``StoreError/FileError/formatTooNew(path:format:supported:features:)``, as its group says. The mark is
    /// undone with the transaction.
    ///
    /// - Parameter feature: A feature that this program has.
    /// - Throws: ``StoreError/FileError/formatTooNew(path:format:supported:features:)`` if the program lacks the
    ///   feature.
    package func use(_ feature: StoreFeature) throws {
        try translatingErrors {
            try core.check(lease)
            if catalogSnapshot.features.contains(feature) { return }
            let catalog = try catalogStorage()
            var entry = try catalog.storeEntry()
            guard entry.features.insert(feature).inserted else { return }
            let supported = self.catalog.supportedFeatures
            if let error = entry.error(lacking: feature.group, in: supported, path: core.path) { throw error }
            try catalog.setStoreEntry(entry)
            try beginSchemaEpoch(catalog)
        }
    }

    /// Writes a new schema epoch: this and other programs reload the catalog.
    func beginSchemaEpoch(_ catalog: CatalogStorage) throws {
        try catalog.setNumber(.schemaEpoch, catalog.number(.schemaEpoch) + 1)
        hasChangedTypes = true
        noteChange()
    }

    /// Ends the current migration, and removes the records it has written to a table of another generation.
    func endMigration(of type: CatalogType, _ keyPrefix: UInt32) throws {
        let catalog = try catalogStorage()
        guard let migration = try catalog.migration(keyPrefix) else { return }
        if migration.generation != type.generation {
            let name = TableName(keyPrefix: keyPrefix, generation: migration.generation)
            if let table = try keyspace.table(named: name.text) { try keyspace.deleteAll(table) }
            try removeRewrittenLinks(of: type, keyPrefix)
        }
        try catalog.setMigration(keyPrefix, nil)
        noteChange()
    }
}
