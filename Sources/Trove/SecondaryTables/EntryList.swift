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
struct EntryList {
    struct Entry {
        /// Which of the type's tables it belongs to.
        var table: Int
        /// Where its bytes end, and where those of the value in front of the record's key do.
        var end: Int
        var valueEnd: Int
    }

    /// How many bytes of a long entry stand in its row.
    static let headSize = 494

    private(set) var bytes: [UInt8] = []
    private(set) var entries: [Entry] = []

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        entries.removeAll(keepingCapacity: true)
    }

    /// Adds the entry of a table.
    ///
    /// - Parameters:
    ///   - key: The record's key.
    ///   - encode: Writes the value; gives whether there is an entry at all.
    mutating func add(to table: Int, _ key: RawSpan, _ encode: (inout [UInt8]) -> Bool) {
        let start = bytes.count
        guard encode(&bytes) else { return bytes.removeSubrange(start...) }
        let valueEnd = bytes.count
        appendBytes(key, to: &bytes)
        entries.append(Entry(table: table, end: bytes.count, valueEnd: valueEnd))
    }

    func start(of index: Int) -> Int { index == 0 ? 0 : entries[index - 1].end }

    /// The bytes of an entry.
    func bytes(of index: Int) -> ArraySlice<UInt8> { bytes[start(of: index)..<entries[index].end] }

    /// The bytes of an entry's value.
    func value(of index: Int) -> ArraySlice<UInt8> { bytes[start(of: index)..<entries[index].valueEnd] }
}

extension SecondaryTable {
    /// Adds the entries that follow from a record.
    ///
    /// - Parameters:
    ///   - index: Which of the type's tables this is.
    ///   - key: The record's key.
    func derive(_ record: Record, _ key: RawSpan, as index: Int, into list: inout EntryList) {
        if let condition, !condition(record) { return }
        list.add(to: index, key) { bytes in
            for property in properties {
                let start = bytes.count
                KeyWriter.append(to: &bytes) { property.encode(record, &$0) }
                if description.kind == .unique, bytes[start] == property.nilByte { return false }
            }
            return true
        }
    }
}

extension IndexKeyRecord {
    /// The entries of all tables that follow from a record.
    static func entries(of record: Self, _ key: RawSpan) -> EntryList {
        var list = EntryList()
        for (index, table) in secondaryTables.enumerated() { table.derive(record, key, as: index, into: &list) }
        return list
    }
}
