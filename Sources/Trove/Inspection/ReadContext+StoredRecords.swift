// Reads the types of a store, and its records as named values, without their Swift types.

import LMDB
import TroveCoding

extension ReadContext {
    /// Returns the types in this snapshot, sorted by name.
    ///
    /// - Throws: ``StoreError``.
    /// - Complexity: O(*t*) in the number of types.
    public final func storedTypes() throws -> [StoredType] {
        try translatingErrors {
            try flushParts()
            let types = try catalogSnapshot.recordTables.map { try storedType($0) }
            return types.sorted { ($0.name, $0.keyPrefix) < ($1.name, $1.keyPrefix) }
        }
    }

    /// Returns the types with some key prefixes, sorted by name. Prefixes without a type are left out.
    ///
    /// - Parameter name: The name of the only type wanted; nil for all.
    package final func storedTypes(_ keyPrefixes: Set<UInt32>, named name: String? = nil) throws -> [StoredType] {
        try translatingErrors {
            let tables = keyPrefixes.compactMap { catalogSnapshot.recordTable($0) }
            let types = try tables.filter { name == nil || $0.type.qualifiedName == name }.map { try storedType($0) }
            return types.sorted { ($0.name, $0.keyPrefix) < ($1.name, $1.keyPrefix) }
        }
    }

    private final func storedType(
        _ table: (type: CatalogType, name: TableName, records: Database)
    ) throws -> StoredType {
        let (type, name, records) = table
        let tree = try keyspace.statistics(of: records)
        return StoredType(
            name: type.qualifiedName, keyPrefix: name.keyPrefix, keyLayout: type.keyLayout,
            layouts: type.layouts.mapValues(\.text), versions: type.versions, possibleVersions: type.possibleVersions,
            migration: try catalogStorage().migration(name.keyPrefix).map { migration in
                StoredMigration(
                    version: migration.version, done: Int(migration.done), total: Int(migration.total),
                    changesKeys: migration.generation != type.generation)
            }, count: tree.entries, size: tree.size, indexes: try storedIndexes(of: type, name.keyPrefix),
            recordNumbers: try StoredFullText.Table(
                recordNumbersOf: name.keyPrefix, in: catalogSnapshot.indexParts(name.keyPrefix), keyspace),
            links: relations[name.keyPrefix].map { stored in
                StoredLinks(stored.relation) { catalogSnapshot.recordTable($0)?.type.qualifiedName }
            },
            records: records, checksumSeed: name.checksumSeed)
    }

    /// Counts the records of a type by the version of their layout.
    ///
    /// The checksum of each record is verified.
    ///
    /// - Parameter type: An element of ``storedTypes()``.
    /// - Throws: ``StoreError/RecordError/checksumMismatch(type:key:)`` for a damaged record.
    /// - Complexity: O(*n*) in the number of records.
    public final func storedVersions(of type: StoredType) throws -> [UInt32: Int] {
        var counts: [UInt32: Int] = [:]
        try forEachStoredValue(of: type) { _, _, version in
            counts[version, default: 0] += 1
            return true
        }
        return counts
    }

    /// Calls a closure with the stored records of a type, in constant memory.
    ///
    /// Each record is read in its own layout, without a migration. The checksum of each record is verified.
    ///
    /// - Parameters:
    ///   - type: An element of ``storedTypes()``.
    ///   - range: The keys to read; nil for all, in ascending order.
    ///   - conditions: Conditions on the records. Conditions of other types are left out.
    ///   - onDamage: Receives the error of each damaged record, which is then left out; nil to throw the error of the
    ///     first.
    ///   - body: Receives each record, and returns whether to continue.
    /// - Throws: ``StoreError/RecordError/checksumMismatch(type:key:)`` and
    ///   ``StoreError/RecordError/corrupted(type:key:reason:)`` for a damaged record;
    ///   ``StoreError/SchemaError/unknownLayout(type:layout:)`` for a record with a field whose type has a hand-written
    ///   coding, described by a name only; or the closure's error.
    /// - Complexity: O(log *n* + *m*) for *m* records read of *n*.
    public final func forEachStoredRecord(
        of type: StoredType, in range: StoredKeyRange? = nil, where conditions: [StoredCondition] = [],
        onDamage: ((StoreError) throws -> Void)? = nil, _ body: (StoredRecord) throws -> Bool
    ) throws {
        var reader = StoredRecordReader(type)
        let conditions = conditions.filter { $0.type == type.name }
        try translatingErrors {
            try keyspace.scan(type.records, range?.range ?? ScanRange()) { key, value in
                let record: StoredRecord
                do {
                    guard let version = try type.version(of: value, key: key) else { return .continue }
                    record = try reader.record(key, value, version: version)
                } catch let error as StoreError {
                    guard let onDamage, error.isOfDamagedRecord else { throw error }
                    try onDamage(error)
                    return .continue
                }
                guard conditions.allSatisfy({ $0.matches(record) }) else { return .continue }
                return try body(record) ? .continue : .stop
            }
        }
    }

