// Types with ranked indexes whose keys change: the entries have other bytes then, and all of them are counted again.

import Foundation
import LMDB
import Testing
import TroveTestSupport

@testable import Trove

/// Players of a league as successive programs declare them.
enum League {
    static let prefix: UInt32 = 6_800_002

    @IndexKeyRecord(keyPrefix: 6_800_002, "id")
    struct Old: Hashable {
        #Index<Old>(\.score, ranked: true)
        #Index<Old>(\.name, \.score.desc, ranked: true)
        #Index<Old>(\.id, ranked: true)
        #Index<Old>(\.score, ranked: true, where: { $0.isActive })

        let id: Int
        var team: String
        var score: Int
        var name: String
        var isActive: Bool
    }

    @IndexKeyRecord(keyPrefix: 6_800_002, "team", "id")
    struct New: Hashable {
        #Index<New>(\.score, ranked: true)
        #Index<New>(\.name, \.score.desc, ranked: true)
        #Index<New>(\.id, ranked: true)
        #Index<New>(\.score, ranked: true, where: { $0.isActive })

        let team: String
        let id: Int
        var score: Int
        var name: String
        var isActive: Bool

        init(_ old: Old) {
            (team, id, score, name, isActive) = (old.team, old.id, old.score, old.name, old.isActive)
        }
    }

    /// Players with the old key, in a layout that the catalog does not know.
    @IndexKeyRecord(keyPrefix: 6_800_002, "id")
    struct Noted: Hashable {
        #Index<Noted>(\.score, ranked: true)
        #Index<Noted>(\.name, \.score.desc, ranked: true)
        #Index<Noted>(\.id, ranked: true)
        #Index<Noted>(\.score, ranked: true, where: { $0.isActive })

        let id: Int
        var team: String
        var score: Int
        var name: String
        var isActive: Bool
        var note: Int = 7

        init(_ old: Old) {
            (id, team, score, name, isActive) = (old.id, old.team, old.score, old.name, old.isActive)
        }
    }

    static func player(_ id: Int, using random: inout SeededGenerator) -> Old {
        Old(
            id: id, team: ["red", "blue", ""].randomElement(using: &random) ?? "",
            score: Int.random(in: 0..<100, using: &random),
            name: ["a", "b", String(repeating: "x", count: 600)].randomElement(using: &random) ?? "",
            isActive: Bool.random(using: &random))
    }

    /// Compares positions in the order of the old keys.
    static func expectSame(
        _ players: [Int: Old], in source: some RecordReadable, using random: inout SeededGenerator, _ note: Comment
    ) throws {
        let score = Int.random(in: 0..<100, using: &random)
        let all = players.values.sorted { ($0.score, $0.id) < ($1.score, $1.id) }
        try Old.query().sorted(by: \.score).expectPositions(all.map(\.id), in: source, using: &random, note)
        try Old.query().sorted(by: \.id)
            .expectPositions(players.keys.sorted(), in: source, using: &random, note)
        try Old.filter(\.isActive && \.score >= score).sorted(by: \.score)
            .expectPositions(
                all.filter { $0.isActive && $0.score >= score }.map(\.id), in: source, using: &random, note)
        #expect(try Old.query().quantile(0.4, of: \.score).resolve(in: source) == all.map(\.score).quantile(0.4), note)
    }

    /// Compares positions in the order of the new keys.
    static func expectSameMoved(
        _ players: [Int: Old], in source: some RecordReadable, using random: inout SeededGenerator, _ note: Comment
    ) throws {
        let score = Int.random(in: 0..<100, using: &random)
        let all = players.values.sorted { ($0.score, $0.team, $0.id) < ($1.score, $1.team, $1.id) }
        func keys(_ players: [Old]) -> [Tuple<String, Int>] { players.map { Tuple($0.team, $0.id) } }
        try New.query().sorted(by: \.score).expectPositions(keys(all), in: source, using: &random, note)
        try New.query().sorted(by: \.id).expectPositions(
            keys(all.sorted { $0.id < $1.id }), in: source, using: &random, note)
        try New.filter(\.isActive && \.score >= score).sorted(by: \.score)
            .expectPositions(keys(all.filter { $0.isActive && $0.score >= score }), in: source, using: &random, note)
        let named = all.filter { $0.name == "a" }.sorted { ($1.score, $0.team, $0.id) < ($0.score, $1.team, $1.id) }
        try New.filter(\.name == "a").sorted(by: \.score.desc)
            .expectPositions(keys(named), in: source, using: &random, note)
        #expect(try New.query().quantile(0.4, of: \.score).resolve(in: source) == all.map(\.score).quantile(0.4), note)
    }

    /// The rows of the counts of the store's indexes, which follow from the keys.
    static func rows(_ store: Store) throws -> [[RawEntry]] {
        try store.read { $0.catalogSnapshot.indexParts(prefix) }
            .filter { $0.key.part > 0 }.sorted { $0.key.text < $1.key.text }
            .map { try store.entries(in: $0.value) }
    }
}

