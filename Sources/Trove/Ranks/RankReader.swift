// Reads the counts of a ranked index: from an entry to its position, and from a position to the entry.
//
//     level 2   ├─────────────── 61 ───────────────┼── …
//     level 1   ├──── 30 ────┼─────── 31 ──────────┼── …
//     entries   · · · · · · · · · · · · · · · · · ·
//
// A search steps over rows of the highest level as long as they end before its goal, then goes down a level. It reads
// about 16 rows of each level that has rows, and at the end about 16 entries.

import LMDB
import TroveCoding

/// A reader of the counts of an index.
struct RankReader: ~Copyable {
    /// The number of entries up to which a count steps over them: their ends are not found faster.
    static let nearCount = 64

    /// An entry, and the number of entries before it.
    private struct Position {
        /// The key of the stored entry; empty for the beginning.
        var entry: [UInt8] = []
        var before = 0
    }

    private let ranks: OpenRanks
    private let keyspace: Keyspace
    private var rows: SeekCursor

    /// Creates a reader. The caller has written all pending changes.
    init(_ ranks: OpenRanks, _ keyspace: Keyspace) throws {
        guard let rows = try keyspace.seeks(in: ranks.counts.database) else { throw ranks.counts.damaged([]) }
        self.ranks = ranks
        self.keyspace = keyspace
        self.rows = rows
    }

    /// Returns the number of all entries.
    func count() throws -> Int { try keyspace.count(ranks.entries) }

    /// Returns the number of entries in a range.
    mutating func count(_ range: KeyRange) throws -> Int {
        if range.lower.isEmpty { return try range.upper.map { try count(below: $0) } ?? count() }
        let near = try keyspace.count(ranks.entries, ScanRange(range), atMost: Self.nearCount)
        guard near == Self.nearCount else { return near }
        let start = try count(below: range.lower)
        let end = try range.upper.map { try count(below: $0) } ?? count()
        guard end >= start + near else { throw ranks.counts.damaged(range.lower) }
        return end - start
    }

    /// Returns the number of entries below a bound.
    mutating func count(below bound: [UInt8]) throws -> Int {
        var position = Position()
        for level in stride(from: RankLevel.highest, through: 1, by: -1) {
            try move(&position, on: level) { next, _ in next.compare(bound) <= 0 }
        }
        return try position.before + keyspace.count(ranks.entries, ScanRange(from: position.entry, upTo: bound))
    }

    /// Returns the key of the stored entry with a number of entries before it; nil if there are not so many.
    mutating func entry(after number: Int) throws -> [UInt8]? {
        guard number < (try count()) else { return nil }
        var position = Position()
        for level in stride(from: RankLevel.highest, through: 1, by: -1) {
            try move(&position, on: level) { _, before in before <= number }
        }
        var rest = number - position.before
        var found: [UInt8]?
        try keyspace.scan(ranks.entries, ScanRange(from: position.entry)) { entry, _ in
            if rest == 0 { found = copiedBytes(entry) }
            rest -= 1
            return found == nil ? .continue : .stop
        }
        guard let found else { throw ranks.counts.damaged(OpenRanks.key(1, position.entry)) }
        return found
    }

    /// Steps over rows of a level, as long as a closure accepts the next row.
    ///
    /// - Parameter accepts: Receives the entry of the next row, and the number of entries before it.
    private mutating func move(
        _ position: inout Position, on level: Int, while accepts: (_ next: ByteView, _ before: Int) -> Bool
    ) throws {
        let start = OpenRanks.key(level, position.entry)
        var row = try ByteView.with(start) { try rows.seek($0) }
        var count = 0
        if let first = row, first.key.compare(start) == 0 {
            count = try self.count(first)
            row = try rows.next()
        } else if !position.entry.isEmpty {
            throw ranks.counts.damaged(start)
        }
        var last: ByteView?
        while let next = row, let entry = OpenRanks.entry(of: next.key, on: level) {
            guard accepts(entry, position.before + count) else { break }
            position.before += count
            count = try self.count(next)
            last = entry
            row = try rows.next()
        }
        if let last { position.entry = last.copy() }
    }

    private func count(_ row: Entry) throws -> Int {
        try ranks.count(ranks.counts.content(of: row.value, key: row.key), key: row.key)
    }
}
