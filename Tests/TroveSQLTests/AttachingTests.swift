// Statements that read files of SQLite in addition to the store.

import Foundation
import Testing
import Trove
import TroveSQL
import TroveTestSupport

struct AttachingTests {
    private let store: Store
    private let directory: ForeignDirectory
    private let old: String

    init() throws {
        store = try Store.temporary(records: [User.self, Purchase.self])
        try store.insert(User(id: 1, name: "Ann", email: "a", age: 3, city: "Oslo"))
        try store.insert(User(id: 2, name: "Bob", email: "b", age: 4, city: "Rome"))
        directory = try ForeignDirectory()
        old = try directory.file(
            "old.sqlite", "CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT NOT NULL, born TEXT)",
            "INSERT INTO users VALUES (2, 'Beth', '2001-02-03'), (7, 'Cid', NULL)",
            "CREATE TABLE User(id, name)", "INSERT INTO User VALUES (99, 'of the file')",
            "CREATE INDEX byName ON users(name)", "CREATE VIEW names AS SELECT name FROM users",
            "CREATE VIEW stolen AS SELECT * FROM Purchase")
    }

    private func error(_ sql: String, _ files: [String: SQLAttachment]) -> SQLError? {
        do {
            _ = try store.sql(SQL(raw: sql), attaching: files)
            return nil
        } catch {
            return error as? SQLError
        }
    }

