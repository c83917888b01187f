// The links of records whose keys change. They are rewritten after the records, and replace the old links in the same
// transaction in which the records replace the old records.
//
// The rewrite of the records stores the new key of each record. The links of a record that is not stored get a key by
// the automatic rules, if the rules alone convert the key; otherwise, they are dropped.

import LMDB
import TroveCoding

extension TypeMigration {
    /// Returns the relations with links to the type's records.
    func linkRelations(_ context: ReadContext) -> [StoredRelation] {
        let prefix = type.schema.keyPrefix
        return context.relations.values.filter { $0.relation.hasEnd(prefix) }
            .sorted { $0.schema.keyPrefix < $1.schema.keyPrefix }
    }

    // MARK: New keys

    /// Stores the new keys of records.
    func write(_ pairs: [DistinctKeys.Pair], _ context: TransactionContext) throws {
        guard !pairs.isEmpty else { return }
        let name = TableName.newKeys(type.schema.keyPrefix)
        let table = try context.keyspace.createTable(named: name.text)
        for pair in pairs {
            var value = [UInt8](repeating: 0, count: StoredValue.headerSize) + pair.new
            StoredValue.seal(&value, source.fieldsVersion, key: pair.old, seed: name.checksumSeed)
            try context.keyspace.put(table, pair.old, value)
        }
    }

    /// Removes the new keys of an attempt without a catalog entry.
    func removeNewKeys(_ context: TransactionContext) throws { try context.removeNewKeys(type.schema.keyPrefix) }

    // MARK: Links

    /// Rewrites the next links of the records, after all records have been rewritten.
    ///
    /// - Returns: Whether all links have been rewritten.
    func rewriteLinks(
        _ context: TransactionContext, _ size: BatchSize, until deadline: ContinuousClock.Instant
    ) throws -> Bool {
        let name = TableName.newKeys(type.schema.keyPrefix)
        let newKeys = try context.keyspace.table(named: name.text)
        let dangling = danglingKeys
        let prefix = type.schema.keyPrefix
        for rewrite in try linkRewrites(context) {
            let relation = rewrite.source.relation
            let identifiers: LinkRewrite.Identifiers = { side, key in
                guard relation[side].keyPrefix == prefix else { return key }
                var new: [UInt8]?
                if let newKeys {
                    _ = try context.keyspace.withEntry(newKeys, key) { _, value in
                        new = copiedBytes(value.extracting(droppingFirst: StoredValue.headerSize))
                    }
                }
                return try new ?? dangling?.newKey(key)
            }
            let step = try rewrite.copyBatch(context, size, until: deadline, identifiers)
            guard step.isOver else { return false }
        }
        return true
    }

    /// Replaces the old links by the rewritten links.
    func finishLinks(_ context: TransactionContext) throws {
        for rewrite in try linkRewrites(context) { try rewrite.finish(context) }
        try removeNewKeys(context)
    }

    private func linkRewrites(_ context: ReadContext) throws -> [LinkRewrite] {
        try linkRelations(context).map { stored in
            let text = stored.schema.layout
            do throws(CodingError) {
                var layout = try RecordLayout(text)
                let key = try type.schema.parsedLayout().key
                for (place, side) in [LinkSide.first, .second].enumerated()
                where stored.relation[side].keyPrefix == type.schema.keyPrefix {
                    guard key.count == 1 else { throw CodingError(.malformed(expected: "a key with one component")) }
                    layout.key[place].type = key[0].type
                }
                let schema = RecordSchema(
                    stored.relation, name: stored.schema.qualifiedName, keyPrefix: stored.schema.keyPrefix, layout)
                let target = StoredRelation(stored.relation, schema, identifiers: layout.key.map(\.type))
                return LinkRewrite(source: stored, target: target, isSwapped: false)
            } catch {
                throw StoreError.schema(.layoutDamaged(type: stored.schema.name, layout: text, reason: error))
            }
        }
    }

    // MARK: Links to records that are not stored

    /// The conversion of the keys of records that are not stored; nil if they have none, or could get the key of a
    /// stored record.
    var danglingKeys: RecordConversion? {
        guard versions.allSatisfy({ $0.conversion?.keepsKeysDistinct == true }) else { return nil }
        do {
            let old = try RecordLayout(source.type.keyLayout + "{}")
            let new = RecordLayout(key: try type.schema.parsedLayout().key, fields: [])
            let conversion = try RecordConversion(from: old, to: new)
            return conversion.keepsKeysDistinct ? conversion : nil
        } catch {
            return nil
        }
    }

    /// Returns the number of links that are dropped, by their relation: links to records that are not stored, with
    /// keys that the automatic rules do not convert.
    ///
    /// - Complexity: O(*n*) in the number of links.
    func lostLinks(in context: ReadContext) throws -> [(relation: StoredRelation, count: Int)] {
        guard changesKeys else { return [] }
        let dangling = danglingKeys
        let prefix = type.schema.keyPrefix
        return try linkRelations(context).compactMap { stored in
            guard let links = try context.links(stored) else { return nil }
            let keys = try LinkKeys(links.table.type)
            var count = 0
            try context.keyspace.scan(links.table.database, ScanRange()) { key, _ in
                guard let ends = keys.ends(of: key) else { return .continue }
                let isLost = try LinkSide.allCases.contains { side in
                    guard stored.relation[side].keyPrefix == prefix else { return false }
                    if try context.keyspace.withEntry(source.database, ends[side], { _, _ in }) { return false }
                    return try dangling?.newKey(ends[side]) == nil
                }
                if isLost { count += 1 }
                return .continue
            }
            return count > 0 ? (stored, count) : nil
        }
    }
}

extension RecordConversion {
    /// Returns the new key for an old key without fields; nil if it does not convert.
    func newKey(_ key: [UInt8]) throws -> [UInt8]? {
        var new: [UInt8] = []
        do {
            let fields: [UInt8] = []
            try key.withRawSpan { key in
                try fields.withRawSpan { try convertKey(key: key, fields: $0, into: &new) }
            }
            return new
        } catch is ConversionError {
            return nil
        } catch is CodingError {
            return nil
        }
    }
}
