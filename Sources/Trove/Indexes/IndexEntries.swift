// The entries that follow from a record: bytes one after the other, in the order of the type's tables.
//
//     entry = value recordKey                 at most 511 bytes: the key of a row whose value is empty
//           | head hash                       longer ones: 494 bytes of it, and 16 that follow from all of it
//
// The row of a long entry has the record's key in its value, behind a checksum. So an empty value says that an entry is
// whole. No value is the beginning of another, so that the rows of one value are those that begin with its bytes; and
// where these are more than 494, among those that begin with 494 of them.

import LMDB
import TroveCoding

/// The entries of one record.
struct IndexEntries {
    struct Entry {
        /// Which of the type's tables it belongs to.
        var table: Int
        /// Where its bytes begin and end, and where those of the value in front of the record's key do.
        var start: Int
        var valueEnd: Int
        var end: Int
        /// Whether the record had it before, or has it still.
        var isKept = false
    }

    /// How many bytes of a long entry stand in its row.
    static let headSize = 494

    /// As many bytes as were ever needed: those of the entries, and then any.
    private(set) var bytes: [UInt8] = []
    private(set) var entries: [Entry] = []

    mutating func removeAll() { entries.removeAll(keepingCapacity: true) }

    /// Adds the entry of a table.
    ///
    /// - Parameters:
    ///   - key: The record's key.
    ///   - encode: Writes the value; gives whether there is an entry at all. It may run twice.
    mutating func add(to table: Int, _ key: RawSpan, _ encode: (inout KeyWriter) -> Bool) {
        let start = entries.last?.end ?? 0
        var hasEntry = false
        var valueSize = 0
        let end = ByteView.with(key) { key in
            KeyWriter.write(into: &bytes, at: start) { writer in
                hasEntry = encode(&writer)
                valueSize = writer.offset
                key.withSpan { writer.writeBytes($0) }
            }
        }
        if hasEntry { entries.append(Entry(table: table, start: start, valueEnd: start + valueSize, end: end)) }
    }

    /// The bytes of an entry.
    func bytes(of index: Int) -> ArraySlice<UInt8> { bytes[entries[index].start..<entries[index].end] }

    /// The bytes of an entry's value.
    func value(of index: Int) -> ArraySlice<UInt8> { bytes[entries[index].start..<entries[index].valueEnd] }

    /// The key of the record that an entry follows from.
    func recordKey(of index: Int) -> ArraySlice<UInt8> { bytes[entries[index].valueEnd..<entries[index].end] }

    /// Notes which entries another list has too. Both are in the order of tables, and in that of bytes within a table.
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

    private func order(of index: Int, _ other: IndexEntries, _ otherIndex: Int) -> Int {
        let tables = entries[index].table - other.entries[otherIndex].table
        if tables != 0 { return tables }
        return ByteView.with(bytes(of: index)) { mine in
            ByteView.with(other.bytes(of: otherIndex)) { mine.compare($0) }
        }
    }
}

extension RecordIndex {
    /// Adds the entry that follows from a record, if there is one.
    ///
    /// - Parameters:
    ///   - index: Which of the type's tables this is.
    ///   - key: The record's key.
    func derive(_ record: Record, _ key: RawSpan, as index: Int, into list: inout IndexEntries) {
        unsafe withUnsafePointer(to: record) { record in
            list.add(to: index, key) { unsafe derivation.encode(record, &$0) }
        }
    }
}

extension RecordSchema {
    /// Makes a list of the entries of some tables that follow from a record.
    @unsafe fileprivate func derive(
        _ record: UnsafeRawPointer, _ key: RawSpan, _ tables: IndexMask, into list: inout IndexEntries
    ) {
        list.removeAll()
        for index in derivations.indices where tables.contains(index) {
            list.add(to: index, key) { unsafe derivations[index].encode(record, &$0) }
        }
    }
}

extension IndexKeyRecord {
    /// Makes a list of the entries of some tables that follow from a record.
    static func derive(_ record: Self, _ key: RawSpan, _ tables: IndexMask, into list: inout IndexEntries) {
        unsafe withUnsafePointer(to: record) { unsafe schema.derive($0, key, tables, into: &list) }
    }

    /// The entries of all tables that follow from a record.
    static func entries(of record: Self, _ key: RawSpan) -> IndexEntries {
        var list = IndexEntries()
        derive(record, key, .all, into: &list)
        return list
    }
}