@Suite("Ranked indexes of keys that change") struct RankKeyChangeTests {
    private func makeFile(
        _ count: Int, using random: inout SeededGenerator
    ) throws -> (file: MigratedFile, players: [Int: League.Old]) {
        let players = (0..<count).map { League.player($0, using: &random) }
        let file = try MigratedFile()
        try file.open(League.Old.self).insert(contentsOf: players)
        return (file, Dictionary(uniqueKeysWithValues: players.map { ($0.id, $0) }))
    }

    private func expectMoved(
        _ store: Store, _ players: [Int: League.Old], using random: inout SeededGenerator, _ note: Comment
    ) throws {
        #expect(try store.storedType(League.prefix).isMigrated, note)
        #expect(try store.unreadyIndexes(League.prefix) == [], note)
        #expect(try store.check() == [], note)
        #expect(try Store.verify(path: store.path).findings.isEmpty, note)
        try League.expectSameMoved(players, in: store, using: &random, note)
        let fresh = try Store.temporary(records: [League.New.self])
        try fresh.insert(contentsOf: players.values.map(League.New.init))
        #expect(try League.rows(store) == League.rows(fresh), note)
    }

    @Test(arguments: [MigrationPolicy.onOpen, .background, .lazily])
    func anotherKey_isCountedAgain(_ policy: MigrationPolicy) throws {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        let note: Comment = "TROVE_TEST_SEED=\(seed)"
        let (file, players) = try makeFile(700, using: &random)
        let store = try file.open(League.New.self, migrations: policy)
        // The records are moved or not, and the indexes are built or not.
        try League.expectSameMoved(players, in: store, using: &random, note)
        try store.finishMigrations()
        try expectMoved(store, players, using: &random, note)
        try League.New.query().sorted(by: \.score).expectCounted(in: store, note)
    }

    /// Moves up to so many records to the new keys; returns whether some are left.
    private func moveSome(_ file: MigratedFile, _ count: Int) throws -> Bool {
        let store = try file.open()
        var size = TypeMigration.BatchSize(bytes: 1 << 20, records: count, time: .zero, rests: false)
        guard let migration = try TypeMigration.find(League.New.self, in: store, countsVersions: false) else {
            return false
        }
        _ = try migration.rewriteBatch(in: store, &size, isFirst: true)
        return try store.storedType(League.prefix).migration != nil
    }

    private func expectSound(_ store: Store, _ note: Comment) throws {
        #expect(try store.check() == [], note)
        let type = try store.storedType(League.prefix)
        #expect(try store.read { try $0.checkStoredIndexes(of: type) }.differences == [], note)
        #expect(try Store.verify(path: store.path).findings.isEmpty, note)
    }

    /// Until the keys have moved, programs read by the old keys.
    @Test func stoppedAfterAnyBatch_theOldKeysAreCounted() throws {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        let (file, players) = try makeFile(500, using: &random)
        var batches = 0
        while try moveSome(file, 60) {
            batches += 1
            let note: Comment = "after \(batches) batches, TROVE_TEST_SEED=\(seed)"
            let store = try file.open()
            try League.expectSame(players, in: store, using: &random, note)
            try expectSound(store, note)
        }
        #expect(batches > 5)
        try expectMoved(file.open(League.New.self), players, using: &random, "TROVE_TEST_SEED=\(seed)")
    }

    /// A program with the old key and another layout writes in between: the keys stay, and move again later.
    @Test func aMigrationThatIsGivenUp_leavesTheCounts() throws {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        let note: Comment = "TROVE_TEST_SEED=\(seed)"
        var (file, players) = try makeFile(500, using: &random)
        for _ in 0..<Int.random(in: 1...5, using: &random) { #expect(try moveSome(file, 60), note) }
        do {
            let store = try file.open()
            try store.write { context in
                for _ in 0..<60 {
                    let player = League.player(Int.random(in: 0..<600, using: &random), using: &random)
                    if Bool.random(using: &random) {
                        try context.delete(League.Noted.self, key: player.id)
                        players[player.id] = nil
                    } else {
                        try context.insert(League.Noted(player), onConflict: .replace)
                        players[player.id] = player
                    }
                }
                #expect(try League.Noted.filter(\.id >= 0).count(in: context) == players.count, note)
            }
            try expectSound(store, note)
        }
        do {
            let store = try file.open(League.Noted.self)
            try expectSound(store, note)
            #expect(try store.storedType(League.prefix).isMigrated, note)
            let keys = players.values.sorted { ($0.score, $0.id) < ($1.score, $1.id) }.map(\.id)
            try League.Noted.query().sorted(by: \.score).expectPositions(keys, in: store, using: &random, note)
        }
        try expectMoved(
            file.open(League.New.self, migrations: .allowOlderLayout), players, using: &random, note)
    }

    /// The key becomes what it was.
    @Test func theOldKey_isCountedAgain() throws {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        let (file, players) = try makeFile(700, using: &random)
        let rows = try League.rows(file.open())
        try file.migrate(League.New.self)
        let store = try file.open(League.Old.self, migrations: .allowOlderLayout)
        #expect(try store.unreadyIndexes(League.prefix) == [])
        #expect(try store.check() == [])
        try League.expectSame(players, in: store, using: &random, "TROVE_TEST_SEED=\(seed)")
        #expect(try League.rows(store) == rows, "TROVE_TEST_SEED=\(seed)")
    }
}