    @Test func eachForm_readsTheFile() throws {
        struct Name: Decodable, Equatable { var name: String }
        let files: [String: SQLAttachment] = ["old": .file(old)]
        #expect(
            try store.sql("SELECT * FROM old.users WHERE id = \(7)", attaching: files).map(\.json) == [
                #"{"id":7,"name":"Cid","born":null}"#
            ])
        #expect(
            try store.sql("SELECT name FROM old.names ORDER BY 1", as: String.self, attaching: files) == [
                "Beth", "Cid",
            ])
        let joined = try store.sql(
            "SELECT u.name, o.name FROM User u JOIN old.users o ON o.id = u.id", as: (String, String).self,
            attaching: files)
        #expect(joined.map(\.0) == ["Bob"] && joined.map(\.1) == ["Beth"])
        #expect(
            try store.sql("SELECT name FROM users ORDER BY id", as: Name.self, attaching: files).map(\.name) == [
                "Beth", "Cid",
            ])
        var names: [String] = []
        try store.read { context in
            try context.forEachRow("SELECT name FROM old.users", as: String.self, attaching: files) {
                names.append($0)
                return .continue
            }
        }
        #expect(names == ["Beth", "Cid"])
        #expect(
            try store.explainSQL("SELECT * FROM old.users WHERE id = 3", attaching: files).contains(
                "INTEGER PRIMARY KEY"))
    }

    @Test func requestsAndRecords_readTheFile() throws {
        let files: [String: SQLAttachment] = ["old": .file(old)]
        let end: SQL = "WHERE id IN (SELECT id FROM old.users) ORDER BY id"
        #expect(try User.fetch(sql: end, in: store, attaching: files).map(\.name) == ["Bob"])
        #expect(try User.first(sql: end, in: store, attaching: files)?.id == 2)
        #expect(throws: SQLError.self) { try User.fetch(sql: end, in: store) }
        let names = SQLRequest("SELECT name FROM old.users ORDER BY id", as: String.self, attaching: files)
        let pairs = SQLRequest("SELECT id, name FROM old.users WHERE id = 7", as: (Int, String).self, attaching: files)
        let rows = SQLRequest("SELECT count(*) AS n FROM old.users", attaching: files)
        let found = try store.fetch(names, pairs, rows)
        #expect(found.0 == ["Beth", "Cid"] && found.1.map(\.1) == ["Cid"] && found.2.map(\.json) == [#"{"n":2}"#])
        #expect(names.files == files)
    }

    @Test func asyncForms_readTheFile() async throws {
        let files: [String: SQLAttachment] = ["old": .file(old)]
        #expect(
            try await User.fetch(sql: "WHERE id IN (SELECT id FROM old.users)", in: store, attaching: files).count == 1)
        #expect(try await store.sql("SELECT count(*) FROM old.users", as: Int.self, attaching: files) == [2])
        #expect(try await store.sql("SELECT * FROM old.users WHERE id = 7", attaching: files).count == 1)
        #expect(try await store.explainSQL("SELECT * FROM old.users", attaching: files).contains("SCAN"))
    }

    @Test func aWrite_takesItsRecordsFromAFile() throws {
        try store.write { context in
            let rows = try context.sql(
                "SELECT id, name, coalesce(strftime('%Y', born), 0) FROM old.users WHERE id NOT IN (SELECT id FROM User)",
                as: (Int, String, SQLValue).self, attaching: ["old": .file(old)])
            for (id, name, _) in rows {
                try context.insert(User(id: id, name: name, email: name, age: 0, city: ""))
            }
        }
        #expect(try store.sql("SELECT id FROM User ORDER BY id", as: Int.self) == [1, 2, 7])
    }

    @Test func aTypeOfTheStore_comesBeforeATableOfTheFile() throws {
        let files: [String: SQLAttachment] = ["old": .file(old)]
        #expect(try store.sql("SELECT count(*) FROM User", as: Int.self, attaching: files) == [2])
        #expect(try store.sql("SELECT name FROM old.User", as: String.self, attaching: files) == ["of the file"])
        // A table that the file does not have is not the type of that name.
        #expect(error("SELECT * FROM old.Purchase", files)?.message.contains("no such table: old.Purchase") == true)
    }

    @Test func theFile_isAttachedForTheCallOnly() throws {
        #expect(error("SELECT * FROM old.users", ["old": .file(old)]) == nil)
        #expect(error("SELECT * FROM old.users", [:])?.message.contains("no such table") == true)
        #expect(error("SELECT * FROM old.users", ["new": .file(old)])?.message.contains("no such table") == true)
    }

    @Test(arguments: [
        "INSERT INTO old.users VALUES (3,'','')", "UPDATE old.users SET name = ''", "DELETE FROM old.users",
        "CREATE TABLE old.t(a)", "CREATE INDEX old.i ON users(name)", "DROP TABLE old.users", "DROP VIEW old.names",
        "ALTER TABLE old.users ADD x", "CREATE TRIGGER old.t AFTER INSERT ON users BEGIN SELECT 1; END",
        "ATTACH 'x.sqlite' AS x", "DETACH old", "PRAGMA old.journal_mode = DELETE", "PRAGMA old.user_version = 3",
        "VACUUM old", "VACUUM old INTO 'x.sqlite'", "REINDEX", "ANALYZE old", "SELECT * FROM old.stolen",
        "CREATE TABLE main.t AS SELECT * FROM old.users", "CREATE TEMP TABLE t AS SELECT * FROM old.users",
        "DROP TABLE User", "SELECT load_extension('x')", "PRAGMA old.wal_checkpoint",
        "CREATE VIRTUAL TABLE x USING trove_0", "SELECT * FROM trove_0",
    ])
    func aStatementThatDoesMoreThanRead_isRefused(sql: String) throws {
        let before = try directory.contents
        #expect(error(sql, ["old": .file(old)]) != nil, "\(sql)")
        #expect(try directory.contents == before)
        #expect(try store.sql("SELECT count(*) FROM User", as: Int.self) == [2])
    }

    @Test func reading_leavesTheDirectoryAsItIs() throws {
        let before = try directory.contents
        _ = try store.sql("SELECT * FROM old.users a, old.users b ORDER BY a.name", attaching: ["old": .file(old)])
        #expect(try directory.contents == before)
    }

    @Test func randomStatements_touchNoFile() throws {
        var (random, seed) = SeededGenerator.fromEnvironment()
        let file = "'\(directory.path)/x.sqlite'"
        let parts = [
            "ATTACH", "DETACH", file, "AS x", "AS old", "VACUUM", "old", "main", "INTO", "SELECT", "*", "FROM",
            "old.users",
            "User", "old.names", "PRAGMA", "old.journal_mode", "= WAL", "wal_checkpoint", "writable_schema", "= 1",
            "temp_store_directory =", "INSERT INTO", "VALUES (1, 2, 3)", "CREATE TABLE", "old.t(a)", "x.t(a)",
            "DROP TABLE",
            "UPDATE", "SET name = 1", "DELETE FROM", ";", "BEGIN", "COMMIT", "EXPLAIN", "REINDEX", "ANALYZE",
            "load_extension(\(file))", "writefile(\(file), 'x')", "readfile(\(file))",
            "CREATE VIRTUAL TABLE old.v USING",
            "fts5(a)", "trove_0", "WHERE", "name", "1",
        ]
        let before = try directory.contents
        var errors = 0
        for _ in 0..<2000 {
            let words = (0..<Int.random(in: 1...6, using: &random)).compactMap { _ in
                parts.randomElement(using: &random)
            }
            let sql = words.joined(separator: " ")
            if error(sql, ["old": .file(old)]) != nil { errors += 1 }
            // The names alone are quick to compare; the bytes are compared at the end.
            let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
            #expect(names == Array(before.keys), "\(sql), seed \(seed)")
        }
        #expect(try directory.contents == before, "seed \(seed)")
        #expect(try store.sql("SELECT count(*) FROM User", as: Int.self) == [2])
        #expect(errors > 1000)
    }

    @Test func aMissingFile_isNamedAndNotCreated() throws {
        let missing = directory.path + "/missing.sqlite"
        let found = try #require(error("SELECT 1", ["old": .file(missing)]))
        #expect(found.message == "There is no file at \(missing)." && found.file == missing)
        #expect(!FileManager.default.fileExists(atPath: missing))
        #expect(error("SELECT 1", ["old": .file(directory.path)])?.message.contains("is not a file") == true)
        #expect(error("SELECT 1", ["old": .file("")])?.message.contains("There is no file") == true)
        #expect(error("SELECT 1", ["old": .file("a\u{0}b")])?.message.contains("There is no file") == true)
        #expect(error("SELECT 1", ["old": .file("/dev/null")])?.message.contains("is not a file") == true)
        #expect(error("SELECT 1", ["old": .file(":memory:")])?.message.contains("There is no file") == true)
    }

    @Test func aForeignFile_isNamed() throws {
        let path = directory.path + "/notes.txt"
        try Data(repeating: 0x61, count: 5000).write(to: URL(filePath: path))
        let found = try #require(error("SELECT 1", ["old": .file(path)]))
        #expect(found.message.hasPrefix("\(path) cannot be attached: it is not a database") && found.file == path)
        #expect(error("SELECT 1", ["old": .file(store.path)]) != nil)
    }

    @Test func aDamagedFile_isNamed() throws {
        let path = try directory.file(
            "damaged.sqlite", "CREATE TABLE t(a)",
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 3000) INSERT INTO t SELECT hex(i) FROM n"
        )
        var bytes = try Data(contentsOf: URL(filePath: path))
        bytes.replaceSubrange(4096..<8192, with: Data(repeating: 0xFF, count: 4096))
        try bytes.write(to: URL(filePath: path))
        let found = try #require(error("SELECT * FROM old.t", ["old": .file(path)]))
        #expect(found.message.contains("an attached file: \(path)") && found.file == path)
    }

    @Test(arguments: ["main", "TEMP", "", "a b", "1a", "a\"b", "é", "a;b", "x'y"])
    func aNameThatIsNoWord_isRefused(name: String) throws {
        let found = try #require(error("SELECT 1", [name: .file(old)]))
        #expect(found.message.contains("A file cannot be attached as"))
    }

    @Test func namesThatDifferInCaseOnly_areRefused() {
        #expect(error("SELECT 1", ["old": .file(old), "OLD": .file(old)])?.message.contains("Two files") == true)
        let many = Dictionary(uniqueKeysWithValues: (0..<11).map { ("f\($0)", SQLAttachment.file(old)) })
        #expect(error("SELECT 1", many)?.message.contains("11 files") == true)
        let ten = Dictionary(uniqueKeysWithValues: (0..<10).map { ("f\($0)", SQLAttachment.file(old)) })
        #expect(error("SELECT count(*) FROM f9.users", ten) == nil)
        // A word of SQL is a name in quotes.
        #expect(error(#"SELECT * FROM "select".users"#, ["select": .file(old)]) == nil)
    }

    @Test(arguments: ["a b.sqlite", "100%.sqlite", "a?mode=rwc.sqlite", "a#b.sqlite", "é'\".sqlite", "%41.sqlite"])
    func aPathOfAnyCharacters_isThatFile(name: String) throws {
        let path = try directory.file(name, "CREATE TABLE t(a)", "INSERT INTO t VALUES (5)")
        #expect(try store.sql("SELECT a FROM x.t", as: Int.self, attaching: ["x": .file(path)]) == [5])
    }

    @Test func aFileWithALogInAdvance_isRead() throws {
        let path = directory.path + "/wal.sqlite"
        let writer = try NativeDatabase(path: path)
        _ = try writer.rows("PRAGMA journal_mode = WAL")
        _ = try writer.rows("CREATE TABLE t(a)")
        _ = try writer.rows("INSERT INTO t VALUES (1)")
        // The rows are in the log.
        #expect(try store.sql("SELECT a FROM old.t", as: Int.self, attaching: ["old": .file(path)]) == [1])
        _ = try writer.rows("INSERT INTO t VALUES (2)")
        #expect(try store.sql("SELECT sum(a) FROM old.t", as: Int.self, attaching: ["old": .file(path)]) == [3])
    }

    /// Beside a database in an app's bundle, no file can be created.
    @Test func aFileWithALogInAdvance_isReadWhereNoFileCanBeCreated() throws {
        let path = try directory.file(
            "wal.sqlite", "PRAGMA journal_mode = WAL", "CREATE TABLE t(a)", "INSERT INTO t VALUES (1)")
        try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: directory.path)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: directory.path) }
        #expect(try store.sql("SELECT a FROM old.t", as: Int.self, attaching: ["old": .file(path)]) == [1])
    }

    @Test func aFullTextTableOfTheFile_isRead() throws {
        let path = try directory.file(
            "text.sqlite", "CREATE VIRTUAL TABLE notes USING fts5(body)",
            "INSERT INTO notes VALUES ('red fox'), ('owl')")
        #expect(
            try store.sql(
                "SELECT body FROM old.notes WHERE notes MATCH 'fox'", as: String.self, attaching: ["old": .file(path)])
                == ["red fox"])
    }

    /// An R-Tree prepares writes of its tables when it is opened.
    @Test func anRTreeOfTheFile_isReadAndNeverWritten() throws {
        let path = try directory.file(
            "map.sqlite", "CREATE VIRTUAL TABLE places USING rtree(id, west, east, south, north)",
            "INSERT INTO places VALUES (1, 0, 1, 0, 1), (2, 5, 6, 5, 6)", "CREATE TABLE x_node(a)")
        let files: [String: SQLAttachment] = ["old": .file(path)]
        #expect(
            try store.sql("SELECT id FROM old.places WHERE west > 3", as: Int.self, attaching: files) == [2])
        #expect(
            try store.sql(
                "SELECT name FROM User u JOIN old.places p ON p.id = u.id WHERE p.east < 3", as: String.self,
                attaching: files) == ["Ann"])
        let before = try directory.contents
        let writes = [
            "INSERT INTO old.places VALUES (3, 0, 0, 0, 0)", "DELETE FROM old.places", "DELETE FROM old.places_node",
            "INSERT INTO old.places_node VALUES (9, x'')", "UPDATE old.places_rowid SET nodeno = 7",
            "DELETE FROM old.places_parent", "INSERT INTO old.x_node VALUES (1)", "DROP TABLE old.places",
        ]
        for sql in writes {
            #expect(error(sql, files) != nil, "\(sql)")
            #expect(throws: SQLError.self, "\(sql)") { try store.write(sql: SQL(raw: sql), attaching: files) }
        }
        #expect(try directory.contents == before)
        let added = try store.write(
            sql: "INSERT INTO User SELECT id + 10, 'n', 'e' || id, 1, '' FROM old.places", attaching: files)
        #expect(added.changes == 2)
    }

    /// SQLite has no created table of such a name, or with as many columns.
    @Test func aTypeThatSQLiteRefuses_leavesTheOthersUsable() throws {
        let columns = (0..<2001).map { "p\($0):Int64" }.joined(separator: ",")
        func type(_ name: String, _ prefix: Int, _ fields: String = "") -> String {
            #"["type",{"name":"M.\#(name)","keyPrefix":\#(prefix),"key":"(id:Int64)","#
                + #""layouts":[{"version":1,"layout":"(id:Int64){\#(fields)}"}],"oldest":1}]"#
        }
        let strange = try Store.temporary()
        try strange.load(
            from: [
                #"["trove",3]"#, type("sqlite_x", 5), #"{"id":4}"#, type("Wide", 6, columns), type("Note", 7),
                #"{"id":5}"#, #"["end",2]"#,
            ])
        let files: [String: SQLAttachment] = ["old": .file(old)]
        #expect(
            try strange.sql(
                "SELECT id FROM Note UNION SELECT id FROM old.users ORDER BY 1", as: Int.self, attaching: files)
                == [2, 5, 7])
        for (name, reason) in [("sqlite_x", "reserved"), ("Wide", "too many columns")] {
            let found = #expect(throws: SQLError.self) {
                try strange.sql("SELECT * FROM \(raw: name)", attaching: files)
            }
            #expect(found?.message.contains("no such table: \(name). SQLite refuses the table") == true)
            #expect(found?.message.contains(reason) == true, "\(found?.message ?? "")")
        }
        #expect(try strange.sql(#"SELECT id FROM "M.sqlite_x""#, as: Int.self, attaching: files) == [4])
    }

    @Test func aRaisedInterruption_endsAStatement() throws {
        let interruption = StatementInterruption()
        interruption.raise()
        #expect(throws: CancellationError.self) {
            try StatementCall.$interruption.withValue(interruption) {
                try store.sql("SELECT * FROM User WHERE name = 'nobody'")
            }
        }
        #expect(throws: CancellationError.self) {
            try StatementCall.$interruption.withValue(interruption) {
                try store.sql(
                    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT max(i) FROM n")
            }
        }
        #expect(try store.sql("SELECT count(*) FROM User", as: Int.self) == [2])
    }

    @Test func anInterruption_endsAStatementOfAnotherThread() throws {
        let interruption = StatementInterruption()
        #expect(throws: CancellationError.self) {
            try StatementCall.$interruption.withValue(interruption) {
                try store.read { context in
                    var count = 0
                    try context.forEachRow(
                        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT i FROM n", as: Int.self
                    ) { _ in
                        count += 1
                        if count == 3 { Thread { interruption.raise() }.start() }
                        return .continue
                    }
                }
            }
        }
    }
}
