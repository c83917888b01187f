// The catalog in memory, at a schema epoch.

import LMDB
import TroveCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The contents of the catalog at a schema epoch.
final class CatalogSnapshot: Sendable {
    /// A stored type, and its record table.
    private struct Entry {
        var type: CatalogType
        var name: TableName
        var records: Database
        var indexes: [UInt32: Database]
        /// The tables of indexes with several tables.
        var indexParts: [TableName: Database]
    }

    private struct TableKey: Hashable {
        var schema: ObjectIdentifier
        var verifiesChecksums: Bool
    }

    /// The number of table publications so far. A transaction that has seen as many can use all handles of this
    /// snapshot.
    let publications: UInt64
    /// The features that the store uses.
    let features: Set<StoreFeature>
    /// The error of a write, if this program lacks a feature needed to write, or if the file is for reading only.
    let writeError: StoreError?
    /// The rules of the history; nil if the store keeps none.
    let history: CatalogHistory?
    private let epoch: UInt64?
    private let entries: [UInt32: Entry]
    /// The relations, by the prefix of their links.
    let relations: [UInt32: StoredRelation]
    /// The relations found without their entries.
    private let relationsWithoutEntry = Monitor<[UInt32: StoredRelation]>([:])
    /// The record tables opened so far.
    private let tables = Monitor<[TableKey: RecordTable]>([:])

    /// Creates the snapshot of an unread store.
    init() {
        publications = 0
        features = []
        writeError = nil
        history = nil
        epoch = nil
        entries = [:]
        relations = [:]
    }

    private init(
        _ table: CatalogStorage, epoch: UInt64, supporting supported: Set<StoreFeature>, _ keyspace: Keyspace,
        _ environment: SharedEnvironment
    ) throws {
        self.epoch = epoch
        publications = keyspace.core.publications
        // Other entries may have forms that only a program with the features can read.
        let store = try table.storeEntry()
        if let error = store.error(lacking: .neededToRead, in: supported, path: environment.path) { throw error }
        features = store.features
        writeError =
            features.contains(.changes)
            ? StoreError.file(.holdsChangesOnly(path: environment.path))
            : store.error(lacking: .neededToWrite, in: supported, path: environment.path)
        history = try table.history()
        var entries: [UInt32: Entry] = [:]
        for (prefix, type) in try table.types() {
            func table(_ name: TableName) throws -> Database {
                if let table = try environment.lastingTable(named: name.text, in: keyspace) { return table }
                throw StoreError.record(
                    .corrupted(
                        type: type.qualifiedName, key: type.storedKey([]),
                        reason: CodingError(.malformed(expected: "table \(name.text)"))))
            }
            let name = TableName(keyPrefix: prefix, generation: type.generation)
            var indexes: [UInt32: Database] = [:]
            for number in type.indexes.keys {
                indexes[number] = try table(
                    TableName(keyPrefix: prefix, table: TableNumber(rawValue: number)))
            }
            entries[prefix] = Entry(
                type: type, name: name, records: try table(name), indexes: indexes,
                indexParts: try type.indexes.parts(prefix).reduce(into: [:]) { $0[$1] = try table($1) })
        }
        self.entries = entries
        relations = try table.relations().reduce(into: [:]) { relations, entry in
            relations[entry.key] = try StoredRelation(
                entry.value, keyPrefix: entry.key, entries[entry.key]?.type,
                isBeingRewritten: table.migration(entry.key) != nil)
        }
    }

