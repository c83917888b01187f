// The Swift samples of Docs/Aggregates.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Aggregates.md:190
@IndexKeyRecord("id")
private struct Player {
    #Index<Player>(\.score, ranked: true)

    let id: Int
    var score: Int
}

enum Aggregates_Ranks {
    @Sendable static func run() throws {
        // Docs/Aggregates.md:190

        let store = try Store.temporary(records: [Player.self])
        try store.insert(contentsOf: (0..<1_000).map { Player(id: $0, score: $0 * 7 % 1_000) })

        let board = Player.query().sorted(by: \.score.desc)
        expectOutput(try board.limit(3).resolve(in: store).map(\.score), is: #"[999, 998, 997]"#, at: "Docs/Aggregates.md:202")

        // The position of a player, and the players around it:
        let player = Player(id: 100, score: 700)
        let rank = try board.rank(of: player).resolve(in: store) ?? 0
        expectOutput(rank, is: #"300"#, at: "Docs/Aggregates.md:207")
        expectOutput(try board.offset(rank - 2).limit(3).resolve(in: store).map(\.score), is: #"[701, 700, 699]"#, at: "Docs/Aggregates.md:208")

        // How many are better, a page far down, the median:
        expectOutput(try Player.filter(\.score > 700).count(in: store), is: #"299"#, at: "Docs/Aggregates.md:211")
        expectOutput(try board.offset(900).limit(2).resolve(in: store).map(\.score), is: #"[99, 98]"#, at: "Docs/Aggregates.md:212")
        expectOutput(try Player.query().quantile(0.5, of: \.score).resolve(in: store) ?? 0, is: #"499"#, at: "Docs/Aggregates.md:213")

        print(try board.offset(900).limit(2).explain(in: store))
        // scan ranked(score) of Player, all entries
        // order: score desc; as stored, groups backwards
        // limit 2, offset 900 by the counts of entries
        // entries to read: 1000
        _ = store
        _ = board
        _ = player
        _ = rank
    }
}
