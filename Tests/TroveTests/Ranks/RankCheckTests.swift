// Wrong and damaged counts: a check finds them, no write hides them, and a rebuild makes them again.

import Foundation
import LMDB
import Testing
import TroveCoding
import TroveTestSupport

@testable import Trove

@Suite("Checks of ranked indexes") struct RankCheckTests {
    private typealias Player = Board.Player
    private let name = "ranked(score)"
    private let file: MigratedFile
    private let store: Store
    private let counts: Database

    init() throws {
        var random = SeededGenerator(seed: 11)
        file = try MigratedFile()
        store = try file.open(Player.self)
        try store.insert(contentsOf: (0..<3_000).map { Board.player($0, using: &random) })
        counts = try #require(try store.storedIndex(Board.prefix, name).ranks).counts.database
    }

    private var rows: [RawEntry] { get throws { try store.entries(in: counts) } }

    /// Stores a count with its right checksum.
    private func put(_ count: Int, at key: [UInt8]) throws {
        let ranks = try #require(try store.storedIndex(Board.prefix, name).ranks)
        try store.write { context in
            var row: [UInt8] = []
            StoredRow.begin(&row)
            LEB128.append(count, to: &row)
            try ranks.counts.put(key, &row, context.keyspace, mode: .replace)
            context.noteChange()
        }
    }

    private func remove(_ key: [UInt8]) throws {
        try store.write { context in
            try context.keyspace.delete(counts, key)
            context.noteChange()
        }
    }

    @Test func aWrongCount_isFound_andRebuilt() throws {
        let before = try rows
        try put(4_321, at: before[3].key)
        let differences = try store.check(Player.self)
        #expect(differences.map(\.kind) == [.wrongRanks])
        #expect(differences.first?.index == name)
        #expect(differences.first?.description.contains("the counts at the entry (score: ") == true)
        let type = try store.storedType(Board.prefix)
        #expect(try store.read { try $0.checkStoredIndexes(of: type) }.differences.count == 1)
        try store.rebuild(Player.self, index: name)
        #expect(try store.check() == [])
        #expect(try rows == before)
    }

    @Test func aMissingRow_andAStrayOne_areFound() throws {
        let before = try rows
        let index = try store.storedIndex(Board.prefix, name)
        try remove(before[5].key)
        #expect(try store.check(Player.self).map(\.kind) == [.wrongRanks])
        try store.put(before[5], into: counts)
        #expect(try store.check(Player.self) == [])
        let entry = try #require(
            try store.entries(of: index).first { entry in
                ByteView.with(entry.key) { RankLevel.of($0) } == 0
            })
        try put(1, at: OpenRanks.key(1, entry.key))
        #expect(try store.check(Player.self).map(\.kind) == [.wrongRanks])
        // The first rows of the levels are found, too, and rows of levels that do not exist.
        try remove(OpenRanks.key(1, entry.key))
        try remove(before[0].key)
        #expect(try store.check(Player.self).map(\.kind) == [.wrongRanks])
        try put(1, at: [7, 1])
        #expect(try store.check(Player.self).map(\.kind) == [.wrongRanks])
        try store.rebuild(Player.self, index: name)
        #expect(try rows == before)
    }

    /// The counts follow from the entries: a write that meets damage makes them again.
    @Test(arguments: [false, true]) func aWrite_mendsDamagedCounts(isNested: Bool) throws {
        for var row in try rows {
            row.value[4] ^= 1
            try store.put(row, into: counts)
        }
        #expect(try !Store.verify(path: store.path).findings.isEmpty)
        var random = SeededGenerator(seed: 1)
        let player = Board.player(9_000, using: &random)
        try store.write { context in
            try context.insert(player)
            if isNested { try context.nested { try $0.delete(Player.self, key: 0) } }
        }
        #expect(try store.check() == [])
        #expect(try Store.verify(path: store.path).findings.isEmpty)
        #expect(try Player.filter(\.score >= 0).count(in: store) == (isNested ? 3_000 : 3_001))
    }

    /// Counts with right checksums that no entries have: a write goes on, and a rebuild makes them again.
    @Test func impossibleCounts_stopNoWrite() throws {
        for row in try rows where row.key.count > 1 { try put(1, at: row.key) }
        try Player.filter(\.score < 20).delete(in: store)
        try store.rebuild(Player.self, index: name)
        #expect(try store.check() == [])
    }

    @Test func readsOfDamagedCounts_areErrors() throws {
        for var row in try rows {
            row.value[4] ^= 1
            try store.put(row, into: counts)
        }
        try self.store.close()
        let store = try Store(
            path: self.store.path, records: [Player.self], options: StoreOptions(verifiesChecksums: true))
        guard
            case .record(.indexDamaged)? = storeError({
                _ = try Player.query().sorted(by: \.score).offset(2_000).limit(1).resolve(in: store)
            })
        else {
            Issue.record("the damage is not met")
            return
        }
    }

    /// The copy has the same counts, and the damaged store gives its records.
    @Test func copies_andSalvagedStores_haveCounts() throws {
        let before = try rows
        let directory = try TemporaryDirectory()
        try store.copy(to: directory.path("copy.trove"), compacting: true)
        let copy = try Store(path: directory.path("copy.trove"), records: [Player.self])
        #expect(try rankRows(copy) == rankRows(store))
        #expect(try copy.check() == [])
        _ = try Store.salvage(from: store.path, to: directory.path("salvaged.trove"))
        let salvaged = try Store(path: directory.path("salvaged.trove"), records: [Player.self])
        #expect(try salvaged.check() == [])
        #expect(try Player.filter(\.score >= 0).count(in: salvaged) == 3_000)
        #expect(try rows == before)
    }
}
