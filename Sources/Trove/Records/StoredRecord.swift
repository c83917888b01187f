// What a store knows of itself: its types, and its records as named values, without the Swift types that wrote them.

import LMDB
import TroveCoding

/// A record type as a store knows it.
public struct StoredType: Sendable {
    /// The type's name behind that of its module, when it was last written.
    public let name: String
    /// The identity of the type in this store.
    public let keyPrefix: UInt32
    /// The names and types of the key's components.
    public let keyLayout: String
    /// Every layout with which records of the type were ever stored, by its version.
    public let layouts: [UInt32: String]
    /// The versions in the order in which they became the present one, which is the last.
    public let versions: [UInt32]
    /// The versions that records may have, in the same order: each from which not all records were rewritten.
    public let possibleVersions: [UInt32]
    /// How far the rewriting of its records is; nil where none is under way.
    public let migration: StoredMigration?
    /// How many records there are.
    public let count: Int
    /// The bytes of the pages that hold them.
    public let size: Int
    /// Its indexes and unique constraints, in the order in which they were made.
    public let indexes: [StoredIndex]
    let records: Database
    let checksumSeed: CRC32C
}

/// How far the rewriting of a type's records in a new layout is.
public struct StoredMigration: Hashable, Sendable {
    /// The version of that layout.
    public let version: UInt32
    /// How many records are rewritten.
    public let done: Int
    /// How many there were when it began.
    public let total: Int
    /// Whether the records get other keys, so that they appear in the new layout all at once, at the end.
    public let changesKeys: Bool
}

/// A record as it is stored: its key's components and its fields, by name.
public struct StoredRecord: Hashable, Sendable {
    /// The version of the layout with which it was written.
    public let fieldsVersion: UInt32
    /// The bytes of its key.
    public let key: [UInt8]
    /// The components of its key, then its other fields, in the order in which they are stored.
    public let fields: StoredFields

    /// The value of a property; nil where there was none of that name.
    public subscript(name: String) -> FieldValue? { fields[name] }

    /// The record as one JSON object on one line.
    public var json: String { fields.json }
}

/// Which keys a walk over stored records shows.
public struct StoredKeyRange: Hashable, Sendable {
    let range: ScanRange

    /// Makes a range of keys by their first components; without arguments, of all keys.
    ///
    /// - Parameters:
    ///   - type: Whose keys.
    ///   - lower: The first components of the least key in the range, as text; none for the first key of all.
    ///   - upper: The first components of the first key beyond it; none for the end.
    ///   - isDescending: Whether the walk goes from the greatest key to the least.
    /// - Throws: ``StoreError/wrongKeyComponents(type:given:key:)`` where there are more texts than components;
    ///   ``StoreError/notAComponent(type:component:layout:text:)`` where a text is no value of its component;
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
    /// The layout of a version; without one, that of the key alone.
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
    /// The types of which this snapshot knows, by name.
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

    /// Counts the records of a type by the version of the layout with which each was written.
    ///
    /// The checksum of each is verified.
    ///
    /// - Parameter type: One of ``storedTypes()``.
    /// - Throws: ``StoreError/checksumMismatch(type:key:)`` at a damaged record.
    /// - Complexity: O(*n*) in the number of records.
    public final func storedVersions(of type: StoredType) throws -> [UInt32: Int] {
        var counts: [UInt32: Int] = [:]
        try forEachStoredValue(of: type) { _, _, version in
            counts[version, default: 0] += 1
            return true
        }
        return counts
    }

    /// Shows the records of a type as they are stored, in constant memory.
    ///
    /// Each record is read by the layout with which it was written; nothing is migrated. The checksum of each is
    /// verified.
    ///
    /// - Parameters:
    ///   - type: One of ``storedTypes()``.
    ///   - range: Which of them; nil for all, in ascending order.
    ///   - body: Receives each record, and says whether to go on.
    /// - Throws: ``StoreError/checksumMismatch(type:key:)`` and ``StoreError/corrupted(type:key:reason:)`` at a damaged
    ///   record; ``StoreError/unknownLayout(type:layout:)`` at one with a field of a type that writes its bytes by hand,
    ///   and describes them by no more than a name; what the closure throws.
    /// - Complexity: O(log *n* + *m*) for *m* records shown of *n*.
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

    /// Shows the bytes of a type's records, whose checksums are right, and their versions.
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
