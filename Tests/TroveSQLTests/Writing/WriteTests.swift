// Statements that write: their results, their transactions, and their conflicts.

import Foundation
import Testing
import Trove
import TroveSQL

struct WriteTests {
    private let store: Store

    init() throws {
        store = try Store.temporary(records: [User.self, Purchase.self, Entry.self, Quiet.self])
        try store.write { context in
            for id in 1...3 { try context.insert(Self.user(id)) }
        }
    }

    private static func user(_ id: Int, email: String? = nil) -> User {
        User(id: id, name: "n\(id)", email: email ?? "e\(id)", age: 10 * id, city: id < 3 ? "Oslo" : "Rome")
    }

    private func users() throws -> [User] { try User.query().resolve(in: store) }

    /// Runs a statement that must fail, and returns its error.
    private func error(_ sql: SQL) throws -> SQLError {
        let before = try users()
        let error = try #require(#expect(throws: SQLError.self) { try store.write(sql: sql) })
        #expect(try users() == before)
        #expect(error.sql == sql.text)
        return error
    }

    private func check() throws { #expect(try store.check().isEmpty) }

    // MARK: The calls

    @Test func theSampleOfTheIssue_works() throws {
        let id = 2
        try store.write { context in try context.sql("UPDATE User SET age = age + 1 WHERE id = \(id)") }
        #expect(try users().map(\.age) == [10, 21, 30])
        try check()
    }

    @Test func aResult_hasRowsAndChanges() throws {
        try store.write { context in
            let updated = try context.sql("UPDATE User SET city = 'Bonn' WHERE age > \(10)")
            #expect(updated.changes == 2 && updated.isEmpty)
            let inserted = try context.sql(
                "INSERT INTO User(id, name, email, age, city) VALUES (7, 'n', 'e', 1, 'c') RETURNING id, name AS n")
            #expect(inserted.changes == 1 && inserted.map(\.json) == [#"{"id":7,"n":"n"}"#])
            let people = try context.sql("INSERT INTO Purchase VALUES (1, 7, 2.5) RETURNING person", as: Int.self)
            #expect(people == [7])
            let rows = try context.sql("SELECT id FROM User ORDER BY id")
            #expect(rows.changes == 0 && rows.map { $0[0] } == [1, 2, 3, 7].map { .integer($0) })
            let list: [SQLRow] = try context.sql("DELETE FROM User WHERE id = 7")
            #expect(list.isEmpty)
            #expect(try context.sql("WITH n AS (SELECT 1) SELECT * FROM n").count == 1)
        }
        #expect(try users().map(\.city) == ["Oslo", "Bonn", "Bonn"])
        #expect(try store.write(sql: "DELETE FROM User").changes == 3)
        #expect(try users().isEmpty)
        try check()
    }

    @Test func theAsyncForm_writes() async throws {
        let changes = try await store.write(sql: "UPDATE User SET age = 1 WHERE id < \(3)").changes
        #expect(changes == 2)
        #expect(try await store.sql("SELECT sum(age) FROM User", as: Int.self) == [32])
    }

    @Test func aStatementIsPreparedOnce_andRunWithOtherValues() throws {
        try store.write { context in
            for id in 1...3 {
                let changes = try context.sql("UPDATE User SET age = \(id) WHERE id = \(id)").changes
                #expect(changes == 1)
            }
        }
        #expect(try users().map(\.age) == [1, 2, 3])
    }

    @Test func thePlanOfAStatement_isExplained() throws {
        #expect(try store.explainSQL("UPDATE User SET age = 1 WHERE id = 3") == "SEARCH User by key (id=?)")
        #expect(try store.explainSQL("DELETE FROM User WHERE age = 3").contains("index(age) (age=?)"))
        #expect(try users().map(\.age) == [10, 20, 30])
        #expect(throws: SQLError.self) { try store.explainSQL("UPDATE User SET nothing = 1") }
        let sql: SQL = "WITH x AS (SELECT 1 AS i) DELETE FROM User WHERE id IN (SELECT i FROM x)"
        #expect(try store.explainSQL(sql).contains("User by key"))
    }

    // MARK: What is read

    @Test func readsInAWrite_seeItsChanges() throws {
        try store.write { context in
            try context.sql("DELETE FROM User WHERE id = 1")
            try context.sql("INSERT INTO User VALUES (4, 'n4', 'e4', 40, 'Oslo')")
            #expect(try context.sql("SELECT id FROM User WHERE city = 'Oslo' ORDER BY age", as: Int.self) == [2, 4])
            #expect(try User.fetch(sql: "WHERE age > 25 ORDER BY id", in: context).map(\.id) == [3, 4])
            #expect(try context.sql("SELECT email FROM User WHERE email = 'e4'", as: String.self) == ["e4"])
        }
    }

    @Test func anUpdate_doesNotMeetItsOwnChanges() throws {
        for id in 4...300 { try store.insert(Self.user(id)) }
        try store.write(sql: "UPDATE User SET age = age + 1000 WHERE age > 0")
        #expect(try users().map(\.age) == (1...300).map { $0 * 10 + 1000 })
        try store.write(sql: "UPDATE User SET id = id + 1000 WHERE id > 0")
        #expect(try users().map(\.id) == (1001...1300).map { $0 })
        try store.write(sql: "INSERT INTO User SELECT id + 1000, name, 'x' || email, age, city FROM User WHERE age > 0")
        #expect(try users().map(\.id) == (1001...1300).map { $0 } + (2001...2300).map { $0 })
        try check()
    }

    /// SQLite knows by the name of a table alone that it must read all rows first.
    @Test func anInsert_doesNotReadItsOwnRowsByAnotherName() throws {
        let store = try Store.temporary(records: [Chats.Message.self])
        try store.insert(Chats.Message(id: 1))
        let other: SQL = "INSERT INTO Message SELECT id + 1 FROM \"Chats.Message\""
        let error = #expect(throws: SQLError.self) { try store.write(sql: other) }
        #expect(error?.message.contains("its own rows") == true, "\(String(describing: error))")
        try store.write(sql: "INSERT INTO Message SELECT id + 1 FROM Message")
        #expect(try store.sql("SELECT id FROM Message", as: Int.self) == [1, 2])
    }

    @Test func aStatement_insertsFromAnotherTable() throws {
        let sql: SQL = "INSERT INTO Purchase SELECT id, id * 2, age / 4.0 FROM User WHERE age >= \(20)"
        #expect(try store.write(sql: sql).changes == 2)
        #expect(try store.sql("SELECT amount FROM Purchase ORDER BY id", as: Double.self) == [5, 7.5])
        try store.write(sql: "UPDATE User SET age = p.amount * 4 + 1, name = 'x' FROM Purchase p WHERE p.id = User.id")
        #expect(try users().map(\.age) == [10, 21, 31])
        #expect(try users().map(\.email) == ["e1", "e2", "e3"])
        #expect(try store.write(sql: "DELETE FROM User WHERE id IN (SELECT id FROM Purchase)").changes == 2)
        #expect(try users().map(\.id) == [1])
        try check()
    }

    // MARK: Transactions

    @Test func anError_undoesItsStatementAlone() throws {
        try store.write { context in
            try context.sql("UPDATE User SET age = 1 WHERE id = 1")
            let error = #expect(throws: SQLError.self) {
                try context.sql("INSERT INTO User VALUES (8, 'n', 'e8', 1, 'c'), (9, 'n', 'e1', 1, 'c')")
            }
            #expect(error?.code == 2067)
            #expect(try context.sql("SELECT id FROM User ORDER BY id", as: Int.self) == [1, 2, 3])
            try context.sql("UPDATE User SET age = 3 WHERE id = 3")
        }
        #expect(try users().map(\.age) == [1, 20, 3])
        try check()
    }

