// The types of a store, and its records as named values, read without the Swift types that wrote them.

import LMDB
import TroveCoding

/// A record type, as the catalog describes it.
public struct StoredType: Sendable {
    /// The type's name with its module, as of the last write.
    public let name: String
    /// The identity of the type in this store.
    public let keyPrefix: UInt32
    /// The names and types of the key components.
    public let keyLayout: String
    /// Every layout of the type's records so far, by version.
    public let layouts: [UInt32: String]
    /// The versions in the order in which they became current. The last version is current.
    public let versions: [UInt32]
    /// The possible versions of records, in the same order. Versions whose records have all been migrated are left out.
    public let possibleVersions: [UInt32]
    /// The migration under way; nil if there is none.
    public let migration: StoredMigration?
    /// The number of records.
    public let count: Int
    /// The size of the record table's pages in bytes.
    public let size: Int
    /// The indexes and unique constraints, in the order of their creation.
    public let indexes: [StoredIndex]
    let records: Database
    let checksumSeed: CRC32C
}

/// The state of a migration of a type's records to a new layout.
public struct StoredMigration: Hashable, Sendable {
    /// The version of the new layout.
    public let version: UInt32
    /// The number of records migrated.
    public let done: Int
    /// The number of records at the beginning of the migration.
    public let total: Int
    /// Whether the migration changes keys. Then the records appear in the new layout all at once, at the end.
    public let changesKeys: Bool
}

/// A record as it is stored: its key components and its fields, by name.
public struct StoredRecord: Hashable, Sendable {
    /// The version of the record's layout.
    public let fieldsVersion: UInt32
    /// The bytes of the key.
    public let key: [UInt8]
    /// The key components, then the other fields, in their stored order.
    public let fields: StoredFields

    /// Returns the value of a property; nil if the record has no property with that name.
    public subscript(name: String) -> FieldValue? { fields[name] }

    /// The record as a JSON object on a single line.
    public var json: String { fields.json }
}

/// A range of keys of stored records.
public struct StoredKeyRange: Hashable, Sendable {
    let range: ScanRange

    /// Creates a range from the first components of its bounds; without arguments, the range of all keys.
    ///
    /// - Parameters:
    ///   - type: The type of the records.
    ///   - lower: The first components of the lower bound, as text; empty to begin with the first key.
    ///   - upper: The first components of the upper bound, which is not in the range; empty for no upper bound.
    ///   - isDescending: Whether the records are read from the greatest key to the least.
    /// - Throws: ``StoreError/wrongKeyComponents(type:given:key:)`` if there are more texts than components;
    ///   ``StoreError/notAComponent(type:component:layout:text:)`` if a text is not a value of its component;
    ///   ``StoreError/keyTooLarge(type:size:limit:)``.
    public init(
        of type: StoredType, from lower: [String] = [], upTo upper: [String] = [], isDescending: Bool = false
    ) throws {
        let layout = try type.layout(of: nil)
        range = ScanRange(
            from: try type.keyBytes(lower, layout), upTo: upper.isEmpty ? nil : try type.keyBytes(upper, layout),
            isDescending: isDescending)
    }
}

extension StoredType {
    /// Returns the layout of a version; for nil, the layout of the key alone.
    func layout(of version: UInt32?) throws -> RecordLayout {
        guard let text = version.map({ layouts[$0] }) ?? keyLayout + "{}" else {
            throw StoreError.unsupportedMigration(type: name, version: version ?? 0)
        }
        do {
            return try RecordLayout(text)
        } catch {
            throw StoreError.corrupted(type: name, key: [], reason: error)
        }
    }

    fileprivate func keyBytes(_ texts: [String], _ layout: RecordLayout) throws -> [UInt8] {
        guard texts.count <= layout.key.count else {
            throw StoreError.wrongKeyComponents(
                type: name, given: texts.joined(separator: ","), key: keyLayout)
        }
        do {
            let components = RecordLayout(key: Array(layout.key.prefix(texts.count)), fields: [])
            var values = StoredFields()
            for (component, text) in zip(components.key, texts) {
                values.fields.append(StoredFields.Field(component.name, try value(of: component, text)))
            }
            return try components.writeKey(values)
        } catch let error as CodingError {
            throw StoreError(writing: name, error)
        }
    }

