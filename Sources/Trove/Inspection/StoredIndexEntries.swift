// The entries of a single record in the indexes of its type, without the Swift type.

import LMDB
import TroveCoding
import TroveText

/// The entries of a record in an index.
package struct StoredIndexEntries: Sendable {
    /// An entry.
    package struct Entry: Sendable {
        /// The bytes of the entry's key in the index; empty for a document of full text.
        package let bytes: [UInt8]
        /// The values of the indexed properties and the record's key, as texts; nil if only their own types can read
        /// them.
        package let components: [String]?
        /// Whether the entry is too long to be stored whole.
        package let isCut: Bool
        package let state: State
    }

    /// The state of an entry in the index.
    package enum State: String, Sendable {
        case present
        case missing
        /// The entry is there, with other contents.
        case damaged
    }

    /// How much is known of the entries.
    package enum Extent: String, Sendable {
        /// The record has exactly these entries.
        case whole
        /// The index has a condition, or gathers its texts: only its program knows whether the record has the entries.
        case conditional
        /// The record has an older layout: only its program derives the entries.
        case olderLayout
        /// Only the program of the index can derive its entries.
        case unknown
    }

    /// The name of the index, such as `index(age)`.
    package let index: String
    /// Whether the index has the entries of all records: otherwise an entry may be missing.
    package let isReady: Bool
    package let extent: Extent
    /// The entries; a single one for an index of full text, the document, and for totals, the row of the group.
    package let entries: [Entry]
}

extension ReadContext {
    /// Returns the entries of a record in each index of its type, in the order of the creation of the indexes.
    ///
    /// - Parameters:
    ///   - key: The bytes of the record's key.
    ///   - type: An element of ``storedTypes()``.
    ///   - analyzers: Analyzers of full-text indexes beside the built-in ones.
    /// - Returns: Nil if there is no record with this key.
    /// - Throws: ``StoreError/RecordError/checksumMismatch(type:key:)`` and
    ///   ``StoreError/RecordError/corrupted(type:key:reason:)`` for a damaged record.
    /// - Complexity: O(log *n*) for each entry.
    package final func storedIndexEntries(
        ofRecord key: [UInt8], of type: StoredType, analyzers: [TextAnalyzer] = []
    ) throws -> [StoredIndexEntries]? {
        try translatingErrors {
            try flushParts()
            let layout = try type.newestLayout()
            var entries: [StoredIndexEntries]?
            _ = try keyspace.withEntry(type.records, key) { key, value in
                let isCurrent = try type.version(of: value, key: key) == type.versions.last
                let fields = isCurrent ? try layout.map { try type.fields($0, key, value) } : nil
                entries = try type.indexes.map { index in
                    guard let layout, let fields,
                        let derivation = LayoutDerivation(index.stored, in: layout, among: analyzers)
                    else {
                        return StoredIndexEntries(
                            index: index.name, isReady: index.isReady, extent: isCurrent ? .unknown : .olderLayout,
                            entries: [])
                    }
                    return try storedEntries(of: fields, key, in: index, by: derivation, type)
                }
            }
            return entries
        }
    }

    private final func storedEntries(
        of fields: StoredFields, _ key: RawSpan, in index: StoredIndex, by derivation: LayoutDerivation,
        _ type: StoredType
    ) throws -> StoredIndexEntries {
        if index.text != nil, derivation.analyzer == nil, !derivation.needsKeysOnly {
            return StoredIndexEntries(index: index.name, isReady: index.isReady, extent: .unknown, entries: [])
        }
        let recordKey = copiedBytes(key)
        var list = IndexEntries()
        do {
            try derivation.derive(fields, key, as: 0, into: &list)
        } catch let error as CodingError {
            throw StoreError(reading: type.storedKey(recordKey), error)
        }
        let document = index.text.map { text in
            CheckedText(text, derivation.needsKeysOnly ? nil : derivation.analyzer, keyspace)
        }
        let entries = try list.entries.indices.map { place in
            if let document {
                let state = try ByteView.with(list.value(of: place)) { try document.state(of: recordKey, $0) }
                return StoredIndexEntries.Entry(bytes: [], components: nil, isCut: false, state: state.inIndex)
            }
            if let totals = index.totals {
                return try entry(ofGroup: list.value(of: place), in: totals, by: derivation, type)
            }
            let entry = list.bytes(of: place)
            let stored = StoredEntry.key(of: entry)
            let expected = StoredEntry.value(
                of: entry, key: stored, recordKey: recordKey[...], seed: index.checksumSeed)
            var state = StoredIndexEntries.State.missing
            _ = try keyspace.withEntry(index.database, stored) { _, value in
                state = copiedBytes(value) == expected ? .present : .damaged
            }
            return StoredIndexEntries.Entry(
                bytes: stored,
                components: StoredKey(Array(entry), of: type.name, layout: derivation.entryLayout).componentTexts,
                isCut: StoredEntry.isLong(entry), state: state)
        }
        return StoredIndexEntries(
            index: index.name, isReady: index.isReady, extent: derivation.isPartial ? .conditional : .whole,
            entries: entries)
    }

    /// Returns the row of a record's group.
    private final func entry(
        ofGroup value: ArraySlice<UInt8>, in totals: OpenTotals, by derivation: LayoutDerivation, _ type: StoredType
    ) throws -> StoredIndexEntries.Entry {
        let group = ByteView.with(value) { value in
            SumColumn.forEachFromEnd(derivation.sumCount, of: value) { _, _ in }?.copy() ?? []
        }
        let key = GroupTotals.key(of: group)
        return StoredIndexEntries.Entry(
            bytes: key,
            components: StoredKey(group, of: type.name, layout: derivation.entryLayout).componentTexts,
            isCut: key.count < group.count + 1,
            state: try totals.rows.content(key, keyspace) == nil ? .missing : .present)
    }
}

extension DocumentState {
    fileprivate var inIndex: StoredIndexEntries.State {
        switch self {
        case .sound: .present
        case .missing: .missing
        case .different: .damaged
        }
    }
}

extension StoredType {
    /// Returns the fields of an intact record in a layout.
    fileprivate func fields(_ layout: RecordLayout, _ key: RawSpan, _ value: RawSpan) throws -> StoredFields {
        do throws(CodingError) {
            return try layout.read(key: key, fields: value.extracting(droppingFirst: StoredValue.headerSize))
        } catch {
            throw StoreError(reading: storedKey(copiedBytes(key)), error)
        }
    }
}
