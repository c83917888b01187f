// The rows of counts by themselves: single changes of entries of any size, with levels of many rows.

import Foundation
import LMDB
import Testing
import TroveCoding
import TroveTestSupport

@testable import Trove

@Suite("Counts of entries") struct RankRowTests {
    /// Entries in tables of their own, beside a sorted array.
    private struct Entries {
        let ranks: OpenRanks
        let keyspace: Keyspace
        var keys: [[UInt8]] = []

        /// - Parameter bits: The zero bits of a level: one of 2, 4 or 32 entries has the next one.
        init(_ context: TransactionContext, bits: Int) throws {
            keyspace = context.keyspace
            let name = TableName(keyPrefix: 1)
            let counts = RowTable(
                try keyspace.createTable(named: "counts"), name, type: "", index: "", verifiesChecksums: true)
            ranks = OpenRanks(name, try keyspace.createTable(named: "entries"), counts) { entry in
                guard entry.count <= 509 else { return 0 }
                var hash: UInt64 = 14_695_981_039_346_656_037
                for byte in entry.copy() { hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211 }
                return Swift.min(RankLevel.highest, (hash ^ hash >> 32).trailingZeroBitCount / bits)
            }
        }

        /// Stores new keys, removes those that are stored, and counts the changes.
        mutating func toggle(_ toggled: Set<[UInt8]>) throws {
            var changes: [RankChange] = []
            for key in toggled.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
                let place = keys.firstIndex { !$0.lexicographicallyPrecedes(key) } ?? keys.count
                let isStored = place < keys.count && keys[place] == key
                if isStored {
                    keys.remove(at: place)
                    try keyspace.delete(ranks.entries, key)
                } else {
                    keys.insert(key, at: place)
                    try keyspace.put(ranks.entries, key, [])
                }
                let level = ByteView.with(key) { ranks.level($0) }
                changes.append(RankChange(entry: key, level: level, difference: isStored ? -1 : 1))
            }
            try RankWriter(ranks, keyspace).apply(changes)
        }

        /// Compares the rows with the levels below them, and the answers with the array.
        func expectSame(using random: inout SeededGenerator, _ note: Comment) throws {
            let differences = try ranks.differences(keyspace, limit: 10) {}
            #expect(differences == [], note)
            var reader = try RankReader(ranks, keyspace)
            for _ in 0..<4 {
                let number = Int.random(in: 0...keys.count + 1, using: &random)
                let entry = try reader.entry(after: number)
                #expect(entry == (number < keys.count ? keys[number] : nil), note)
                let bound = RankRowTests.key(using: &random)
                let below = try reader.count(below: bound)
                #expect(below == keys.count { $0.lexicographicallyPrecedes(bound) }, note)
                let other = RankRowTests.key(using: &random)
                let range = KeyRange(lower: min(bound, other), upper: max(bound, other))
                let inside = try reader.count(range)
                #expect(inside == keys.count { range.contains($0) }, note)
            }
        }

        private func min(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
            left.lexicographicallyPrecedes(right) ? left : right
        }

        private func max(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
            left.lexicographicallyPrecedes(right) ? right : left
        }
    }

    /// Returns a key of a few bytes, or of about as many as a key can have.
    private static func key(using random: inout SeededGenerator) -> [UInt8] {
        let head = (0..<2).map { _ in UInt8.random(in: 0..<40, using: &random) }
        let sizes = [0, 0, 0, 1, 492, 506, 507, 508, 509]
        return head + [UInt8](repeating: 7, count: sizes.randomElement(using: &random) ?? 0)
    }

    @Test(arguments: [1, 2, 5]) func anyChange_isCounted(bits: Int) throws {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        let store = try Store.temporary()
        try store.write { context in
            var entries = try Entries(context, bits: bits)
            for round in 0..<Torture.amount(200, full: 4_000) {
                let note: Comment = "round \(round) of TROVE_TEST_SEED=\(seed)"
                let count = [1, 1, 2, 5, 30].randomElement(using: &random) ?? 1
                try entries.toggle(Set((0..<count).map { _ in Self.key(using: &random) }))
                if round % 4 == 0 { try entries.expectSame(using: &random, note) }
            }
            while !entries.keys.isEmpty {
                try entries.toggle(Set((0..<9).compactMap { _ in entries.keys.randomElement(using: &random) }))
            }
            let rows = try context.keyspace.count(entries.ranks.counts.database)
            #expect(rows == 0, "TROVE_TEST_SEED=\(seed)")
        }
    }

    /// The example of Docs/Format.md.
    @Test func levels_areThoseOfThePage() {
        let entry: [UInt8] = [0x80, 0, 0, 0, 0, 0, 0, 0, 0x80, 0, 0, 0, 0, 0, 0x03, 0xA8]
        #expect(ByteView.with(entry) { RankLevel.of($0) } == 2)
        #expect(ByteView.with([UInt8](repeating: 0, count: 510)) { RankLevel.of($0) } == 0)
        let levels = (0..<40_000).map { number in
            ByteView.with(KeyWriter.bytes(of: number)) { RankLevel.of($0) }
        }
        // Numbers in a row have levels as random numbers do.
        #expect((1_100...1_400).contains(levels.count { $0 >= 1 }))
        #expect((20...60).contains(levels.count { $0 >= 2 }))
    }
}
