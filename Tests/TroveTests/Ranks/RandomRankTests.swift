// Random work on records with ranked indexes: every answer is that of a sorted array.

import Foundation
import LMDB
import Testing
import TroveTestSupport

@testable import Trove

private struct Undone: Error {}

@Suite("Random changes of ranked indexes") struct RandomRankTests {
    private typealias Player = Board.Player

    private func change(
        _ context: TransactionContext, _ model: inout BoardModel, _ random: inout SeededGenerator, _ note: Comment,
        depth: Int = 0
    ) throws {
        for _ in 0..<Int.random(in: 1...5, using: &random) {
            let id = Int.random(in: 0..<4_000, using: &random)
            switch Int.random(in: 0..<12, using: &random) {
            case 0..<3:
                let player = Board.player(id, using: &random)
                try context.insert(player, onConflict: .replace)
                model.players[id] = player
            case 3, 4:
                let size = Int.random(in: 1..<400, using: &random)
                let players = (id..<id + size).map { Board.player($0, using: &random) }
                try context.insert(contentsOf: players, onConflict: .replace)
                for player in players { model.players[player.id] = player }
            case 5:
                try context.delete(Player.self, key: id)
                model.players[id] = nil
            case 6:
                let score = id % 200
                try Player.filter(\.score == score).update(in: context) { $0.score += 100 }
                for (id, player) in model.players where player.score == score {
                    model.players[id]?.score = player.score + 100
                }
            case 7:
                let end = id + 300
                try Player.filter(\.id >= id && \.id < end).delete(in: context)
                model.players = model.players.filter { $0.key < id || $0.key >= end }
            case 8 where id < 100:
                try Player.query().delete(in: context)
                model.players = [:]
            case 8, 9:
                try model.expectSame(context, using: &random, "in a transaction, \(note)")
            default:
                guard depth < 3 else { continue }
                let isUndone = Bool.random(using: &random)
                let before = model
                do {
                    try context.nested { nested in
                        try change(nested, &model, &random, note, depth: depth + 1)
                        if isUndone { throw Undone() }
                    }
                } catch is Undone { model = before }
            }
        }
    }

    @Test func everyAnswer_isThatOfASortedArray() throws {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        let file = try MigratedFile()
        var store = try file.open(Player.self)
        var model = BoardModel()
        for round in 0..<Torture.amount(24, full: 200) {
            let note: Comment = "round \(round) of TROVE_TEST_SEED=\(seed)"
            let before = model
            do {
                try store.write { context in
                    context.ranks.limit = [1, 10, 1_000, 100_000].randomElement(using: &random) ?? 1
                    try change(context, &model, &random, note)
                    if Int.random(in: 0..<6, using: &random) == 0 { throw Undone() }
                }
            } catch is Undone { model = before }
            if round % 4 == 0 { try model.expectSame(store, using: &random, note) }
            if round % 10 == 3 { #expect(try store.check() == [], note) }
            if round % 20 == 11 { store = try file.open(Player.self) }
        }
        #expect(try store.check() == [], "TROVE_TEST_SEED=\(seed)")
        let before = try rankRows(store)
        try store.rebuild(Player.self)
        #expect(try rankRows(store) == before, "the rows of a rebuild, TROVE_TEST_SEED=\(seed)")
        try Player.filter(\.id >= 0).delete(in: store)
        #expect(try rankRows(store).isEmpty, "what comes and goes leaves no row, TROVE_TEST_SEED=\(seed)")
        #expect(try Store.verify(path: store.path).findings.isEmpty)
    }

    /// The bytes of the counts follow from the records alone.
    @Test func equalRecords_haveEqualRows() throws {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        let players = (0..<3_000).map { Board.player($0, using: &random) }
        let first = try Store.temporary(records: [Player.self])
        try first.insert(contentsOf: players)
        let second = try Store.temporary(records: [Player.self])
        for part in stride(from: 0, to: 3_000, by: 100) {
            try second.insert(contentsOf: players.shuffled(using: &random)[..<30], onConflict: .replace)
            try second.insert(contentsOf: players[part..<part + 100], onConflict: .replace)
        }
        #expect(try rankRows(first) == rankRows(second), "TROVE_TEST_SEED=\(seed)")
        #expect(try rankRows(first).contains { $0.key.first == 2 }, "a second level")
    }

    /// A million equal values differ from these in their number only.
    @Test func equalValues_haveRanks() throws {
        let store = try Store.temporary(records: [Player.self])
        try store.insert(
            contentsOf: (0..<5_000).map {
                Player(id: $0, team: "red", score: 7, name: "", bonus: nil, isActive: false)
            })
        let list = Player.query().sorted(by: \.score.desc)
        #expect(try list.rank(ofKey: 4_321).resolve(in: store) == 4_322)
        #expect(try list.offset(4_000).limit(1).resolve(in: store).map(\.id) == [4_000])
        #expect(try Player.filter(\.score == 7).count(in: store) == 5_000)
        #expect(try Player.filter(\.score == 7).sorted(by: \.id.desc).rank(ofKey: 0).resolve(in: store) == 5_000)
    }
}

/// Returns the rows of the counts of all ranked indexes.
func rankRows(_ store: Store) throws -> [RawEntry] {
    try store.read { $0.catalogSnapshot.indexParts(Board.prefix) }
        .filter { $0.key.part > 0 }.sorted { $0.key.text < $1.key.text }
        .flatMap { try store.entries(in: $0.value) }
}
