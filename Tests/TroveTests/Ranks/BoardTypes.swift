// Players with ranked indexes, and the slow answers that arrays of players give.

import Foundation
import Testing
import TroveTestSupport

@testable import Trove

/// Players as successive programs declare them.
enum Board {
    static let prefix: UInt32 = 6_800_001

    @IndexKeyRecord(keyPrefix: 6_800_001, "id")
    struct Plain: Hashable {
        let id: Int
        var team: String
        var score: Int
        var name: String
        var bonus: Double?
        var isActive: Bool
    }

    @IndexKeyRecord(keyPrefix: 6_800_001, "id")
    struct Player: Hashable {
        #Index<Player>(\.score, ranked: true)
        #Index<Player>(\.team, \.score.desc, ranked: true)
        #Index<Player>(\.name, ranked: true)
        #Index<Player>(\.bonus, ranked: true, where: { $0.isActive })
        #Index<Player>(\.id, ranked: true)

        let id: Int
        var team: String
        var score: Int
        var name: String
        var bonus: Double?
        var isActive: Bool
    }

    static func player(_ id: Int, using random: inout SeededGenerator) -> Player {
        let long = String(repeating: "x", count: 600)
        return Player(
            id: id, team: ["red", "blue", ""].randomElement(using: &random) ?? "",
            score: Int.random(in: 0..<200, using: &random),
            name: Int.random(in: 0..<20, using: &random) == 0
                ? long + "\(Int.random(in: 0..<5, using: &random))" : "n\(Int.random(in: 0..<1000, using: &random))",
            bonus: Bool.random(using: &random) ? nil : Double(Int.random(in: -3..<3, using: &random)) / 2,
            isActive: Bool.random(using: &random))
    }
}

extension Board.Plain {
    init(_ player: Board.Player) {
        self.init(
            id: player.id, team: player.team, score: player.score, name: player.name, bonus: player.bonus,
            isActive: player.isActive)
    }
}

/// The players of a test in memory.
struct BoardModel {
    typealias Player = Board.Player

    var players: [Int: Player] = [:]

    /// The players that a closure accepts, by a value and then by key.
    private func sorted<Value: Comparable>(
        _ accepts: (Player) -> Bool = { _ in true }, by value: (Player) -> Value, descending: Bool = false
    ) -> [Player] {
        players.values.filter(accepts).sorted { left, right in
            let (first, second) = (value(left), value(right))
            if first == second { return left.id < right.id }
            return (first < second) != descending
        }
    }

    /// Compares random answers of a store with those of the arrays.
    func expectSame(
        _ source: some RecordReadable, using random: inout SeededGenerator, _ note: Comment
    ) throws {
        let score = Int.random(in: -10..<210, using: &random)
        let other = Int.random(in: -10..<210, using: &random)
        let team = ["red", "blue", "", "none"].randomElement(using: &random) ?? ""
        let all = Player.query()
        try expectCount(Player.filter(\.score > score), in: source, note) { $0.score > score }
        try expectCount(Player.filter(\.score >= score && \.score <= other), in: source, note) {
            $0.score >= score && $0.score <= other
        }
        try expectCount(Player.filter(\.score == score || \.score == other), in: source, note) {
            $0.score == score || $0.score == other
        }
        try expectCount(Player.filter(\.team == team && \.score < score), in: source, note) {
            $0.team == team && $0.score < score
        }
        try expectCount(Player.filter(\.isActive && \.bonus == nil), in: source, note) {
            $0.isActive && $0.bonus == nil
        }
        let lists: [(query: Query<Player>, players: [Player])] = [
            (all.sorted(by: \.score), sorted(by: \.score)),
            (all.sorted(by: \.score.desc), sorted(by: \.score, descending: true)),
            (all.sorted(by: \.name), sorted(by: \.name)),
            (all.sorted(by: \.id.desc), sorted(by: \.id, descending: true)),
            (
                Player.filter(\.team == team).sorted(by: \.score.desc),
                sorted({ $0.team == team }, by: \.score, descending: true)
            ),
            (Player.filter(\.team == team).sorted(by: \.score), sorted({ $0.team == team }, by: \.score)),
            (
                Player.filter(\.score >= score).sorted(by: \.score.desc),
                sorted({ $0.score >= score }, by: \.score, descending: true)
            ),
            (
                Player.filter(\.score < score || \.score > other).sorted(by: \.score),
                sorted({ $0.score < score || $0.score > other }, by: \.score)
            ),
        ]
        for (query, players) in lists {
            let offset = Int.random(in: 0...players.count + 2, using: &random)
            let page = Array(players.dropFirst(offset).prefix(4))
            #expect(try query.offset(offset).limit(4).resolve(in: source) == page, "\(query), \(offset), \(note)")
            #expect(try query.offset(offset).limit(4).count(in: source) == page.count, "\(query), \(offset), \(note)")
            guard let player = self.players.values.randomElement(using: &random) else { continue }
            let rank = players.firstIndex { $0.id == player.id }.map { $0 + 1 }
            #expect(try query.rank(of: player).resolve(in: source) == rank, "\(query), \(player), \(note)")
            #expect(try query.rank(ofKey: -1).resolve(in: source) == nil, note)
        }
        for share in [0, 0.25, 0.5, 0.99, 1] {
            let scores = players.values.map(\.score).sorted()
            let place = max(1, Int((share * Double(scores.count)).rounded(.up))) - 1
            #expect(
                try all.quantile(share, of: \.score).resolve(in: source) == (scores.isEmpty ? nil : scores[place]), note
            )
            let bonuses = players.values.filter(\.isActive).compactMap(\.bonus).sorted()
            let bonusPlace = max(1, Int((share * Double(bonuses.count)).rounded(.up))) - 1
            #expect(
                try Player.filter(\.isActive).quantile(share, of: \.bonus).resolve(in: source)
                    == (bonuses.isEmpty ? nil : bonuses[bonusPlace]), note)
        }
    }

    private func expectCount(
        _ query: Query<Player>, in source: some RecordReadable, _ note: Comment, _ accepts: (Player) -> Bool
    ) throws {
        #expect(try query.count(in: source) == players.values.count(where: accepts), "\(query), \(note)")
    }
}