    private func value(of component: LayoutField, _ text: String) throws -> FieldValue {
        do {
            return try FieldValue(text: text, as: component.type)
        } catch {
            throw StoreError.notAComponent(
                type: name, component: component.name, layout: "\(component.type)", text: text)
        }
    }
}

extension ReadContext {
    /// Returns the types in this snapshot, sorted by name.
    ///
    /// - Throws: ``StoreError``.
    /// - Complexity: O(*t*) in the number of types.
    public final func storedTypes() throws -> [StoredType] {
        try translatingErrors {
            let catalog = try catalogStorage()
            let types = try image.recordTables.map { type, name, records in
                let tree = try keyspace.statistics(of: records)
                return StoredType(
                    name: type.qualifiedName, keyPrefix: name.keyPrefix, keyLayout: type.keyLayout,
                    layouts: type.layouts.mapValues(\.text), versions: type.versions,
                    possibleVersions: type.possibleVersions,
                    migration: try catalog.migration(name.keyPrefix).map { migration in
                        StoredMigration(
                            version: migration.version, done: Int(migration.done), total: Int(migration.total),
                            changesKeys: migration.generation != type.generation)
                    }, count: tree.entries,
                    size: tree.size, indexes: try storedIndexes(of: type, name.keyPrefix),
                    records: records, checksumSeed: name.checksumSeed)
            }
            return types.sorted { ($0.name, $0.keyPrefix) < ($1.name, $1.keyPrefix) }
        }
    }

    /// Counts the records of a type by the version of their layout.
    ///
    /// The checksum of each record is verified.
    ///
    /// - Parameter type: An element of ``storedTypes()``.
    /// - Throws: ``StoreError/checksumMismatch(type:key:)`` for a damaged record.
    /// - Complexity: O(*n*) in the number of records.
    public final func storedVersions(of type: StoredType) throws -> [UInt32: Int] {
        var counts: [UInt32: Int] = [:]
        try forEachStoredValue(of: type) { _, _, version in
            counts[version, default: 0] += 1
            return true
        }
        return counts
    }

    /// Calls a closure with the records of a type as they are stored, in constant memory.
    ///
    /// Each record is read in its own layout, without a migration. The checksum of each record is verified.
    ///
    /// - Parameters:
    ///   - type: An element of ``storedTypes()``.
    ///   - range: The keys to read; nil for all, in ascending order.
    ///   - body: Receives each record, and returns whether to continue.
    /// - Throws: ``StoreError/checksumMismatch(type:key:)`` and ``StoreError/corrupted(type:key:reason:)`` for a
    ///   damaged record; ``StoreError/unknownLayout(type:layout:)`` for a record with a field whose type writes its
    ///   bytes by hand and describes them only by a name; or the closure's error.
    /// - Complexity: O(log *n* + *m*) for *m* records read of *n*.
    public final func forEachStoredRecord(
        of type: StoredType, in range: StoredKeyRange? = nil, _ body: (StoredRecord) throws -> Bool
    ) throws {
        var layouts: [UInt32: RecordLayout] = [:]
        try forEachStoredValue(of: type, in: range) { key, value, version in
            let layout = try layouts[version] ?? type.layout(of: version)
            layouts[version] = layout
            let fields: StoredFields
            do throws(CodingError) {
                fields = try layout.read(key: key, fields: value.extracting(droppingFirst: StoredValue.headerSize))
            } catch {
                throw StoreError(reading: type.name, key: copiedBytes(key), error)
            }
            return try body(StoredRecord(fieldsVersion: version, key: copiedBytes(key), fields: fields))
        }
    }

    /// Calls a closure with the bytes and the version of each record of a type, after verifying its checksum.
    private final func forEachStoredValue(
        of type: StoredType, in range: StoredKeyRange? = nil,
        _ body: (_ key: RawSpan, _ value: RawSpan, _ version: UInt32) throws -> Bool
    ) throws {
        try translatingErrors {
            try keyspace.scan(type.records, range?.range ?? ScanRange()) { key, value in
                guard StoredValue.isIntact(value, key: key, seed: type.checksumSeed) else {
                    throw StoreError.checksumMismatch(type: type.name, key: copiedBytes(key))
                }
                guard let version = StoredValue.version(of: value) else { return .continue }
                return try body(key, value, version) ? .continue : .stop
            }
        }
    }
}
