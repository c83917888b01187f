// The tables of a stored type, for code that reads entries in place.

import LMDB
import TroveCoding

/// The record table of a type and its indexes, with all that their bytes need to be read without the Swift type.
package struct StoredTable: Sendable {
    /// The type's name with its module.
    package let name: String
    /// The identity of the type in the store.
    package let keyPrefix: UInt32
    /// The layout of the stored keys, as text.
    package let keyLayout: String
    /// The layouts by version.
    package let layouts: [UInt32: RecordLayout]
    /// The possible versions of records, the newest last.
    package let versions: [UInt32]
    /// The layout of the declared type, with its migration rules; nil if the program does not declare the newest
    /// layout.
    package let declared: RecordLayout?
    /// The Swift type, whose layout can differ from the newest; nil if the program does not use it.
    package let type: (any IndexKeyRecord.Type)?
    /// The records; nil for a declared type without a table.
    package let records: Database?
    /// The indexes that have entries of all records, in the order of their creation.
    package let indexes: [Index]
    /// The indexes of the elements of a single property, with an entry for each distinct element of each record.
    package let elementIndexes: [Index]
    /// The indexes with a condition that is known: of the declared type, with ranges of properties alone.
    package let partialIndexes: [Index]
    /// The indexes of totals that have all records.
    package let totals: [StoredTotals]
    /// The stored names of the properties of each full-text index.
    package let fullTexts: [[String]]
    let checksumSeed: CRC32C

    /// An index whose entries begin with the values of its properties and end with the key of the record.
    package struct Index: Sendable {
        /// A property of an index.
        package struct Column: Sendable {
            /// The stored name.
            package let property: String
            /// Whether the bytes are those of the property as a key component, in either direction.
            package let isKey: Bool
            /// Whether the greatest value comes first.
            package let isDescending: Bool

            init(_ column: IndexColumn) {
                property = column.property
                isKey = [.key, .descendingKey, .element].contains(column.form)
                isDescending = column.form == .descendingKey
            }
        }

        /// The name, such as `index(age)`.
        package let name: String
        /// The properties.
        package let columns: [Column]
        /// Whether no two records have the same values.
        package let isUnique: Bool
        /// Whether a record with nil has no entry.
        package let omitsNil: Bool
        /// The conditions, all of which a record with entries fulfills. Each record that fulfills them has entries.
        package let conditions: [Condition]
        /// The entries.
        package let entries: Database
        /// The counts of the entries; nil for an index that is not ranked.
        package let ranks: StoredRanks?
        private let checksumSeed: CRC32C

        /// A condition of an index on a property.
        package struct Condition: Sendable {
            /// The stored name of the property.
            package let property: String
            /// The ranges of the property as a key component that fulfill the condition.
            package let ranges: [KeyRange]
        }

        /// The number of bytes of a long entry before its hash.
        package static var headSize: Int { IndexEntries.headSize }

        /// Creates an index; nil for an index that does not have the entries of all records, or of another kind.
        ///
        /// - Parameters:
        ///   - ofElements: Whether the only column has the elements of a property.
        ///   - conditions: The conditions of an index with a condition; nil for another index.
        init?(
            _ found: FoundIndex, in layout: RecordLayout, ofElements: Bool, conditions: [Condition]? = nil
        ) {
            let stored = found.stored
            guard stored.isReady, stored.kind.isOrderedByColumns,
                let definition = IndexDefinition(parsing: stored.definition, in: layout),
                (definition.condition == nil) == (conditions == nil),
                definition.columns.contains(where: { $0.form == .element }) == ofElements,
                !ofElements || definition.columns.count == 1
            else { return nil }
            self.name = stored.text
            self.conditions = conditions ?? []
            columns = definition.columns.map(Column.init)
            isUnique = stored.kind.isUnique && !stored.mayHaveDuplicates
            omitsNil = !stored.kind.indexesNil
            entries = found.entries
            ranks = stored.kind.isRanked ? StoredRanks(found.open) : nil
            checksumSeed = found.name.checksumSeed
        }

        /// Returns the key of the record of a long entry; nil if its value is damaged.
        package func recordKey(ofLong entry: Entry) -> ByteView? {
            StoredEntry.recordKey(of: entry, seed: checksumSeed)
        }
    }

    /// An index of the catalog, with its tables.
    struct FoundIndex {
        let stored: CatalogIndex
        let entries: Database
        let name: TableName
        /// Opens the index with all of its tables; returns nil if it lacks one.
        let open: (_ verifiesChecksums: Bool) -> OpenIndex?
    }

    init(
        _ type: CatalogType, _ name: TableName, records: Database?, declared schema: RecordSchema?,
        indexes: [FoundIndex]
    ) throws {
        self.name = type.qualifiedName
        keyPrefix = name.keyPrefix
        keyLayout = type.keyLayout
        self.records = records
        self.type = schema?.type
        checksumSeed = name.checksumSeed
        versions = type.possibleVersions
        let isDeclared =
            schema.map { $0.fieldsVersion == type.newestVersion && $0.hasKey(of: type.keyLayout) } ?? false
        do throws(CodingError) {
            let key = try RecordLayout(type.keyLayout + "{}").key
            var layouts: [UInt32: RecordLayout] = [:]
            for version in type.possibleVersions {
                guard let layout = type.layouts[version] else { continue }
                layouts[version] = RecordLayout(key: key, fields: try RecordLayout(layout.text).fields)
            }
            self.layouts = layouts
            declared = isDeclared ? try schema?.parsedLayout() : nil
        } catch {
            throw StoreError.schema(
                .layoutDamaged(
                    type: type.qualifiedName, layout: type.newestVersion.flatMap { type.layouts[$0]?.text } ?? "",
                    reason: error))
        }
        if let version = type.newestVersion, let newest = layouts[version] {
            self.indexes = indexes.compactMap { Index($0, in: newest, ofElements: false) }
            elementIndexes = indexes.compactMap { Index($0, in: newest, ofElements: true) }
            totals = indexes.compactMap { StoredTotals($0.stored, $0.entries, $0.open, in: newest) }
            let conditions = isDeclared ? schema?.knownConditions ?? [:] : [:]
            partialIndexes = indexes.compactMap { index in
                conditions[index.stored.text].flatMap { Index(index, in: newest, ofElements: false, conditions: $0) }
            }
        } else {
            self.indexes = []
            elementIndexes = []
            partialIndexes = []
            totals = []
        }
        fullTexts =
            schema.map { $0.indexes.filter { $0.kind == .fullText }.map(\.properties) }
            ?? type.indexes.sorted { $0.key < $1.key }.filter { $0.value.kind == .fullText }.map(\.value.properties)
    }
}

