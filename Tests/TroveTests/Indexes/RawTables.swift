// The stored index entries, read and changed by tests.

import LMDB
import Testing

@testable import Trove

/// An index entry as stored in the file.
struct RawRow: Hashable {
    var key: [UInt8]
    var value: [UInt8]
}

extension Store {
    /// The indexes of a type.
    func indexes(_ prefix: UInt32) throws -> [StoredIndex] {
        try read { context in try context.storedTypes().first { $0.keyPrefix == prefix }?.indexes ?? [] }
    }

    func storedIndex(_ prefix: UInt32, _ name: String) throws -> StoredIndex {
        try #require(try indexes(prefix).first { $0.name == name })
    }

    /// Returns the names of the unready indexes.
    func unreadyTables(_ prefix: UInt32) throws -> [String] {
        try indexes(prefix).filter { !$0.isReady }.map(\.name)
    }

    func rows(of table: StoredIndex) throws -> [RawRow] {
        try read { context in
            var rows: [RawRow] = []
            try context.keyspace.scan(table.rows, ScanRange()) { key, value in
                rows.append(RawRow(key: copiedBytes(key), value: copiedBytes(value)))
                return .continue
            }
            return rows
        }
    }

    func put(_ row: RawRow, into table: StoredIndex) throws { try put(row, into: table.rows) }

    func put(_ row: RawRow, into table: Database) throws {
        try write { context in
            _ = try unsafe context.keyspace.put(table, row.key.span.bytes, size: row.value.count) { value in
                copyBytes(unsafe row.value.span.bytes, into: &value)
            }
            context.noteChange()
        }
    }

    func remove(_ row: RawRow, from table: StoredIndex) throws {
        try write { context in
            let wasThere = try unsafe context.keyspace.delete(table.rows, row.key.span.bytes)
            #expect(wasThere)
            context.noteChange()
        }
    }
}
