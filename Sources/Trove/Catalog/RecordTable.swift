// An open record table: its handle, its indexes, and the decoding of its records.

import LMDB
import TroveCoding

/// A record table ready for use, reduced to the data of hot paths.
@usableFromInline
final class RecordTable: Sendable {
    @usableFromInline let schema: RecordSchema
    @usableFromInline let fieldsVersion: UInt32
    @usableFromInline let verifiesChecksums: Bool
    let database: Database
    let checksumSeed: CRC32C
    /// The indexes, in the order of the schema; empty unless all of them exist.
    let indexes: [OpenIndex]
    /// The positions of the indexes that follow records.
    let followers: [Int]
    /// The type in the catalog.
    let type: CatalogType
    /// The migration methods of the older versions read so far.
    let migrations = Monitor<[UInt32: MigrationMethod]>([:])
    /// Whether the catalog has the type's current name and layout, as writes require.
    let isUpToDate: Bool
    /// The relations of the store that concern the table.
    let relations: TableRelations
    /// The error of a write, if the catalog has a newer layout than the type.
    let outdated: StoreError?
    /// Whether the stored keys have the type's key layout: then each record keeps its key.
    let keepsKeys: Bool

    init(
        _ schema: RecordSchema, database: Database, name: TableName, type: CatalogType,
        indexes: [UInt32: Database], parts: [TableName: Database], catalog: Catalog,
        relations: TableRelations, verifiesChecksums: Bool
    ) {
        self.relations = relations
        self.schema = schema
        self.type = type
        self.database = database
        self.verifiesChecksums = verifiesChecksums
        isUpToDate = type.isUpToDate(with: schema) && relations.undeclared.isEmpty
        outdated =
            type.isNewer(than: schema) || !relations.undeclared.isEmpty
            ? catalog.newer(type, than: schema, relations.undeclared) : nil
        keepsKeys = schema.hasKey(of: type.keyLayout)
        let numbers = type.currentIndexNumbers(of: schema) ?? []
        // Entries derived under one layout are not valid under another.
        let isOfNewestLayout = type.newestVersion == schema.fieldsVersion
        let targets = numbers.compactMap { number -> OpenIndex? in
            guard let index = type.indexes[number], let database = indexes[number] else { return nil }
            let name = TableName(keyPrefix: schema.keyPrefix, table: TableNumber(rawValue: number))
            let tables = IndexTables(
                name: name, database: database, state: isOfNewestLayout ? index.state : .empty, type: schema.name,
                parts: parts, verifiesChecksums: verifiesChecksums)
            return index.kind.tables.open(index, tables)
        }
        let open = targets.count == numbers.count ? targets : []
        self.indexes = open
        followers = open.indices.filter { open[$0].kind.tables.followsRecords }
        // A layout with ids of an undeclared relation is no layout of the type, even if it has the same bytes. Such a
        // table is not written.
        let isForeign =
            !relations.undeclared.isEmpty && relations.keptIDs?.hasForeignIDs(in: schema.layout) ?? false
        fieldsVersion = isForeign ? ~schema.fieldsVersion : schema.fieldsVersion
        checksumSeed = name.checksumSeed
    }
}
