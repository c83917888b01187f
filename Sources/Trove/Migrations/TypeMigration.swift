// The migration of a record type, planned in a read transaction before any write.

import LMDB
import TroveCoding

/// The migration of a type's records to its current layout.
final class TypeMigration: Sendable {
    /// The records of a version.
    struct Version: Sendable {
        let version: UInt32
        /// The number of records: at least 1, but incomplete if the versions were not counted.
        var count: Int
        /// The method for reading the records, or the error of reading them.
        let method: Result<MigrationMethod, any Error>
    }

    let type: any IndexKeyRecord.Type
    /// The table with the records.
    let source: RecordTable
    let name: TableName
    /// The number of records, including the records in the current layout.
    let count: Int
    /// The older versions with records, the oldest first.
    let versions: [Version]

    init(
        _ type: any IndexKeyRecord.Type, from source: RecordTable, name: TableName, count: Int, versions: [Version]
    ) {
        self.type = type
        self.source = source
        self.name = name
        self.count = count
        self.versions = versions
    }

    /// The type's name in this program, with its module.
    var typeName: String { type.schema.qualifiedName }

    /// Whether the records get new keys, and so a new table.
    var changesKeys: Bool { !source.keepsKeys }

    /// Whether an older layout becomes the newest layout again.
    var isDowngrade: Bool { source.type.hasNewerLayout(than: type.schema) }

    /// Whether the store has undeclared indexes of the type: nothing may be written until they are dropped.
    var hasUndeclaredIndexes: Bool {
        !source.type.undeclaredIndexes(by: type.schema).isEmpty || !source.relations.undeclared.isEmpty
    }

    /// Whether the records follow the records of an entity type: its stamps, or its deleted entities.
    var isFollowing: Bool { type is any FollowingRecord.Type }

    /// Whether the records stay as they are until their relations are declared or dropped, or until a newer layout is
    /// given up. They keep no other type from being used.
    ///
    /// - Parameter allowsOlderLayout: Whether a newer layout is given up.
    func isDeferred(allowingOlderLayout allowsOlderLayout: Bool) -> Bool {
        isFollowing && (hasUndeclaredIndexes || isDowngrade && !allowsOlderLayout)
    }

    /// Whether all records already have the current layout, although the catalog does not say so yet.
    var isTrivial: Bool { versions.isEmpty && !changesKeys && !isDowngrade }

    /// Whether records may fail to convert, or get the same key.
    var canFail: Bool { canCollide || versions.contains { $0.canFail } }

    /// Whether two records can get the same key. Each version may keep its keys distinct by a different component.
    var canCollide: Bool { changesKeys && (versions.count > 1 || !versions.allSatisfy(\.keepsKeysDistinct)) }

    /// Throws if a version is known not to convert.
    func check() throws {
        for version in versions { _ = try version.method.get() }
    }
}

extension TypeMigration.Version {
    fileprivate var canFail: Bool { conversion?.canFail ?? true }

    fileprivate var keepsKeysDistinct: Bool { conversion?.keepsKeysDistinct ?? false }

    /// Whether the type converts the records itself.
    var isConvertedByItsType: Bool {
        switch method {
        case .success(.initializer), .success(.function): true
        case .success(.rules), .failure: false
        }
    }

    /// The conversion by the automatic rules; nil if the type converts the records itself, or no method applies.
    var conversion: RecordConversion? {
        guard case .success(.rules(let migration)) = method else { return nil }
        do throws(StoreError) {
            return try migration.conversion
        } catch {
            return nil
        }
    }
}

extension TypeMigration {
    /// Returns the migration of a type's records; nil if all of them have its current layout.
    ///
    /// - Parameter countsVersions: Whether every record is read, to count the records of each version. Otherwise, the
    ///   scan stops after every possible version has been found.
    /// - Throws: ``StoreError`` if the type contradicts the stored type.
    static func find(_ type: any IndexKeyRecord.Type, in store: Store, countsVersions: Bool) throws -> TypeMigration? {
        guard let found = try store.readToEnd({ try $0.recordsToMigrate(of: type) }) else { return nil }
        let (source, name, count) = found
        // Stamps get new keys together with their entities.
        if !source.keepsKeys, type is any StampRecord.Type { return nil }
        let versions = try versions(in: source, of: type, store, areCounted: countsVersions)
        return TypeMigration(type, from: source, name: name, count: count, versions: versions)
    }

    /// Returns the older versions with records, the oldest first.
    private static func versions(
        in table: RecordTable, of type: any IndexKeyRecord.Type, _ store: Store, areCounted: Bool
    ) throws -> [Version] {
        let present = table.schema.fieldsVersion
        var unseen = Set(table.type.possibleVersions).subtracting([present])
        var found: [UInt32: Version] = [:]
        try scan(table, in: store) { key, value in
            let version = try table.version(of: key, value)
            guard version != present else { return .continue }
            if let known = found[version] {
                found[version]?.count = known.count + 1
                return .continue
            }
            try table.verify(key, value)
            let fields = value.extracting(droppingFirst: StoredValue.headerSize)
            let method = Result {
                let method = try type.method(for: key, fields, from: version, in: table)
                if case .rules(let migration) = method { _ = try migration.conversion }
                return method
            }
            found[version] = Version(version: version, count: 1, method: method)
            unseen.remove(version)
            return areCounted || !unseen.isEmpty ? .continue : .stop
        }
        return table.type.versions.compactMap { found.removeValue(forKey: $0) } + found.values
    }
}

extension ReadContext {
    /// Returns the stored table of a type, whatever its keys and layout; nil if there is none. The type stays
    /// undeclared.
    ///
    /// - Throws: ``StoreError`` if the type contradicts the stored type.
    final func storedTable(of schema: RecordSchema) throws -> (table: RecordTable, name: TableName)? {
        guard let (stored, name, records) = catalogSnapshot.recordTable(schema.keyPrefix) else { return nil }
        try catalog.checkIdentity(schema, against: stored, in: catalogSnapshot)
        let table = RecordTable(
            schema, database: records, name: name, type: stored, indexes: catalogSnapshot.indexes(schema.keyPrefix),
            parts: catalogSnapshot.indexParts(schema.keyPrefix), catalog: catalog,
            relations: try schema.tableRelations(among: relations, in: catalogSnapshot), verifiesChecksums: true)
        return (table, name)
    }

    /// Returns the table and the number of a type's records; nil if all of them have its current layout.
    fileprivate final func recordsToMigrate(
        of type: any IndexKeyRecord.Type
    ) throws -> (source: RecordTable, name: TableName, count: Int)? {
        try translatingErrors {
            let schema = type.schema
            guard let (source, name) = try storedTable(of: schema) else { return nil }
            let stored = source.type
            if source.keepsKeys, stored.newestVersion == schema.fieldsVersion, stored.isMigrated { return nil }
            let count = try keyspace.count(source.database)
            if source.keepsKeys, !stored.hasNewerLayout(than: schema), count == 0 { return nil }
            return (source, name, count)
        }
    }
}
