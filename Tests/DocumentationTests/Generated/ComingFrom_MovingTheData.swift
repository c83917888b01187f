// The Swift samples of Docs/ComingFrom.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove
import TroveSQL

// Docs/ComingFrom.md:369
private struct OldPlayers: Sequence, IteratorProtocol {  // stands for a cursor of the old library
    var id = 0
    mutating func next() -> Player? {
        guard id < 25_000 else { return nil }
        id += 1
        return Player(id: id, name: "Player \(id)")
    }
}

// Docs/ComingFrom.md:378
@IndexKeyRecord("id")
private struct Player {
    let id: Int
    var name: String
}

// Docs/ComingFrom.md:406
@IndexKeyRecord("id")
private struct player {
    let id: Int
    var name: String
    var joined_at: String
}

// Docs/ComingFrom.md:413
@IndexKeyRecord("Z_PK")
private struct ZUSER {
    let Z_PK: Int
    var ZNAME: String?
    var ZDATE: Double
    var ZTEAM: Int?
}

// Docs/ComingFrom.md:421
@IndexKeyRecord("Z_PK")
private struct ZTEAM {
    let Z_PK: Int
    var ZTITLE: String
}

// Docs/ComingFrom.md:437
@IndexKeyRecord("id")
private struct Member: Decodable {
    let id: Int
    var name: String
    var joinedAt: Date
}

// Docs/ComingFrom.md:467
@IndexKeyRecord("id")
private struct User: Decodable {
    let id: Int
    var name: String?
    var date: Date
    var team: String?
}

enum ComingFrom_MovingTheData {
    @Sendable static func run() throws {
        // Docs/ComingFrom.md:369


        let store = try Store(path: samplePath("game.trove"), records: [Player.self])
        var batch: [Player] = []
        for player in OldPlayers() {
            batch.append(player)
            if batch.count == 10_000 {
                try store.insert(contentsOf: batch)
                batch.removeAll(keepingCapacity: true)
            }
        }
        try store.insert(contentsOf: batch)
        expectOutput(try Player.query().count(in: store), is: #"25000"#, at: "Docs/ComingFrom.md:394")
        // Docs/ComingFrom.md:404



        do {
            let old = try Store.temporary(records: [player.self, ZUSER.self, ZTEAM.self])
            try old.insert(player(id: 1, name: "Arthur", joined_at: "2024-05-01 12:00:00.000"))
            try old.insert(ZUSER(Z_PK: 1, ZNAME: "Ann", ZDATE: 736_257_600, ZTEAM: 1))
            try old.insert(ZTEAM(Z_PK: 1, ZTITLE: "Reds"))
            try old.exportSQLite(to: samplePath("grdb.sqlite"), types: ["player"])
            try old.exportSQLite(to: samplePath("default.store"), types: ["ZUSER", "ZTEAM"])
        }
        // Docs/ComingFrom.md:437

        let clubs = try Store(path: samplePath("club.trove"), records: [Member.self])
        try clubs.write { context in
            let members = try context.sql(
                "SELECT id, name, joined_at AS joinedAt FROM old.player ORDER BY id", as: Member.self,
                attaching: ["old": .file(samplePath("grdb.sqlite"))])
            try context.insert(contentsOf: members)
        }
        expectOutput(try Member.query().count(in: clubs), is: #"1"#, at: "Docs/ComingFrom.md:451")
        // Docs/ComingFrom.md:467

        let users = try Store(path: samplePath("users.trove"), records: [User.self])
        try users.write { context in
            let sql: SQL = """
                SELECT u.Z_PK AS id, u.ZNAME AS name, u.ZDATE + 978307200 AS date, t.ZTITLE AS team
                FROM old.ZUSER u LEFT JOIN old.ZTEAM t ON t.Z_PK = u.ZTEAM ORDER BY id
                """
            try context.insert(contentsOf: context.sql(sql, as: User.self, attaching: ["old": .file(samplePath("default.store"))]))
        }
        expectOutput(try User.get(in: users, id: 1)?.team ?? "none", is: #"Reds"#, at: "Docs/ComingFrom.md:483")
        _ = store
        _ = batch
        _ = clubs
        _ = users
    }
}