    /// Returns the record with the bytes of a key; nil if there is none.
    ///
    /// - Throws: The errors of ``forEachStoredRecord(of:in:where:onDamage:_:)`` for a damaged record.
    package final func storedRecord(withKey key: [UInt8], of type: StoredType) throws -> StoredRecord? {
        var reader = StoredRecordReader(type)
        return try translatingErrors { try reader.record(key, in: keyspace) }
    }

    /// Calls a closure with the key of each record of a type, and with the record or the error of reading it.
    ///
    /// - Parameter body: Returns whether to continue.
    package final func forEachStoredResult(
        of type: StoredType, in range: StoredKeyRange,
        _ body: (_ key: [UInt8], _ record: Result<StoredRecord, any Error>) throws -> Bool
    ) throws {
        var reader = StoredRecordReader(type)
        try translatingErrors {
            try keyspace.scan(type.records, range.range) { key, value in
                let record: StoredRecord?
                do {
                    record = try type.version(of: value, key: key).map { try reader.record(key, value, version: $0) }
                } catch {
                    return try body(copiedBytes(key), .failure(error)) ? .continue : .stop
                }
                guard let record else { return .continue }
                return try body(record.key, .success(record)) ? .continue : .stop
            }
        }
    }

    /// Returns the type with a name; nil if there is none.
    package final func storedType(withName name: String) throws -> StoredType? {
        try translatingErrors {
            try catalogSnapshot.recordTables.first { $0.type.qualifiedName == name }.map { try storedType($0) }
        }
    }

    /// Returns the relations with links, sorted by name.
    package final func storedRelations() throws -> [StoredLinks] {
        try translatingErrors {
            let all = relations.values.map { stored in
                StoredLinks(stored.relation) { catalogSnapshot.recordTable($0)?.type.qualifiedName }
            }
            return all.sorted { $0.name < $1.name }
        }
    }

    /// Returns the stored bytes of a record with its header, without verifying them; nil if there is none.
    package final func storedBytes(withKey key: [UInt8], of type: StoredType) throws -> [UInt8]? {
        var bytes: [UInt8]?
        try translatingErrors {
            _ = try keyspace.withEntry(type.records, key) { _, value in bytes = copiedBytes(value) }
        }
        return bytes
    }

    /// Returns whether a record with the bytes of a key is stored.
    package final func hasRecord(withKey key: [UInt8], of type: StoredType) throws -> Bool {
        try translatingErrors { try keyspace.withEntry(type.records, key) { _, _ in } }
    }

    /// Returns the number of commits with changes up to this snapshot, as ``Store/commitSequence``.
    package final func storedCommitSequence() throws -> UInt64 {
        try translatingErrors { try catalogStorage().number(.commitSequence) }
    }

    /// Calls a closure with the bytes and the version of each record of a type, after verifying its checksum.
    final func forEachStoredValue(
        of type: StoredType, in range: StoredKeyRange? = nil,
        _ body: (_ key: RawSpan, _ value: RawSpan, _ version: UInt32) throws -> Bool
    ) throws {
        try translatingErrors {
            try keyspace.scan(type.records, range?.range ?? ScanRange()) { key, value in
                guard let version = try type.version(of: value, key: key) else { return .continue }
                return try body(key, value, version) ? .continue : .stop
            }
        }
    }
}

extension StoreError {
    /// Whether the bytes of a record are damaged.
    var isOfDamagedRecord: Bool {
        switch self {
        case .record(.checksumMismatch), .record(.corrupted): true
        default: false
        }
    }
}
