// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:682
@IndexKeyRecord("name")
private struct Player {
    #Index<Player>(\.league, \.score, ranked: true)

    let name: String
    var league: String
    var score: Int
}

// Docs/Cookbook.md:691
private struct Standing {
    var rank: Int
    var around: [Player]
}

// Docs/Cookbook.md:696
extension Player {
    static func board(_ league: String) -> Query<Player> {
        filter(\.league == league).sorted(by: \.score.desc)
    }

    /// Returns the rank of a player, and the players from two ranks before to two after.
    static func standing(of name: String, in league: String, _ store: Store) throws -> Standing? {
        try store.read { context in
            guard let rank = try board(league).rank(ofKey: name).resolve(in: context) else { return nil }
            let first = max(0, rank - 3)
            return Standing(rank: rank, around: try board(league).offset(first).limit(5).resolve(in: context))
        }
    }
}

enum Cookbook_ALeaderboard {
    @Sendable static func run() throws {
        // Docs/Cookbook.md:682



        let store = try Store.temporary(records: [Player.self])
        try store.insert(contentsOf: (0..<900).map { number in
            Player(name: "player \(number)", league: ["east", "west", "north"][number % 3], score: number * 7 % 1_000)
        })

        expectOutput(try Player.board("east").limit(2).resolve(in: store).map(\.score), is: #"[998, 995]"#, at: "Docs/Cookbook.md:716")
        if let standing = try Player.standing(of: "player 150", in: "east", store) {
            expectOutput(standing.rank, standing.around.map(\.score), is: #"283 [58, 53, 50, 48, 45]"#, at: "Docs/Cookbook.md:718")
        }
        expectOutput(try Player.filter(\.league == "east").quantile(0.5, of: \.score).resolve(in: store) ?? 0, is: #"473"#, at: "Docs/Cookbook.md:720")
        _ = store
    }
}
