// The stamps of entities whose keys change. They move to a table of the other generation in the transaction in which
// the entities with new keys replace the old entities.

import LMDB
import TroveCoding

extension TypeMigration {
    /// Returns the table of the stamps of the entities; nil if the type is not an entity type, or has no stamps.
    func stamps(_ context: TransactionContext) throws -> (schema: RecordSchema, type: CatalogType, name: TableName)? {
        guard let schema = type.schema.entity?.type.stampSchema,
            let stored = try context.catalogStorage().type(schema.keyPrefix)
        else { return nil }
        return (schema, stored, TableName(keyPrefix: schema.keyPrefix, generation: stored.generation))
    }

    /// Gives the stamps the new keys of their entities. Stamps without an entity are dropped.
    func moveStamps(_ context: TransactionContext) throws {
        guard let (schema, type, name) = try stamps(context), !schema.hasKey(of: type.keyLayout) else { return }
        var stored = type
        let moved = try movedStamps(context, name)
        let target = try context.keyspace.createTable(named: name.other.text)
        try context.keyspace.deleteAll(target)
        for (key, fields) in moved {
            var value = [UInt8](repeating: 0, count: StoredValue.headerSize) + fields
            StoredValue.seal(&value, schema.fieldsVersion, key: key, seed: name.other.checksumSeed)
            try context.keyspace.put(target, key, value)
        }
        try context.keyspace.deleteAll(context.keyspace.createTable(named: name.text))
        stored.generation = name.other.generation
        stored.keyLayout = schema.keyLayout
        stored.adopt(schema)
        stored.oldestOrdinal = stored.newestOrdinal
        for number in stored.indexes.keys { try context.empty(number, of: &stored, schema.keyPrefix) }
        try context.catalogStorage().setMigration(schema.keyPrefix, nil)
        try context.set(stored, schema.keyPrefix)
        context.noteAny(schema.keyPrefix, stored)
    }

    /// Returns the new keys and the fields of the stamps, in the order of the old keys.
    private func movedStamps(
        _ context: TransactionContext, _ name: TableName
    ) throws -> [(key: [UInt8], fields: [UInt8])] {
        let keyspace = context.keyspace
        guard let stamps = try keyspace.table(named: name.text),
            let newKeys = try keyspace.table(named: TableName.newKeys(type.schema.keyPrefix).text)
        else { return [] }
        var old: [(key: [UInt8], fields: [UInt8])] = []
        try keyspace.scan(stamps, ScanRange()) { key, value in
            guard StoredValue.isIntact(value, key: key, seed: name.checksumSeed) else { return .continue }
            old.append((copiedBytes(key), copiedBytes(value.extracting(droppingFirst: StoredValue.headerSize))))
            return .continue
        }
        return try old.compactMap { stamp in
            var new: [UInt8]?
            _ = try keyspace.withEntry(newKeys, stamp.key) { _, value in
                new = copiedBytes(value.extracting(droppingFirst: StoredValue.headerSize))
            }
            return new.map { ($0, stamp.fields) }
        }
    }
}

extension EntityModelProtocol {
    /// The schema of the stamps of the type's entities.
    fileprivate static var stampSchema: RecordSchema { EntityMetadata<Self>.schema }
}
