// The entries of a record: their bytes, in the order of the type's indexes.
//
//     entry = value recordKey                 at most 511 bytes: stored as a key with an empty value
//           | head hash                       longer: its first 494 bytes, and 16 bytes derived from the whole entry
//
// The stored value of a long entry is the record's key, after a checksum. So an empty stored value marks a whole entry.
// No value is the beginning of another value. So the entries with a value are the entries beginning with its bytes. If
// a value has more than 494 bytes, its entries are among the entries with the same first 494 bytes.

import LMDB
import TroveCoding

/// The entries of one record.
struct IndexEntries {
    struct Entry {
        /// The position of the index among the indexes of the type.
        var index: Int
        /// The offsets of the entry's begin and end, and of the end of the value before the record's key.
        var start: Int
        var valueEnd: Int
        var end: Int
        /// Whether the other list has the entry too: then nothing is written.
        var isKept = false
    }

    /// The number of a long entry's bytes in its stored key, before the hash.
    static let headSize = 494

    /// The bytes of the entries, and unused bytes after them.
    private(set) var bytes: [UInt8] = []
    private(set) var entries: [Entry] = []

    mutating func removeAll() { entries.removeAll(keepingCapacity: true) }

    /// Adds the entries of a record for an index.
    ///
    /// - Parameters:
    ///   - index: The position of the index among the indexes of the type.
    ///   - key: The record's key.
    ///   - split: Derives several entries from the columns; nil if the columns are the value of the only entry.
    ///   - encode: Writes the record's columns. Returns whether the record has entries. It may be called twice.
    mutating func add(
        to index: Int, _ key: RawSpan, _ split: EntrySplit?, _ encode: (inout KeyWriter) -> Bool
    ) {
        let start = entries.last?.end ?? 0
        var hasEntry = false
        var valueSize = 0
        let end = KeyWriter.write(into: &bytes, at: start) { writer in
            hasEntry = encode(&writer)
            valueSize = writer.offset
            writer.writeBytes(key)
        }
        guard hasEntry else { return }
        if let split {
            addSeveral(to: index, key, split, columns: Array(bytes[start..<start + valueSize]))
        } else {
            entries.append(Entry(index: index, start: start, valueEnd: start + valueSize, end: end))
        }
    }

    /// Adds several entries derived from a record's columns, in the order of their bytes.
    private mutating func addSeveral(to index: Int, _ key: RawSpan, _ split: EntrySplit, columns: [UInt8]) {
        var values: Set<[UInt8]> = []
        ByteView.with(columns) { columns in
            columns.withSpan { columns in split(columns) { values.insert(copiedBytes($0)) } }
        }
        for value in values.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            ByteView.with(value) { value in
                add(to: index, key, nil) { writer in
                    value.withSpan { writer.writeBytes($0) }
                    return true
                }
            }
        }
    }

    /// The bytes of an entry.
    func bytes(of index: Int) -> ArraySlice<UInt8> { bytes[entries[index].start..<entries[index].end] }

    /// The bytes of an entry's value.
    func value(of index: Int) -> ArraySlice<UInt8> { bytes[entries[index].start..<entries[index].valueEnd] }

    /// Returns whether the record has an entry for an index.
    func hasEntry(of index: Int) -> Bool { entries.contains { $0.index == index } }

    /// The key of the entry's record.
    func recordKey(of index: Int) -> ArraySlice<UInt8> { bytes[entries[index].valueEnd..<entries[index].end] }

    /// Marks the entries common to both lists. Both lists are sorted by index, and by bytes within an index.
    mutating func keepCommon(with other: inout IndexEntries) {
        var (mine, others) = (0, 0)
        while mine < entries.count, others < other.entries.count {
            let order = order(of: mine, other, others)
            if order == 0 {
                entries[mine].isKept = true
                other.entries[others].isKept = true
            }
            if order <= 0 { mine += 1 }
            if order >= 0 { others += 1 }
        }
    }

    private func order(of place: Int, _ other: IndexEntries, _ otherPlace: Int) -> Int {
        let order = entries[place].index - other.entries[otherPlace].index
        if order != 0 { return order }
        return ByteView.with(bytes(of: place)) { mine in
            ByteView.with(other.bytes(of: otherPlace)) { mine.compare($0) }
        }
    }
}

extension IndexDerivation {
    /// Adds the entries of a record.
    fileprivate func derive(
        _ record: UntypedRecord, _ key: RawSpan, as index: Int, into list: inout IndexEntries
    ) {
        list.add(to: index, key, split) { encode(record, &$0) }
    }
}

extension RecordIndex {
    /// Adds the entries of a record.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - key: The record's key.
    ///   - index: The position of this index among the indexes of the type.
    ///   - list: Receives the entries.
    func derive(_ record: Record, _ key: RawSpan, as index: Int, into list: inout IndexEntries) {
        UntypedRecord.with(record) { derivation.derive($0, key, as: index, into: &list) }
    }
}

extension RecordSchema {
    /// Adds the entries of a record for some indexes.
    fileprivate func derive(
        _ record: UntypedRecord, _ key: RawSpan, _ indexes: IndexMask, into list: inout IndexEntries
    ) {
        list.removeAll()
        for index in derivations.indices where indexes.contains(index) {
            derivations[index].derive(record, key, as: index, into: &list)
        }
    }
}

extension IndexKeyRecord {
    /// Adds the entries of a record for some indexes.
    static func derive(_ record: Self, _ key: RawSpan, _ indexes: IndexMask, into list: inout IndexEntries) {
        UntypedRecord.with(record) { schema.derive($0, key, indexes, into: &list) }
    }

    /// Returns the entries of a record for all indexes.
    static func entries(of record: Self, _ key: RawSpan) -> IndexEntries {
        var list = IndexEntries()
        derive(record, key, .all, into: &list)
        return list
    }
}