    @Test func anErrorOfTheClosure_undoesItsStatements() throws {
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try store.write { context in
                try context.sql("DELETE FROM User")
                throw Stop()
            }
        }
        #expect(try users().count == 3)
    }

    @Test func aNestedTransaction_isUndoneWithItsStatements() throws {
        struct Stop: Error {}
        try store.write { context in
            try context.sql("UPDATE User SET age = 7 WHERE id = 1")
            #expect(throws: Stop.self) {
                try context.nested { context in
                    try context.sql("DELETE FROM User")
                    #expect(try context.sql("SELECT count(*) FROM User", as: Int.self) == [0])
                    throw Stop()
                }
            }
            #expect(try context.sql("SELECT sum(age) FROM User", as: Int.self) == [57])
        }
    }

    @Test(arguments: ["BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT a", "RELEASE a", "ROLLBACK TO a", "END"])
    func aTransactionInAContext_isRefused(sql: String) throws {
        try store.write { context in
            let error = #expect(throws: SQLError.self) { try context.sql(SQL(raw: sql)) }
            #expect(error?.message == "The closure of read or write is the transaction.")
        }
    }

    @Test func aTypeWithoutRecords_isWritten() throws {
        try store.write { context in
            try context.sql("INSERT INTO Purchase VALUES (1, 2, 3)")
            #expect(try context.sql("SELECT person FROM Purchase", as: Int.self) == [2])
            try context.sql("UPDATE Purchase SET amount = 4")
        }
        #expect(try store.sql("SELECT amount FROM Purchase", as: Double.self) == [4])
        try check()
    }

    @Test func observers_seeWhatAStatementWrites() async throws {
        var iterator = store.observe { context in
            try context.sql("SELECT sum(age) FROM User", as: Int.self)[0]
        }.makeAsyncIterator()
        #expect(try await iterator.next() == 60)
        try await store.write(sql: "UPDATE User SET age = age * 2")
        #expect(try await iterator.next() == 120)
    }

    // MARK: Conflicts

    @Test func aStoredKey_isAConflict() throws {
        let error = try error("INSERT INTO User VALUES (9, 'n', 'e9', 1, 'c'), (1, 'n', 'x', 1, 'c')")
        #expect(error.code == 1555 && error.message.contains("User with the key") && error.cause != nil)
        if case .record(.keyExists)? = error.cause {} else { Issue.record("\(error)") }
    }

    @Test func aStoredUniqueValue_isAConflict() throws {
        for sql: SQL in ["INSERT INTO User VALUES (9, 'n', 'e1', 1, 'c')", "UPDATE User SET email = 'e1' WHERE id = 2"]
        {
            let error = try error(sql)
            #expect(error.code == 2067 && error.message.contains("unique(email)"))
            if case .record(.notUnique)? = error.cause {} else { Issue.record("\(error)") }
        }
    }

    @Test func orIgnore_leavesRowsOut() throws {
        let sql: SQL = """
            INSERT OR IGNORE INTO User VALUES (1, 'n', 'x', 1, 'c'), (4, 'n', 'e1', 1, 'c'), (5, NULL, 'y', 1, 'c'),
            (6, 'n', 'e6', 1, 'c')
            """
        #expect(try store.write(sql: sql).changes == 1)
        #expect(try users().map(\.id) == [1, 2, 3, 6])
        #expect(try store.write(sql: "UPDATE OR IGNORE User SET email = 'e6' WHERE id IN (1, 6)").changes == 1)
        #expect(try store.write(sql: "UPDATE OR IGNORE User SET id = id + 1 WHERE id = 1").changes == 0)
        #expect(try users().map(\.email) == ["e1", "e2", "e3", "e6"])
        // A value of another type is an error all the same.
        let wrong = try error("INSERT OR IGNORE INTO User VALUES (7, 'n', 'e7', 'old', 'c')")
        #expect(wrong.code == 3091)
        try check()
    }

    @Test func orReplace_deletesWhatIsInTheWay() throws {
        #expect(try store.write(sql: "INSERT OR REPLACE INTO User VALUES (1, 'new', 'e2', 5, 'c')").changes == 1)
        #expect(try users().map(\.id) == [1, 3])
        #expect(try users().first == User(id: 1, name: "new", email: "e2", age: 5, city: "c"))
        try store.write(sql: "REPLACE INTO User VALUES (3, 'three', 'e3', 5, 'c')")
        try store.write(sql: "UPDATE OR REPLACE User SET email = 'e3' WHERE id = 1")
        #expect(try users().map(\.id) == [1])
        try store.insert(Self.user(2))
        try store.write(sql: "UPDATE OR REPLACE User SET id = 2 WHERE id = 1")
        #expect(try users() == [User(id: 2, name: "new", email: "e3", age: 5, city: "c")])
        try check()
    }

    @Test func orFail_changesNothing() throws {
        for word in ["FAIL", "ROLLBACK", "ABORT"] {
            let sql: SQL = "INSERT OR \(raw: word) INTO User VALUES (8, 'n', 'e8', 1, 'c'), (1, 'n', 'x', 1, 'c')"
            let error = try error(sql)
            #expect(error.code == 1555)
        }
    }

    @Test func aRuleOfTheType_appliesFirst() throws {
        #expect(try store.write(sql: "INSERT INTO Quiet VALUES (1, 'a', 1), (2, 'a', 20), (3, 'b', 30)").changes == 2)
        #expect(try store.sql("SELECT id FROM Quiet ORDER BY id", as: Int.self) == [1, 3])
        #expect(try store.write(sql: "UPDATE Quiet SET name = 'b' WHERE id = 1").changes == 0)
        #expect(try store.write(sql: "UPDATE Quiet SET id = 9, name = 'b' WHERE id = 1").changes == 0)
        #expect(try Quiet.query().resolve(in: store).map(\.name) == ["a", "b"])
        #expect(try Quiet.query().resolve(in: store).map(\.id) == [1, 3])
        try store.write(sql: "UPDATE Quiet SET code = 50 WHERE id = 1")
        try check()
    }

    // MARK: Keys

    @Test func aChangedKey_isADeleteAndAnInsert() throws {
        #expect(try store.write(sql: "UPDATE User SET id = 9, name = 'nine' WHERE id = 2").changes == 1)
        #expect(try users().map(\.id) == [1, 3, 9])
        #expect(try users().last == User(id: 9, name: "nine", email: "e2", age: 20, city: "Oslo"))
        let taken = try error("UPDATE User SET id = 1 WHERE id = 9")
        #expect(taken.code == 1555)
        try check()
    }

    @Test func keysOfSeveralComponents_areWritten() throws {
        try store.write { context in
            try context.sql("INSERT INTO Entry VALUES ('a', 1, '2024-05-01', NULL), ('a', 2, '2024-05-01', 'n')")
            try context.sql("UPDATE Entry SET rank = 3 WHERE owner = 'a' AND rank = 1")
            try context.sql("UPDATE Entry SET note = owner || rank")
            try context.sql("DELETE FROM Entry WHERE rank = 2")
        }
        let day = try #require(Date(sqlValue: .text("2024-05-01")))
        #expect(
            try Entry.query().resolve(in: store)
                == [Entry(owner: "a", rank: Descending(3), day: day, note: "a3")])
    }

    @Test func theHiddenKey_followsFromTheKey() throws {
        let key = try store.sql("SELECT _key FROM User WHERE id = 1", as: Data.self)[0]
        let inserted = try error("INSERT INTO User(id, name, email, age, city, _key) VALUES (9, '', '', 1, '', x'00')")
        let updated = try error("UPDATE User SET _key = x'00' WHERE id = 1")
        #expect([inserted, updated].allSatisfy { $0.code == 19 && $0.message.contains("leave the column out") })
        #expect(try store.write(sql: "UPDATE User SET age = 5, _key = \(key) WHERE _key = \(key)").changes == 1)
        #expect(try store.write(sql: "DELETE FROM User WHERE _key = \(key)").changes == 1)
    }

    @Test func aKeyThatIsTooLong_isRefused() throws {
        let long = String(repeating: "x", count: 600)
        let error = try error("INSERT INTO Entry VALUES (\(long), 1, 0, NULL)")
        if case .record(.keyTooLarge)? = error.cause {} else { Issue.record("\(error)") }
    }

    // MARK: What SQLite does not do

    @Test func anUpsert_saysWhatToWrite() throws {
        let error = try error("INSERT INTO User VALUES (1, '', '', 1, '') ON CONFLICT(id) DO UPDATE SET age = 1")
        #expect(error.message.contains("UPSERT") && error.message.contains("INSERT OR REPLACE"))
    }

    @Test(arguments: ["UPDATE User SET age = 1 RETURNING id", "DELETE FROM User RETURNING id"])
    func returningOfAnUpdate_saysWhatToWrite(sql: String) throws {
        let error = try error(SQL(raw: sql))
        #expect(error.message.contains("RETURNING") && error.message.contains("SELECT"), "\(error)")
    }

    @Test(arguments: [
        "CREATE TABLE t(a)", "CREATE TEMP TABLE t(a)", "CREATE INDEX i ON User(age)", "DROP TABLE User",
        "CREATE TRIGGER t AFTER INSERT ON User BEGIN SELECT 1; END", "ALTER TABLE User ADD x",
        "CREATE TEMP TRIGGER t INSERT ON User BEGIN SELECT 1; END", "CREATE VIEW v AS SELECT 1",
        "INSERT INTO sqlite_master VALUES (1,1,1,1,1)", "DELETE FROM sqlite_master",
        "UPDATE sqlite_master SET sql = ''",
        "ATTACH ':memory:' AS x", "PRAGMA writable_schema = 1", "VACUUM", "ANALYZE", "PRAGMA journal_mode = OFF",
        "INSERT INTO json_each VALUES (1)", "DELETE FROM User; DELETE FROM Purchase",
        "DELETE FROM trove_types", "UPDATE trove_indexes SET name = ''",
    ])
    func aWriteOfTheSchema_isRefused(sql: String) throws {
        _ = try error(SQL(raw: sql))
    }
}
