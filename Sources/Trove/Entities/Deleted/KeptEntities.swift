// The deleted entities of a type by bytes: no Swift type is needed. The ids in them follow the links of relations.

import LMDB
import TroveCoding

/// The table with the deleted entities of a type.
struct KeptEntities {
    /// The prefix of the deleted entities.
    let keyPrefix: UInt32
    let type: CatalogType
    let name: TableName
    private let records: Database
    /// The layouts of the records, by version.
    private let layouts: [UInt32: RecordLayout]

    /// - Parameter entityPrefix: The prefix of the entity type.
    /// - Returns: Nil if the store has no deleted entities of the type.
    /// - Throws: ``StoreError/SchemaError/layoutDamaged(type:layout:reason:)``.
    init?(of entityPrefix: UInt32, in context: ReadContext) throws {
        let entity = context.catalogSnapshot.recordTable(entityPrefix)?.type.qualifiedName
        let kind = FollowingKind.deleted
        // The name of the entity type has no module in the automatic prefix.
        let automatic = entity.map { SDBM.hash32(String($0.drop { $0 != "." }.dropFirst()) + kind.rawValue) }
        let prefixes = [kind.keyPrefix(following: entityPrefix)] + (automatic.map { [$0] } ?? [])
        let found = prefixes.lazy.compactMap { prefix in
            context.catalogSnapshot.recordTable(prefix).map { (prefix: prefix, table: $0) }
        }.first { $0.table.type.qualifiedName.hasSuffix(kind.rawValue) }
        guard let found else { return nil }
        let type = found.table.type
        keyPrefix = found.prefix
        self.type = type
        name = found.table.name
        records = found.table.records
        var layouts: [UInt32: RecordLayout] = [:]
        for version in type.possibleVersions {
            guard let text = type.layouts[version]?.text else { continue }
            do throws(CodingError) {
                layouts[version] = try RecordLayout(text)
            } catch {
                throw StoreError.schema(.layoutDamaged(type: type.qualifiedName, layout: text, reason: error))
            }
        }
        self.layouts = layouts
    }

    // MARK: Fields

    /// The end of the name of a field with ids of a relation that the program does not declare.
    static let foreignSuffix = "~foreign"

    /// Returns the name of the field with the ids of a relation.
    static func field(_ relation: String) -> String { "$" + relation }

    /// Returns the name of the relation whose ids a field has; nil if it has none.
    static func relation(of field: LayoutField) -> String? {
        field.name.hasPrefix("$") ? String(field.name.dropFirst()) : nil
    }

    /// Returns whether a field comes after the fields of the entity, by its name.
    static func isAdded(_ name: String) -> Bool { name.hasPrefix("$") || name == deletedAt }

    /// The name of the field with the time of the delete. No property of a type has it by default.
    static var deletedAt: String { "~deletedAt" }

    /// Returns the part of the version that belongs to the fields after the fields of the entity.
    static func hash(ofAddedFields fields: [String]) -> UInt32 { SDBM.hash32(fields.joined(separator: ",")) }

    /// Returns the places of the fields with ids of some relations.
    ///
    /// - Parameter ends: The ends of the deleted entities.
    func places(of ends: [LinkEnd], in layout: RecordLayout) -> [Int] {
        let count = layout.fields.reversed().prefix { Self.isAdded($0.name) }.count
        let names = Set(layout.fields.suffix(count).compactMap(Self.relation))
        return layout.fields.indices.suffix(count).filter { index in
            guard let name = Self.relation(of: layout.fields[index]) else { return false }
            return ends.contains { end in
                guard let property = end.property else { return false }
                return property == name || end.formerNames.contains(name) && !names.contains(property)
            }
        }
    }

    // MARK: Reading

    /// A deleted entity.
    struct Record {
        let key: [UInt8]
        let version: UInt32
        let layout: RecordLayout
        var fields: StoredFields
    }

    /// Calls a closure with each deleted entity that can be read.
    ///
    /// - Parameter start: The key after which the scan begins.
    func forEachRecord(
        _ keyspace: Keyspace, after start: [UInt8] = [], _ body: (Record) throws -> ScanControl
    ) throws {
        try keyspace.scan(records, ScanRange(after: start)) { key, value in
            guard StoredValue.isIntact(value, key: key, seed: name.checksumSeed),
                let version = StoredValue.version(of: value), let layout = layouts[version]
            else { return .continue }
            let fields: StoredFields
            do throws(CodingError) {
                fields = try layout.readFields(value.extracting(droppingFirst: StoredValue.headerSize))
            } catch {
                // A damaged record stays as it is.
                return .continue
            }
            return try body(Record(key: copiedBytes(key), version: version, layout: layout, fields: fields))
        }
    }

