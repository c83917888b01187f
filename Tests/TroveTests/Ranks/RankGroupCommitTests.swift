// Players that several tasks save at the same time: writes share commits, and those that throw leave no count.

import Foundation
import Testing
import TroveTestSupport

@testable import Trove

private struct Undone: Error {}

/// A write of a few steps, which may fail at its end.
private struct RandomWrite: Sendable {
    enum Step: Sendable {
        case insert([Board.Player])
        case delete(Int)
        case deleteScore(Int)
        case nested(RandomWrite)
    }

    var steps: [Step]
    var fails: Bool
    /// The number of changes from which on they are counted at once.
    var limit: Int
    /// The key and the score whose positions the write reads at its end.
    var key: Int
    var score: Int

    init(depth: Int = 1, using random: inout SeededGenerator) {
        fails = Int.random(in: 0..<3, using: &random) == 0
        limit = [1, 10, 100_000].randomElement(using: &random) ?? 1
        (key, score) = (Int.random(in: 0..<1_000, using: &random), Int.random(in: 0..<200, using: &random))
        steps = (0..<Int.random(in: 1..<4, using: &random)).map { _ in
            let id = Int.random(in: 0..<1_000, using: &random)
            switch Int.random(in: 0..<7, using: &random) {
            case 0..<3: return .insert([Board.player(id, using: &random)])
            case 3: return .insert((id..<id + 40).map { Board.player($0, using: &random) })
            case 4: return .deleteScore(id % 200)
            case 5 where depth > 0: return .nested(RandomWrite(depth: depth - 1, using: &random))
            default: return .delete(id)
            }
        }
    }

    /// Returns the number of players above the score, and the rank of the key; 0 without a rank.
    @discardableResult
    func run(in context: TransactionContext) throws -> [Int] {
        context.ranks.limit = limit
        for step in steps {
            switch step {
            case .insert(let players): try context.insert(contentsOf: players, onConflict: .replace)
            case .delete(let id): try context.delete(Board.Player.self, key: id)
            case .deleteScore(let score): try Board.Player.filter(\.score == score).delete(in: context)
            case .nested(let write):
                do { try context.nested { _ = try write.run(in: $0) } } catch is Undone {}
            }
        }
        let above = try Board.Player.filter(\.score > score).count(in: context)
        let rank = try Board.Player.query().sorted(by: \.score.desc).rank(ofKey: key).resolve(in: context) ?? 0
        if fails { throw Undone() }
        return [above, rank]
    }

    /// Carries out the write in memory, and returns its answers; nil if it fails.
    @discardableResult
    func apply(to model: inout BoardModel) -> [Int]? {
        let before = model
        for step in steps {
            switch step {
            case .insert(let players): for player in players { model.players[player.id] = player }
            case .delete(let id): model.players[id] = nil
            case .deleteScore(let score): model.players = model.players.filter { $0.value.score != score }
            case .nested(let write): write.apply(to: &model)
            }
        }
        if fails {
            model = before
            return nil
        }
        let above = model.players.values.count { $0.score > score }
        guard let player = model.players[key] else { return [above, 0] }
        let better = model.players.values.count {
            $0.score > player.score || $0.score == player.score && $0.id < player.id
        }
        return [above, better + 1]
    }
}

@Suite("Ranked indexes in groups of writes") struct RankGroupCommitTests {
    private typealias Player = Board.Player

    private func expectSound(_ store: Store, _ note: Comment) async throws {
        #expect(try await store.check() == [], note)
        #expect(
            try await store.read { try $0.checkStoredIndexes(of: $0.storedTypes()[0]).differences.count } == 0, note)
    }

    /// Each write of a group reads the counts of the writes before it, and none of those that have thrown.
    @Test func writesThatWaitTogether_countWhatTheirOrderSays() async throws {
        var (random, seed) = SeededGenerator.fromEnvironment()
        let line = try WriterLine()
        var model = BoardModel()
        let players = (0..<600).map { Board.player($0, using: &random) }
        for player in players { model.players[player.id] = player }
        try await line.store.insert(contentsOf: players)
        for round in 0..<Torture.amount(8, full: 100) {
            let note: Comment = "round \(round), TROVE_TEST_SEED=\(seed)"
            let writes = (0..<Int.random(in: 1..<25, using: &random)).map { _ in RandomWrite(using: &random) }
            let results = await line.write(writes.map { write in { try write.run(in: $0) } })
            #expect(results.map { $0.failed(with: Undone.self) } == writes.map(\.fails), note)
            #expect(results.map(\.value) == writes.map { $0.apply(to: &model) }, note)
            try model.expectSame(line.store, using: &random, note)
        }
        try await expectSound(line.store, "TROVE_TEST_SEED=\(seed)")
    }

    /// Whatever commits the writes of many tasks share, the counts of each moment are those of its players.
    @Test func savesOfManyTasks_areCounted_unlessTheyThrow() async throws {
        var (random, seed) = SeededGenerator.fromEnvironment()
        let store = try await Store.temporary(records: [Player.self])
        var model = BoardModel()
        let players = (0..<700).map { Board.player($0, using: &random) }
        for player in players { model.players[player.id] = player }
        try await store.insert(contentsOf: players)
        // No two tasks write the same player.
        let others = (0..<700).map { Board.player($0 % 3 == 0 ? $0 + 1_000 : $0, using: &random) }
        let wrong = await withTaskGroup(of: String?.self) { group in
            for (number, player) in others.enumerated() {
                group.addTask {
                    do {
                        let answers = try await store.write { context in
                            try context.insert(player, onConflict: .replace)
                            if number % 7 == 0 { try context.delete(Player.self, key: number) }
                            var answers: [Int] = []
                            if number % 40 < 2 {
                                let score = player.score
                                answers = [
                                    try Player.filter(\.score >= score).count(in: context),
                                    try Player.query().resolve(in: context).count { $0.score >= score },
                                ]
                            }
                            if number % 5 == 0 { throw Undone() }
                            return answers
                        }
                        return Set(answers).count > 1 ? "\(number): \(answers)" : nil
                    } catch is Undone {
                        return number % 5 == 0 ? nil : "\(number) is undone"
                    } catch {
                        return "\(number): \(error)"
                    }
                }
            }
            return await group.reduce(into: [String]()) { if let text = $1 { $0.append(text) } }
        }
        #expect(wrong == [], "TROVE_TEST_SEED=\(seed)")
        for (number, player) in others.enumerated() where number % 5 != 0 {
            model.players[player.id] = player
            if number % 7 == 0 { model.players[number] = nil }
        }
        try model.expectSame(store, using: &random, "TROVE_TEST_SEED=\(seed)")
        try await expectSound(store, "TROVE_TEST_SEED=\(seed)")
    }
}
