// The Swift samples of Docs/SQL.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove
import TroveSQL

// Docs/SQL.md:386
@IndexKeyRecord("id")
private struct Player {
    #Index<Player>(\.score, ranked: true)
    #Totals<Player>(by: \.team)

    let id: Int
    var team: String
    var score: Int
}

enum SQL_RanksAndTotals {
    @Sendable static func run() throws {
        // Docs/SQL.md:384


        let store = try Store.temporary(records: [Player.self])
        try store.insert(
            contentsOf: (0..<1_000).map { Player(id: $0, team: $0 % 2 == 0 ? "red" : "blue", score: $0 * 7 % 1_000) })

        let page: SQL = "SELECT score FROM Player ORDER BY score DESC LIMIT 2 OFFSET \(900)"
        expectOutput(try store.sql(page, as: Int.self), is: #"[99, 98]"#, at: "Docs/SQL.md:401")
        print(try store.explainSQL(page))
        // SCAN Player by all of covering ranked(score), descending, after the offset by counts

        let better: SQL = "SELECT count(*) FROM Player WHERE score > \(700)"
        expectOutput(try store.sql(better, as: Int.self), is: #"[299]"#, at: "Docs/SQL.md:406")
        expectOutput(try store.explainSQL(better), is: #"SEARCH Player by count of ranked(score) (score>?)"#, at: "Docs/SQL.md:407")

        expectOutput(try store.sql("SELECT count(*) FROM Player WHERE team = 'red'", as: Int.self), is: #"[500]"#, at: "Docs/SQL.md:409")
        print(try store.explainSQL("SELECT DISTINCT team FROM Player"))
        // SCAN Player by all of covering totals(team), a row for each group
        _ = store
        _ = page
        _ = better
    }
}
