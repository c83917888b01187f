// Writes the counts of a ranked index after changes of its entries.
//
// The entries are written already. The changes are applied to a level after the other, the lowest first. Most changes
// add to the count of the row before them. Where an entry of the level comes or goes, its row does too, and the counts
// around it are read from the level below: about 32 rows.
//
// The counts follow from the entries alone. So if a change meets a damaged row, all entries are counted again.

import Logging
import LMDB
import TroveCoding

/// A change of the entries of a ranked index.
struct RankChange {
    /// The key of the stored entry.
    let entry: [UInt8]
    let level: Int
    /// 1 for a new entry, -1 for a removed one.
    let difference: Int
}

/// A writer of the counts of an index.
struct RankWriter {
    private let ranks: OpenRanks
    private let keyspace: Keyspace

    /// From this share of changed entries on, all entries are counted again.
    private static let recountShare = 8
    /// The size of the longest key of a row, with a byte after it.
    private static let boundLimit = KeyWriter.sizeLimit

    init(_ ranks: OpenRanks, _ keyspace: Keyspace) {
        self.ranks = ranks
        self.keyspace = keyspace
    }

    private var table: Database { ranks.counts.database }

    /// Applies changes, in the order of their entries. No entry has two of them.
    func apply(_ changes: [RankChange]) throws {
        if try changes.count > keyspace.count(ranks.entries) / Self.recountShare { return try countAll() }
        do {
            for level in 1...RankLevel.highest {
                guard try hasRows(level) || changes.contains(where: { $0.level >= level }) else { break }
                try apply(changes[...], to: level)
                try removeFirstRow(ifAlone: level)
            }
        } catch StoreError.record(let error) {
            Logger(label: "trove").warning("The counts of a ranked index are made again: \(error)")
            try countAll()
        }
    }

    private func apply(_ changes: ArraySlice<RankChange>, to level: Int) throws {
        var rest = changes
        while let first = rest.first {
            let begin = rest.startIndex
            let start = try row(before: first, on: level)
            var end = try nextRow(after: start, on: level)
            var difference = 0
            var new: [[UInt8]] = []
            var hasRemoved = false
            while let change = rest.first {
                if let next = end, !precedes(change.entry, next) {
                    guard change.entry == next, change.difference < 0 else { break }
                    try keyspace.delete(table, OpenRanks.key(level, next))
                    end = try nextRow(after: next, on: level)
                    hasRemoved = true
                } else if change.difference > 0, change.level >= level {
                    new.append(change.entry)
                }
                difference += change.difference
                rest.removeFirst()
            }
            guard rest.startIndex > begin else {
                throw ranks.counts.damaged(OpenRanks.key(level, start))
            }
            if new.isEmpty, !hasRemoved {
                try add(difference, to: start, on: level)
            } else {
                var entry = start
                for next in new {
                    try put(countBelow(level, from: entry, upTo: next), entry, level)
                    entry = next
                }
                try put(countBelow(level, from: entry, upTo: end), entry, level)
            }
        }
    }

    private func precedes(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        ByteView.with(left) { $0.compare(right) < 0 }
    }

    // MARK: Rows

    private func hasRows(_ level: Int) throws -> Bool { try nextRow(after: [], on: level) != nil }

    /// Returns the entry of the row that counts a change; empty for the first row. The row of a removed entry does not
    /// count it any longer.
    private func row(before change: RankChange, on level: Int) throws -> [UInt8] {
        let key = OpenRanks.key(level, change.entry)
        // An entry without a row of its own can be longer than a key. No row begins with so many bytes.
        let isNew = change.difference > 0 && change.level >= level
        let bound = isNew ? key + [0] : Array(key.prefix(Self.boundLimit))
        var row: [UInt8] = []
        try keyspace.withLastKey(table, below: bound) { last in
            ByteView.with(last) { row = OpenRanks.entry(of: $0, on: level)?.copy() ?? [] }
        }
        return row
    }

    /// Returns the entry of the row after another; nil if there is none.
    private func nextRow(after entry: [UInt8], on level: Int) throws -> [UInt8]? {
        try keyspace.firstEntry(table, from: OpenRanks.key(level, entry) + [0])
            .flatMap { OpenRanks.entry(of: $0.key, on: level)?.copy() }
    }

    /// Removes the first row of a level whose last entry is removed.
    private func removeFirstRow(ifAlone level: Int) throws {
        if try !hasRows(level) { try keyspace.delete(table, OpenRanks.key(level, [])) }
    }

    private func add(_ difference: Int, to entry: [UInt8], on level: Int) throws {
        if difference == 0 { return }
        let key = OpenRanks.key(level, entry)
        let stored = try ranks.counts.verifiedContent(key, keyspace)
        let old = try stored.map { content in try ByteView.with(key) { try ranks.count(content, key: $0) } } ?? 0
        try put(old + difference, entry, level)
    }

    /// Stores a row. Only the first row of a level can be without entries.
    private func put(_ count: Int, _ entry: [UInt8], _ level: Int) throws {
        let key = OpenRanks.key(level, entry)
        guard count > 0 else {
            guard count == 0, entry.isEmpty else { throw ranks.counts.damaged(key) }
            try keyspace.delete(table, key)
            return
        }
        var row: [UInt8] = []
        StoredRow.begin(&row)
        LEB128.append(count, to: &row)
        try ranks.counts.put(key, &row, keyspace, mode: .replace)
    }

    /// Returns the number of entries from an entry to another, by the rows of the level below.
    private func countBelow(_ level: Int, from entry: [UInt8], upTo end: [UInt8]?) throws -> Int {
        if level == 1 { return try keyspace.count(ranks.entries, ScanRange(from: entry, upTo: end)) }
        var count = 0
        try keyspace.scan(table, OpenRanks.range(of: level - 1, from: entry, upTo: end)) { key, value in
            count += try ranks.verifiedCount(key, value)
            return .continue
        }
        return count
    }

    // MARK: All rows

    private func countAll() throws {
        try keyspace.deleteAll(table)
        for level in 1...RankLevel.highest {
            var rows: [(entry: [UInt8], count: Int)] = []
            try ranks.forEachExpectedRow(of: level, keyspace) { entry, count in
                rows.append((entry, count))
                return .continue
            }
            if rows.isEmpty { break }
            for row in rows { try put(row.count, row.entry, level) }
        }
    }
}
