// An open table of records: its handle, its indexes, and how the type's records are read from it.

import LMDB
import TroveCoding

/// A table of records, ready for use: what the hot paths need and nothing else.
@usableFromInline
final class RecordTable: Sendable {
    @usableFromInline let schema: RecordSchema
    @usableFromInline let fieldsVersion: UInt32
    @usableFromInline let verifiesChecksums: Bool
    let database: Database
    let checksumSeed: CRC32C
    /// The indexes, in the order of the schema's; none unless all of them are there.
    let indexes: [OpenIndex]
    /// The type as the catalog has it.
    let type: CatalogType
    /// How records of old versions are read, for the versions that were met.
    let migrations = Monitor<[UInt32: MigrationMethod]>([:])
    /// Whether the catalog holds the type's present name and layout, so that records can be written.
    let isUpToDate: Bool
    /// Why records cannot be written: the catalog holds a newer layout than the type's.
    let outdated: StoreError?
    /// Whether records have the keys under which they are stored.
    let keepsKeys: Bool

    init(
        _ schema: RecordSchema, _ database: Database, _ name: TableName, _ type: CatalogType,
        _ indexes: [UInt32: Database], _ catalog: Catalog, verifiesChecksums: Bool
    ) {
        self.schema = schema
        self.type = type
        self.database = database
        self.verifiesChecksums = verifiesChecksums
        isUpToDate = type.isUpToDate(with: schema)
        outdated = type.isNewer(than: schema) ? catalog.newer(type, than: schema) : nil
        keepsKeys = schema.hasKey(of: type.keyLayout)
        let numbers = type.currentIndexNumbers(of: schema) ?? []
        // What a layout makes of a record says nothing of what follows from it in another one.
        let isOfNewestLayout = type.newestVersion == schema.fieldsVersion
        let targets = numbers.compactMap { number -> OpenIndex? in
            guard let table = type.indexes[number], let database = indexes[number] else { return nil }
            let name = TableName(keyPrefix: schema.keyPrefix, table: TableNumber(rawValue: number))
            return OpenIndex(
                table.kind, number: number, database, seed: name.checksumSeed,
                isOfNewestLayout ? table.state : .empty)
        }
        self.indexes = targets.count == numbers.count ? targets : []
        fieldsVersion = schema.fieldsVersion
        checksumSeed = name.checksumSeed
    }
}
