// The recipes of Docs/ComingFrom.md: files with the schemas of GRDB, Core Data and SwiftData become records.

import Foundation
import Testing
import Trove
import TroveSQL

enum Moved {
    @IndexKeyRecord("id")
    struct Player: Decodable, Hashable, Sendable {
        #Unique<Player>(\.email, collisions: .throw)

        let id: Int
        var name: String
        var email: String
        var joinedAt: Date
        var isActive: Bool
        var tag: UUID
        var picture: Data?
        var score: Double?
    }

    @IndexKeyRecord("id")
    struct Person: Decodable, Hashable, Sendable {
        let id: Int
        var name: String?
        var date: Date
        var uuid: UUID?
        var isAdmin: Bool
        var team: String?
    }
}

struct RecipeTests {
    private let directory: ForeignDirectory
    private let tag = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))

    init() throws { directory = try ForeignDirectory() }

    /// GRDB stores dates as text with milliseconds, UUIDs as bytes, and booleans as numbers.
    @Test func aFileOfGRDB_becomesRecords() throws {
        let path = try directory.file(
            "grdb.sqlite", "PRAGMA journal_mode = WAL",
            "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)",
            """
            CREATE TABLE "player" ("id" INTEGER PRIMARY KEY AUTOINCREMENT, "name" TEXT NOT NULL,
                "email" TEXT NOT NULL UNIQUE, "joinedAt" DATETIME NOT NULL, "isActive" BOOLEAN NOT NULL DEFAULT 1,
                "tag" BLOB NOT NULL, "picture" BLOB, "score" DOUBLE)
            """,
            "INSERT INTO player VALUES (1, 'Arthur', 'a', '2024-05-01 12:00:00.250', 1, x'0102030405060708090a0b0c0d0e0f10', x'00ff', 1.5)",
            "INSERT INTO player VALUES (7, 'Barbara', 'b', '1999-12-31 23:59:59.000', 0, x'0102030405060708090a0b0c0d0e0f10', NULL, 2)"
        )
        let store = try Store.temporary(records: [Moved.Player.self])
        try store.write { context in
            let players = try context.sql(
                "SELECT * FROM old.player ORDER BY id", as: Moved.Player.self, attaching: ["old": .file(path)])
            try context.insert(contentsOf: players)
        }
        let first = Moved.Player(
            id: 1, name: "Arthur", email: "a", joinedAt: Date(timeIntervalSince1970: 1_714_564_800.25), isActive: true,
            tag: tag, picture: Data([0, 255]), score: 1.5)
        let last = Moved.Player(
            id: 7, name: "Barbara", email: "b", joinedAt: Date(timeIntervalSince1970: 946_684_799), isActive: false,
            tag: tag, picture: nil, score: 2)
        #expect(try Moved.Player.query().resolve(in: store) == [first, last])
        // The same, a row at a time.
        let second = try Store.temporary(records: [Moved.Player.self])
        try second.write { context in
            try context.forEachRow(
                "SELECT id, name, email, joinedAt, isActive, tag, picture, score FROM old.player",
                as: (Int, String, String, Date, Bool, UUID, Data?, Double?).self, attaching: ["old": .file(path)]
            ) { id, name, email, joinedAt, isActive, tag, picture, score in
                try context.insert(
                    Moved.Player(
                        id: id, name: name, email: email, joinedAt: joinedAt, isActive: isActive, tag: tag,
                        picture: picture, score: score))
                return .continue
            }
        }
        #expect(try Moved.Player.query().resolve(in: second) == [first, last])
    }

    @Test func aConflict_undoesTheWholeMove() throws {
        let path = try directory.file(
            "old.sqlite", "CREATE TABLE p(id, email)", "INSERT INTO p VALUES (1, 'x'), (2, 'x')")
        let store = try Store.temporary(records: [Moved.Player.self])
        #expect(throws: StoreError.self) {
            try store.write { context in
                let rows = try context.sql(
                    "SELECT id, email FROM old.p", as: (Int, String).self, attaching: ["old": .file(path)])
                for (id, email) in rows {
                    try context.insert(
                        Moved.Player(
                            id: id, name: "", email: email, joinedAt: .distantPast, isActive: true, tag: tag,
                            picture: nil, score: nil))
                }
            }
        }
        #expect(try Moved.Player.query().count(in: store) == 0)
    }

    /// The names and types of Core Data's tables, which SwiftData has, too.
    private func coreDataFile(_ name: String) throws -> String {
        try directory.file(
            name, "PRAGMA journal_mode = WAL",
            "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
            "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
            """
            CREATE TABLE ZUSER ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZISADMIN INTEGER,
                ZTEAM INTEGER, ZDATE TIMESTAMP, ZNAME VARCHAR, ZUUID BLOB )
            """,
            "CREATE TABLE ZTEAM ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTITLE VARCHAR )",
            "CREATE INDEX ZUSER_ZTEAM_INDEX ON ZUSER (ZTEAM)",
            "INSERT INTO Z_PRIMARYKEY VALUES (1, 'Team', 0, 1), (2, 'User', 0, 2)",
            "INSERT INTO ZTEAM VALUES (1, 1, 1, 'Reds')",
            "INSERT INTO ZUSER VALUES (1, 2, 1, 1, 1, 736257600.5, 'Ann', x'0102030405060708090a0b0c0d0e0f10')",
            "INSERT INTO ZUSER VALUES (2, 2, 1, 0, NULL, -978307200, NULL, NULL)")
    }

    @Test(arguments: ["Model.sqlite", "default.store"])
    func aFileOfCoreDataOrSwiftData_becomesRecords(name: String) throws {
        let path = try coreDataFile(name)
        let store = try Store.temporary(records: [Moved.Person.self])
        try store.write { context in
            let sql: SQL = """
                SELECT u.Z_PK AS id, u.ZNAME AS name, u.ZDATE + 978307200 AS date, u.ZUUID AS uuid,
                    u.ZISADMIN AS isAdmin, t.ZTITLE AS team
                FROM old.ZUSER u LEFT JOIN old.ZTEAM t ON t.Z_PK = u.ZTEAM ORDER BY id
                """
            let people = try context.sql(sql, as: Moved.Person.self, attaching: ["old": .file(path)])
            try context.insert(contentsOf: people)
        }
        #expect(
            try Moved.Person.query().resolve(in: store) == [
                Moved.Person(
                    id: 1, name: "Ann", date: Date(timeIntervalSinceReferenceDate: 736_257_600.5), uuid: tag,
                    isAdmin: true, team: "Reds"),
                Moved.Person(
                    id: 2, name: nil, date: Date(timeIntervalSince1970: 0), uuid: nil, isAdmin: false, team: nil),
            ])
    }
}
