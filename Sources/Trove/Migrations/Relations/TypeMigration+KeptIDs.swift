// The ids in deleted entities that lead to records whose keys change. They get the new keys in the same transaction in
// which the records replace the old records.
//
// The id of a stored record becomes the new key of the record. The id of a deleted record becomes the key that the
// deleted record gets. Any other id gets a key by the automatic rules, if the rules alone convert the key; otherwise,
// it is dropped.

import LMDB
import TroveCoding

extension TypeMigration {
    /// Returns the deleted entities with ids of the type's records, and the ends of their relations.
    private func keptReferences(_ context: ReadContext) throws -> [(kept: KeptEntities, ends: [LinkEnd])] {
        let prefix = type.schema.keyPrefix
        var ends: [UInt32: [LinkEnd]] = [:]
        for stored in linkRelations(context) {
            for side in LinkSide.allCases {
                let (end, other) = (stored.relation[side], stored.relation[side.other])
                if other.keyPrefix == prefix, end.property != nil { ends[end.keyPrefix, default: []].append(end) }
            }
        }
        return try ends.sorted { $0.key < $1.key }.compactMap { owner, ends in
            try KeptEntities(of: owner, in: context).map { ($0, ends) }
        }
    }

    /// Gives the ids in deleted entities the new keys of the type's records, after all records have been rewritten.
    func rewriteIDs(_ context: TransactionContext) throws {
        let references = try keptReferences(context)
        guard let keyType = try type.schema.parsedLayout().key.first?.type, !references.isEmpty else { return }
        let newKeys = try context.keyspace.table(named: TableName.newKeys(type.schema.keyPrefix).text)
        let deleted = try deletedRecords(context)
        let dangling = danglingKeys
        for (kept, ends) in references {
            try kept.replaceIDs(of: ends, as: keyType, context) { key in
                var new: [UInt8]?
                if let newKeys {
                    _ = try context.keyspace.withEntry(newKeys, key) { _, value in
                        new = copiedBytes(value.extracting(droppingFirst: StoredValue.headerSize))
                    }
                }
                return try new ?? deleted?.newKey(of: key, context.keyspace) ?? dangling?.newKey(key)
            }
        }
    }

    /// Returns the ids in deleted entities that are dropped, as losses.
    ///
    /// - Complexity: O(*n*) in the number of deleted entities.
    func lostIDs(in context: ReadContext) throws -> [FieldLoss] {
        guard changesKeys else { return [] }
        let deleted = try deletedRecords(context)
        let dangling = danglingKeys
        return try keptReferences(context).flatMap { kept, ends in
            try ends.compactMap { end -> FieldLoss? in
                let count = try kept.count(withIDsOf: [end], context.keyspace) { key in
                    if try context.keyspace.withEntry(source.database, key, { _, _ in }) { return false }
                    return try deleted?.newKey(of: key, context.keyspace) == nil && dangling?.newKey(key) == nil
                }
                let field = KeptEntities.field(end.property ?? "")
                return count > 0 ? FieldLoss(type: kept.type.qualifiedName, field: field, records: count) : nil
            }
        }
    }

    /// Returns the deleted records of the type; nil if the program does not declare that they are kept, or if the store
    /// has none under the old keys.
    private func deletedRecords(_ context: ReadContext) throws -> DeletedRecords? {
        let types = self.type.schema.entity?.type.followingTypes ?? []
        guard let deleted = types.first(where: { $0 is any DeletedEntity.Type }) else { return nil }
        let schema = deleted.schema
        guard let (stored, name, records) = context.catalogSnapshot.recordTable(schema.keyPrefix),
            stored.keyLayout == source.type.keyLayout
        else { return nil }
        let table = RecordTable(
            schema, database: records, name: name, type: stored, indexes: [:], parts: [:], catalog: context.catalog,
            relations: try schema.tableRelations(among: context.relations, in: context.catalogSnapshot).allDeclared,
            verifiesChecksums: true)
        return DeletedRecords(type: deleted, table: table)
    }
}

/// The deleted records of a type whose keys change.
private struct DeletedRecords {
    let type: any IndexKeyRecord.Type
    let table: RecordTable

    /// Returns the key that a deleted record gets; nil if there is no such record, or if it does not convert.
    func newKey(of key: [UInt8], _ keyspace: Keyspace) throws -> [UInt8]? {
        var new: [UInt8]?
        _ = try keyspace.withEntry(table.database, key) { key, value in
            do {
                let version = try table.version(of: key, value)
                let fields = value.extracting(droppingFirst: StoredValue.headerSize)
                var record = EncodedRecord()
                let method = try type.method(for: key, fields, from: version, in: table)
                try type.rewrite(key, fields, from: version, by: method, in: table, into: &record)
                new = record.key
            } catch is StoreError {
                // The migration of the deleted records reports it.
            }
        }
        return new
    }
}
