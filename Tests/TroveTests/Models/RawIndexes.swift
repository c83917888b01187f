// The stored index entries, read and changed by tests.

import LMDB
import Testing

@testable import Trove

/// An index entry as stored in the file.
struct RawEntry: Hashable {
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
    func unreadyIndexes(_ prefix: UInt32) throws -> [String] {
        try indexes(prefix).filter { !$0.isReady }.map(\.name)
    }

    func entries(of index: StoredIndex) throws -> [RawEntry] { try entries(in: index.database) }

    func entries(in table: Database) throws -> [RawEntry] {
        try read { context in
            var entries: [RawEntry] = []
            try context.keyspace.scan(table, ScanRange()) { key, value in
                entries.append(RawEntry(key: copiedBytes(key), value: copiedBytes(value)))
                return .continue
            }
            return entries
        }
    }

    /// Returns the stored records of a type.
    func rawRecords(_ prefix: UInt32) throws -> [RawEntry] {
        try read { context in
            let type = try #require(try context.storedTypes().first { $0.keyPrefix == prefix })
            var records: [RawEntry] = []
            try context.keyspace.scan(type.records, ScanRange()) { key, value in
                records.append(RawEntry(key: copiedBytes(key), value: copiedBytes(value)))
                return .continue
            }
            return records
        }
    }

    func put(_ entry: RawEntry, into index: StoredIndex) throws { try put(entry, into: index.database) }

    func put(_ entry: RawEntry, into table: Database) throws {
        try write { context in
            _ = try unsafe context.keyspace.put(table, entry.key.span.bytes, size: entry.value.count) { value in
                copyBytes(unsafe entry.value.span.bytes, into: &value)
            }
            context.noteChange()
        }
    }

    func remove(_ entry: RawEntry, from index: StoredIndex) throws {
        try write { context in
            let wasThere = try unsafe context.keyspace.delete(index.database, entry.key.span.bytes)
            #expect(wasThere)
            context.noteChange()
        }
    }
}
