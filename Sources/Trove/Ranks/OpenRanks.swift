// The tables of a ranked index.
//
//     part 0    the entries, as IndexEntries.swift draws them
//     part 1    the counts: a row for each entry of a level, and a row for the entries before the first of them
//
//     key     = level entry     level: a byte, 1 to 6; entry: the key of a stored entry, empty for the first row
//     content = count           LEB128: the number of entries from this one to the next of its level
//
// An entry of level 3 has rows of the levels 1, 2 and 3. A level without entries has no rows, and the first row of a
// level is left out if the first entry of all has the level.

import LMDB
import TroveCoding

/// The tables of a ranked index of an open store.
final class OpenRanks: Sendable {
    private static let countsPart: UInt32 = 1

    /// The name of the first table.
    let name: TableName
    let entries: Database
    let counts: RowTable
    /// Returns the level of an entry: ``RankLevel/of(_:)``, except in tests.
    let level: @Sendable (ByteView) -> Int

    /// Returns the names of the tables of an index.
    static func names(_ name: TableName) -> [TableName] { [name, name.part(countsPart)] }

    /// Opens the tables of an index; returns nil if it lacks one.
    convenience init?(_ index: CatalogIndex, _ tables: IndexTables) {
        let part = tables.name.part(Self.countsPart)
        guard let counts = tables.parts[part] else { return nil }
        self.init(
            tables.name, tables.database,
            RowTable(counts, part, type: tables.type, index: index.text, verifiesChecksums: tables.verifiesChecksums),
            level: RankLevel.of)
    }

    init(_ name: TableName, _ entries: Database, _ counts: RowTable, level: @escaping @Sendable (ByteView) -> Int) {
        self.name = name
        self.entries = entries
        self.counts = counts
        self.level = level
    }

    // MARK: Rows

    /// Returns the key of a row.
    ///
    /// - Parameter entry: The key of the stored entry; empty for the first row of a level.
    static func key(_ level: Int, _ entry: [UInt8]) -> [UInt8] { [UInt8(level)] + entry }

    /// Returns the range of the rows of a level, from an entry to another.
    static func range(of level: Int, from entry: [UInt8] = [], upTo end: [UInt8]? = nil) -> ScanRange {
        ScanRange(from: key(level, entry), upTo: end.map { key(level, $0) } ?? [UInt8(level + 1)])
    }

    /// Returns the entry of a row; nil for the row of another level.
    static func entry(of key: ByteView, on level: Int) -> ByteView? {
        key.prefix(1).compare([UInt8(level)]) == 0 ? key.dropFirst(1) : nil
    }

    /// Reads the count of a row.
    func count(_ content: ByteView, key: ByteView) throws -> Int {
        try counts.reading(key) { () throws(CodingError) in
            var reader = ValueReader(content)
            let count = try reader.readNumber(atMost: UInt64(Int32.max) << 16)
            guard count > 0, reader.remaining == 0 else { throw reader.malformed("a number of entries") }
            return Int(count)
        }
    }

    /// Returns the count of a row, whose checksum is verified in any store.
    func verifiedCount(_ key: RawSpan, _ value: RawSpan) throws -> Int {
        try ByteView.with(key) { key in
            try ByteView.with(value) { value in
                guard counts.isIntact(value, key: key) else { throw counts.damaged(key) }
                return try count(value.dropFirst(StoredRow.checksumSize), key: key)
            }
        }
    }

    /// Calls a closure with each row that a level must have by the level below, until it returns `.stop`.
    func forEachExpectedRow(
        of level: Int, _ keyspace: Keyspace, _ body: (_ entry: [UInt8], _ count: Int) throws -> ScanControl
    ) throws {
        var row: (entry: [UInt8], count: Int) = ([], 0)
        var isStopped = false
        func add(_ count: Int, at entry: ByteView) throws -> ScanControl {
            if !entry.isEmpty, self.level(entry) >= level {
                if row.count > 0, try body(row.entry, row.count) == .stop {
                    isStopped = true
                    return .stop
                }
                row = (entry.copy(), 0)
            }
            row.count += count
            return .continue
        }
        if level == 1 {
            try keyspace.scan(entries, ScanRange()) { entry, _ in
                try ByteView.with(entry) { try add(1, at: $0) }
            }
        } else {
            try keyspace.scan(counts.database, Self.range(of: level - 1)) { key, value in
                let count = try verifiedCount(key, value)
                return try ByteView.with(key) { try add(count, at: $0.dropFirst(1)) }
            }
        }
        // A level without entries has no first row.
        if !isStopped, !row.entry.isEmpty { _ = try body(row.entry, row.count) }
    }
}

extension OpenIndex {
    /// The tables of a ranked index; nil for other kinds.
    var ranks: OpenRanks? { parts as? OpenRanks }
}