extension StoredTable {
    /// Creates a table without records, for rows that are not stored.
    package init(named name: String) {
        self.name = name
        keyPrefix = 0
        keyLayout = "()"
        layouts = [:]
        versions = []
        declared = nil
        type = nil
        records = nil
        indexes = []
        elementIndexes = []
        partialIndexes = []
        totals = []
        fullTexts = []
        checksumSeed = TableName(keyPrefix: 0).checksumSeed
    }

    /// The layout of new records.
    package var newest: RecordLayout { versions.last.flatMap { layouts[$0] } ?? RecordLayout(key: [], fields: []) }

    /// The number of bytes of a stored value before its fields.
    package static var headerSize: Int { StoredValue.headerSize }

    /// Returns the version of a stored value; nil for a value without a version.
    package func version(of value: ByteView) -> UInt32? { StoredValue.version(of: value) }

    /// Returns whether a stored value passes its checksum.
    package func isIntact(_ key: ByteView, _ value: ByteView) -> Bool {
        key.withSpan { key in value.withSpan { StoredValue.isIntact($0, key: key, seed: checksumSeed) } }
    }

    /// Returns the error for a record that fails its checksum.
    package func checksumMismatch(_ key: ByteView) -> StoreError {
        .record(.checksumMismatch(type: name, key: stored(key)))
    }

    /// Returns the error for a record whose bytes are not of its layout.
    package func corrupted(_ key: ByteView, _ reason: CodingError) -> StoreError {
        StoreError(reading: stored(key), reason)
    }

    private func stored(_ key: ByteView) -> StoredKey { StoredKey(key.copy(), of: name, layout: keyLayout) }
}

extension RecordSchema {
    /// The conditions of the indexes whose condition is ranges of properties, by the name of the index.
    fileprivate var knownConditions: [String: [StoredTable.Index.Condition]] {
        var known: [String: [StoredTable.Index.Condition]] = [:]
        for (index, condition) in zip(indexes, conditions) {
            guard let filters = condition?.filters else { continue }
            let conditions = filters.compactMap { filter -> StoredTable.Index.Condition? in
                guard let first = filter.firstCondition, let bounds = filter.bounds(on: first.property, as: .key) else {
                    return nil
                }
                return StoredTable.Index.Condition(
                    property: first.property.name, ranges: bounds.parts.map(\.range))
            }
            if conditions.count == filters.count, !conditions.isEmpty { known[index.text] = conditions }
        }
        return known
    }
}