    /// Returns the valid snapshot for a transaction: the known snapshot, if the epoch is still the same.
    ///
    /// - Parameter supported: The features of the format that this program has.
    static func stored(
        in keyspace: Keyspace, _ environment: SharedEnvironment, unlessStill known: CatalogSnapshot,
        supporting supported: Set<StoreFeature>
    ) throws -> CatalogSnapshot {
        guard try environment.lastingTable(named: CatalogStorage.name, in: keyspace) != nil,
            let table = try CatalogStorage(keyspace)
        else { throw StoreError.file(.notAStore(path: environment.path, reason: nil)) }
        let format = try table.format()
        guard format <= FormatVersion.newest else {
            throw StoreError.file(
                .formatTooNew(path: environment.path, format: Int(format), supported: Int(FormatVersion.newest)))
        }
        guard format >= FormatVersion.oldest else {
            throw StoreError.file(
                .formatTooOld(path: environment.path, format: Int(format), supported: Int(FormatVersion.oldest)))
        }
        let epoch = try table.number(.schemaEpoch)
        if epoch == known.epoch { return known }
        return try CatalogSnapshot(table, epoch: epoch, supporting: supported, keyspace, environment)
    }

    /// Every stored type, with its record table.
    var recordTables: [(type: CatalogType, name: TableName, records: Database)] {
        entries.values.map { ($0.type, $0.name, $0.records) }
    }

    /// Returns whether a type is stored under a prefix.
    func hasType(_ keyPrefix: UInt32) -> Bool { entries[keyPrefix] != nil }

    /// Returns the type stored under a prefix, with its record table.
    func recordTable(_ keyPrefix: UInt32) -> (type: CatalogType, name: TableName, records: Database)? {
        entries[keyPrefix].map { ($0.type, $0.name, $0.records) }
    }

    /// Returns the indexes of the type stored under a prefix, by number.
    func indexes(_ keyPrefix: UInt32) -> [UInt32: Database] { entries[keyPrefix]?.indexes ?? [:] }

    /// Returns the tables of the indexes with several tables of the type stored under a prefix.
    func indexParts(_ keyPrefix: UInt32) -> [TableName: Database] { entries[keyPrefix]?.indexParts ?? [:] }

    /// Returns a declared relation whose entry is lost: the type of its links has the declared name and layout, and no
    /// other lists than the declared ones. Entries of lists may be lost too.
    func relationWithoutEntry(_ declared: LinkDeclaration) -> StoredRelation? {
        var prefix = declared.keyPrefix
        while let type = entries[prefix]?.type {
            if relations[prefix] == nil, type.qualifiedName == declared.name {
                return relationsWithoutEntry.withLock { known in
                    if let stored = known[prefix] { return stored }
                    let schema = RecordSchema(
                        declared.relation, name: declared.name, keyPrefix: prefix, declared.layout)
                    guard type.hasLayout(of: schema), type.undeclaredIndexes(by: schema).isEmpty else { return nil }
                    known[prefix] = StoredRelation(declared.relation, schema, identifiers: declared.identifiers)
                    return known[prefix]
                }
            }
            prefix &+= 1
        }
        return nil
    }

    /// Returns a type's record table; nil if the store has none.
    ///
    /// - Throws: ``StoreError`` if the schema contradicts the stored type.
    func table(for schema: RecordSchema, _ catalog: Catalog, verifiesChecksums: Bool) throws -> RecordTable? {
        let key = TableKey(schema: ObjectIdentifier(schema), verifiesChecksums: verifiesChecksums)
        return try tables.withLock { tables in
            if let known = tables[key] { return known }
            try catalog.declare(schema, in: self)
            guard let entry = entries[schema.keyPrefix] else { return nil }
            try catalog.check(schema, against: entry.type, in: self)
            let table = RecordTable(
                schema, database: entry.records, name: entry.name, type: entry.type, indexes: entry.indexes,
                parts: entry.indexParts, catalog: catalog,
                relations: try schema.tableRelations(among: relations, in: self),
                verifiesChecksums: verifiesChecksums)
            tables[key] = table
            return table
        }
    }
}

extension SharedEnvironment {
    /// Returns the table with a name, with a handle for later transactions; nil if the table does not exist.
    ///
    /// - Throws: `databaseNotUsable` if the handle must be opened first. Then the transaction has to begin again.
    fileprivate func lastingTable(named name: String, in keyspace: Keyspace) throws -> Database? {
        if database(named: name) == nil, try keyspace.hasTable(named: name) {
            throw LMDBError(.databaseNotUsable, in: "catalog", path: path, database: name)
        }
        return try keyspace.table(named: name)
    }
}