    /// Returns the number of deleted entities with ids of some relations.
    ///
    /// - Parameters:
    ///   - ends: The ends of the deleted entities.
    ///   - isCounted: Whether an id counts, by its key.
    func count(
        withIDsOf ends: [LinkEnd], _ keyspace: Keyspace, where isCounted: ([UInt8]) throws -> Bool = { _ in true }
    ) throws -> Int {
        guard layouts.values.contains(where: { !places(of: ends, in: $0).isEmpty }) else { return 0 }
        var count = 0
        try forEachRecord(keyspace) { record in
            if try places(of: ends, in: record.layout).contains(where: {
                try record.keys(at: $0).contains(where: isCounted)
            }) {
                count += 1
            }
            return .continue
        }
        return count
    }

    // MARK: Writing

    /// Replaces the ids of some relations in all deleted entities, in this transaction.
    ///
    /// - Parameters:
    ///   - ends: The ends of the deleted entities.
    ///   - keyType: The type of the new ids; nil if it stays the same.
    ///   - newKey: Returns the new key for an id; nil to drop the id.
    func replaceIDs(
        of ends: [LinkEnd], as keyType: LayoutType? = nil, _ context: TransactionContext,
        _ newKey: ([UInt8]) throws -> [UInt8]?
    ) throws {
        var replacements: [UInt32: Replacement] = [:]
        for (version, layout) in layouts {
            replacements[version] = Replacement(of: layout, version, places(of: ends, in: layout), as: keyType)
        }
        guard replacements.values.contains(where: { !$0.places.isEmpty }) else { return }
        try adopt(replacements, context)
        var last: [UInt8]? = []
        while let start = last {
            last = nil
            var chunk: [(key: [UInt8], value: [UInt8])] = []
            try forEachRecord(context.keyspace, after: start) { record in
                if let replacement = replacements[record.version], !replacement.places.isEmpty {
                    let value = try replacement.value(of: record, name.checksumSeed, newKey)
                    chunk.append((record.key, value))
                }
                guard chunk.count == Self.chunkSize else { return .continue }
                last = record.key
                return .stop
            }
            for (key, value) in chunk { try context.keyspace.put(records, key, value) }
        }
        context.noteAny(keyPrefix, type)
    }

    private static let chunkSize = 1024

    /// Enters the new layouts into the catalog, in the order of the old layouts.
    private func adopt(_ replacements: [UInt32: Replacement], _ context: TransactionContext) throws {
        guard replacements.contains(where: { $0.key != $0.value.version }) else { return }
        var type = type
        // A migration under way would miss the new ids.
        try context.endMigration(of: type, keyPrefix)
        let first = max(type.newestOrdinal, type.oldestOrdinal) + 1
        var ordinal = first
        for version in type.possibleVersions {
            guard let replacement = replacements[version] else { continue }
            type.layouts[replacement.version] = CatalogLayout(
                ordinal: ordinal, text: replacement.layout.description)
            ordinal += 1
        }
        type.oldestOrdinal = first
        try context.set(type, keyPrefix)
    }
}

extension KeptEntities.Record {
    /// Returns the keys of the ids in a field.
    func keys(at place: Int) throws -> [[UInt8]] {
        guard let type = layout.fields[place].type.referencedKey else { return [] }
        let key = RecordLayout(key: [LayoutField("id", type)], fields: [])
        return try fields.fields[place].value.referencedKeys.map { id in
            try key.writeKey(StoredFields([StoredFields.Field("id", id)]))
        }
    }
}

/// The replacement of ids in the records of a version.
private struct Replacement {
    let layout: RecordLayout
    let version: UInt32
    /// The places of the fields with the ids.
    let places: [Int]

    init(of old: RecordLayout, _ oldVersion: UInt32, _ places: [Int], as keyType: LayoutType?) {
        var new = old
        for place in places {
            guard let keyType else { continue }
            if case .array = old.fields[place].type {
                new.fields[place].type = .array(keyType)
            } else {
                new.fields[place].type = .optional(keyType)
            }
        }
        layout = new
        version = oldVersion ^ Self.hash(old) ^ Self.hash(new)
        self.places = places
    }

    private static func hash(_ layout: RecordLayout) -> UInt32 {
        let count = layout.fields.reversed().prefix { KeptEntities.isAdded($0.name) }.count
        return KeptEntities.hash(ofAddedFields: layout.fields.suffix(count).map(\.description))
    }

    /// Returns the stored value of a record with the new ids.
    func value(
        of record: KeptEntities.Record, _ seed: CRC32C, _ newKey: ([UInt8]) throws -> [UInt8]?
    ) throws -> [UInt8] {
        var fields = record.fields
        for place in places {
            let type = layout.fields[place].type
            guard let keyType = type.referencedKey else { continue }
            let key = RecordLayout(key: [LayoutField("id", keyType)], fields: [])
            let keys = try record.keys(at: place).compactMap(newKey).map { bytes in
                try bytes.withRawSpan { try key.readKey($0).fields[0].value }
            }
            fields.fields[place].value = FieldValue(referencing: keys, as: type)
        }
        var value = [UInt8](repeating: 0, count: StoredValue.headerSize) + (try layout.writeFields(fields))
        StoredValue.seal(&value, version, key: record.key, seed: seed)
        return value
    }
}
