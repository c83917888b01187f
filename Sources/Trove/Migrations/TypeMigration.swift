// What must happen to the records of one type: found out in a read, before anything is touched.

import LMDB
import TroveCoding

/// The migration of one type's records to its present layout.
final class TypeMigration: Sendable {
    /// The records of one version.
    struct Version: Sendable {
        let version: UInt32
        /// How many there are; some of them, where they were not counted.
        var count: Int
        /// How they are read, or why they are not.
        let method: Result<MigrationMethod, any Error>
    }

    let type: AnyRecordType
    /// Where the records are.
    let source: RecordTable
    let name: TableName
    /// How many records there are, those of the present layout among them.
    let count: Int
    /// The old versions of which there are records.
    let versions: [Version]

    init(_ type: AnyRecordType, _ source: RecordTable, _ name: TableName, count: Int, _ versions: [Version]) {
        self.type = type
        self.source = source
        self.name = name
        self.count = count
        self.versions = versions
    }

    /// The type's name in this program, with its module.
    var typeName: String { type.schema.qualifiedName }

    /// Whether the records get other keys, and with them a new table.
    var changesKeys: Bool { !source.keepsKeys }

    /// Whether an older layout is to become the newest again.
    var isDowngrade: Bool { source.type.hasNewerLayout(than: type.schema) }

    /// Whether nothing may be written before the tables that the type does not declare are given up.
    var hasUndeclaredTables: Bool { !source.type.undeclaredIndexes(by: type.schema).isEmpty }

    /// Whether every record turned out to have the present layout, which the catalog does not say yet.
    var isTrivial: Bool { versions.isEmpty && !changesKeys && !isDowngrade }

    /// Whether there can be records that do not convert, or that would have the same key.
    var canFail: Bool { canCollide || versions.contains { $0.canFail } }

    /// Whether two records can get the same key. What keeps the keys of each of two versions distinct may be different.
    var canCollide: Bool { changesKeys && (versions.count > 1 || !versions.allSatisfy(\.keepsKeysDistinct)) }

    /// Refuses what is known not to convert.
    func check() throws {
        for version in versions { _ = try version.method.get() }
    }
}

extension TypeMigration.Version {
    fileprivate var canFail: Bool { conversion?.canFail ?? true }

    fileprivate var keepsKeysDistinct: Bool { conversion?.keepsKeysDistinct ?? false }

    /// What the automatic rules do; nil where the type does it by hand, or nothing can be done.
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
    /// What must happen to a type's records; nil where all of them have its present layout.
    ///
    /// - Parameter countsVersions: Whether every record is looked at, to count those of each version; otherwise as many
    ///   as it takes to meet every version that there can be.
    /// - Throws: ``StoreError`` where the type contradicts what is stored.
    static func find(_ type: AnyRecordType, in store: Store, countsVersions: Bool) throws -> TypeMigration? {
        guard let found = try store.read({ try $0.recordsToMigrate(of: type) }) else { return nil }
        let (source, name, count) = found
        let versions = try versions(in: source, of: type, store, areCounted: countsVersions)
        return TypeMigration(type, source, name, count: count, versions)
    }

    /// The old versions of which there are records, the oldest first.
    private static func versions(
        in table: RecordTable, of type: AnyRecordType, _ store: Store, areCounted: Bool
    ) throws -> [Version] {
        let present = table.schema.fieldsVersion
        var unseen = Set(table.type.possibleVersions).subtracting([present])
        var found: [UInt32: Version] = [:]
        try walk(table, in: store) { key, value in
            let version = try table.version(of: key, value)
            guard version != present else { return .continue }
            if let known = found[version] {
                found[version]?.count = known.count + 1
                return .continue
            }
            try table.verify(key, value)
            let fields = value.extracting(droppingFirst: StoredValue.headerSize)
            let method = Result {
                let method = try type.findMethod(key, fields, version, table)
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
    /// Where the records of a type are, and how many; nil where all of them have its present layout.
    fileprivate final func recordsToMigrate(
        of type: AnyRecordType
    ) throws -> (source: RecordTable, name: TableName, count: Int)? {
        try translatingErrors {
            let schema = type.schema
            guard let (stored, name, records) = image.recordTable(schema.keyPrefix) else { return nil }
            try catalog.checkIdentity(schema, against: stored, in: image)
            let source = RecordTable(
                schema, records, name, stored, image.indexes(schema.keyPrefix), catalog, verifiesChecksums: true
            )
            if source.keepsKeys, stored.newestVersion == schema.fieldsVersion, stored.isMigrated { return nil }
            let count = try keyspace.count(records)
            if source.keepsKeys, !stored.hasNewerLayout(than: schema), count == 0 { return nil }
            return (source, name, count)
        }
    }
}
