// Records that are loaded from a dump into types with ranked indexes.

import Foundation
import Testing
import TroveTestSupport

@testable import Trove

@IndexKeyRecord("id")
private struct Lap: Hashable {
    #Index<Lap>(\.seconds, ranked: true)

    let id: Int
    var seconds: Int
}

@Suite("Ranked indexes of loaded records") struct LoadedRankTests {
    private typealias Player = Board.Player

    private func players(_ ids: Range<Int>, using random: inout SeededGenerator) -> [Player] {
        ids.map { Board.player($0, using: &random) }
    }

    /// The lines of a dump of players.
    private func dump(_ players: [Player]) throws -> [String] {
        let store = try Store.temporary(records: [Player.self])
        try store.insert(contentsOf: players)
        return try store.dump()
    }

    private func expectSound(
        _ file: MigratedFile, _ model: BoardModel, using random: inout SeededGenerator, _ note: Comment
    ) throws {
        let store = try file.open(Player.self)
        #expect(try store.unreadyIndexes(Board.prefix) == [], note)
        #expect(try store.check() == [], note)
        #expect(try Store.verify(path: store.path).findings.isEmpty, note)
        try model.expectSame(store, using: &random, note)
        // The rows follow from the records, not from the way to them.
        let fresh = try Store.temporary(records: [Player.self])
        try fresh.insert(contentsOf: model.players.values.sorted { $0.id < $1.id })
        #expect(try rankRows(store) == rankRows(fresh), note)
    }

    /// A program that does not declare the type maintains the counts by the definitions in the catalog.
    @Test(arguments: [false, true]) func loadedRecords_areCounted(isDeclared: Bool) throws {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        let file = try MigratedFile()
        var model = BoardModel()
        for player in players(0..<600, using: &random) { model.players[player.id] = player }
        try file.open(Player.self).insert(contentsOf: model.players.values.sorted { $0.id < $1.id })
        for round in 0..<Torture.amount(2, full: 40) {
            let note: Comment = "round \(round), TROVE_TEST_SEED=\(seed)"
            let first = Int.random(in: 0..<700, using: &random)
            let loaded = players(first..<first + Int.random(in: 1..<200, using: &random), using: &random)
            let rule: ConflictRule = Bool.random(using: &random) ? .replace : .ignore
            for player in loaded where rule == .replace || model.players[player.id] == nil {
                model.players[player.id] = player
            }
            let store = try isDeclared ? file.open(Player.self) : file.open()
            let report = try store.load(lines: dump(loaded), onConflict: rule)
            // The index with a condition is emptied if only its program can maintain it.
            let emptied = isDeclared ? [] : ["ranked(bonus where { $0.isActive })"]
            #expect(report.types.map(\.indexesToRebuild) == [emptied], note)
            #expect(try store.unreadyIndexes(Board.prefix) == emptied, note)
            try model.expectSame(store, using: &random, note)
            let type = try store.storedType(Board.prefix)
            #expect(try store.read { try $0.checkStoredIndexes(of: type) }.differences == [], note)
            // The program builds what was emptied.
            if round % 2 == 0 { try file.migrate(Player.self) }
        }
        try expectSound(file, model, using: &random, "TROVE_TEST_SEED=\(seed)")
    }

    /// The first program with the type builds the indexes that the text does not have.
    @Test func aStoreThatALoadHasFilled_isCounted() throws {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        let players = players(0..<500, using: &random)
        let lines = try dump(players)
        let model = BoardModel(players: Dictionary(uniqueKeysWithValues: players.map { ($0.id, $0) }))
        for isDeclared in [false, true] {
            let file = try MigratedFile()
            let store = try isDeclared ? file.open(Player.self) : file.open()
            try store.load(lines: lines)
            try model.expectSame(store, using: &random, "TROVE_TEST_SEED=\(seed)")
            try expectSound(file, model, using: &random, "TROVE_TEST_SEED=\(seed)")
        }
    }

    @Test(arguments: [false, true]) func aLoadThatFails_leavesTheCounts(isDeclared: Bool) throws {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        let players = players(0..<500, using: &random)
        let file = try MigratedFile()
        try file.open(Player.self).insert(contentsOf: players)
        let model = BoardModel(players: Dictionary(uniqueKeysWithValues: players.map { ($0.id, $0) }))
        let rows = try rankRows(file.open())
        do {
            let store = try isDeclared ? file.open(Player.self) : file.open()
            // The end of the dump is missing.
            let lines = try dump(self.players(400..<600, using: &random)).dropLast()
            #expect(loadError { try store.load(lines: Array(lines), onConflict: .replace) } != nil)
            // The last of these records is stored.
            let other = try dump(self.players(-100..<1, using: &random))
            #expect(loadError { try store.load(lines: other) } != nil)
        }
        #expect(try rankRows(file.open()) == rows, "TROVE_TEST_SEED=\(seed)")
        try expectSound(file, model, using: &random, "TROVE_TEST_SEED=\(seed)")
    }

    /// Indexes are emptied after that many records, and built again.
    @Test(arguments: [false, true]) func aLargeLoad_isCounted(isDeclared: Bool) throws {
        let file = try MigratedFile()
        try file.open(Lap.self).insert(contentsOf: [Lap(id: -1, seconds: 0), Lap(id: 5, seconds: -1)])
        let count = LoadedIndexes.usualLimit + 50
        do {
            let store = try isDeclared ? file.open(Lap.self) : file.open()
            let lines = (0..<count).map { "{\"id\":\($0),\"seconds\":\($0 * 7 % count)}" }
            let report = try store.load(from: lines, onConflict: .replace, type: "Lap")
            #expect(report.records == count)
            #expect(report.types.map(\.indexesToRebuild) == [isDeclared ? [] : ["ranked(seconds)"]])
            #expect(report.types.map(\.rebuiltIndexes) == [isDeclared ? ["ranked(seconds)"] : []])
        }
        let store = try file.open(Lap.self)
        #expect(try store.check() == [])
        let laps = [Lap(id: -1, seconds: 0)] + (0..<count).map { Lap(id: $0, seconds: $0 * 7 % count) }
        let keys = laps.sorted { ($0.seconds, $0.id) < ($1.seconds, $1.id) }.map(\.id)
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        let list = Lap.query().sorted(by: \.seconds)
        try list.expectCounted(in: store, "TROVE_TEST_SEED=\(seed)")
        try list.expectPositions(keys, in: store, using: &random, "TROVE_TEST_SEED=\(seed)")
        #expect(try Lap.filter(\.seconds > 4_000).count(in: store) == laps.count { $0.seconds > 4_000 })
        #expect(try Lap.query().quantile(0.3, of: \.seconds).resolve(in: store) == laps.map(\.seconds).quantile(0.3))
    }
}
