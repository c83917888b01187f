// Statements that are refused, and the errors of misspelled ones.

import CSQLite
import Foundation
import Testing
import Trove
import TroveSQL

struct SafetyTests {
    private let store: Store

    init() throws {
        store = try Store.temporary(records: [User.self, Order.self])
        try store.insert(User(id: 1, name: "Ann", email: "a", age: 3, city: "Oslo"))
        try store.insert(Order(id: 1, total: 3))
    }

    private func error(_ sql: String) -> SQLError? {
        do {
            _ = try store.sql(SQL(raw: sql))
            return nil
        } catch {
            return error as? SQLError
        }
    }

    @Test(arguments: [
        "INSERT INTO User VALUES (2,'','','',0)", "UPDATE User SET age = 1", "DELETE FROM User", "CREATE TABLE t(a)",
        "CREATE TEMP TABLE t(a)", "CREATE VIEW v AS SELECT 1", "DROP TABLE User", "ATTACH 'x.sqlite' AS x",
        "ATTACH ':memory:' AS x", "DETACH main", "PRAGMA journal_mode = OFF", "PRAGMA writable_schema = 1",
        "PRAGMA temp_store_directory = '/'", "VACUUM", "VACUUM INTO '/tmp/x'", "BEGIN", "COMMIT", "ROLLBACK",
        "SAVEPOINT a",
        "ANALYZE", "CREATE VIRTUAL TABLE t USING fts5(a)", "SELECT * FROM pragma_journal_mode",
    ])
    func aStatementThatDoesMoreThanRead_isRefused(sql: String) throws {
        let found = try #require(error(sql), "\(sql)")
        #expect(found.code & 0xFF == Int(SQLITE_AUTH), "\(found.code) \(found)")
        #expect(try store.sql("SELECT count(*) FROM User", as: Int.self) == [1])
    }

    @Test(arguments: [
        ("", SQLITE_MISUSE), ("-- nothing", SQLITE_MISUSE), ("SELECT 1; SELECT 2", SQLITE_MISUSE),
        ("SELECT", SQLITE_ERROR), ("SELECT a FROM", SQLITE_ERROR), ("SELECT load_extension('x')", SQLITE_ERROR),
        ("SELECT fts3_tokenizer('simple')", SQLITE_ERROR), ("ALTER TABLE User ADD x", SQLITE_ERROR),
        ("CREATE TRIGGER t INSERT ON User BEGIN SELECT 1; END", SQLITE_ERROR),
    ])
    func aTextThatSQLiteRefuses_isAnError(sql: String, code: Int32) throws {
        let found = try #require(error(sql), "\(sql)")
        #expect(found.code & 0xFF == Int(code), "\(found.code) \(found)")
    }

    @Test(arguments: [
        "SELECT 1;", "SELECT 1 -- comment",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<9) SELECT i FROM n",
        "SELECT value FROM json_each('[1,2]')", "PRAGMA table_xinfo(User)", "PRAGMA function_list",
        "SELECT row_number() OVER (ORDER BY age) FROM User", "VALUES (1), (2)", "EXPLAIN SELECT 1",
        "SELECT strftime('%Y', 'now')", "SELECT * FROM pragma_table_info('User')",
    ])
    func aStatementThatReads_isRun(sql: String) {
        #expect(error(sql) == nil, "\(String(describing: error(sql)))")
    }

    @Test func aMisspelledName_isSuggested() {
        #expect(error("SELECT * FROM Usr")?.message == "no such table: Usr Did you mean “User”?")
        #expect(error("SELECT nmae FROM User")?.message.contains("“name”") == true)
        #expect(error("SELECT \"nmae\" FROM User") != nil)
        #expect(error("SELECT * FROM Order")?.message.contains(#"write "Order""#) == true)
    }

    @Test func anError_showsItsPlace() throws {
        let found = try #require(error("SELECT name,\n  nmae FROM User"))
        #expect(found.offset == 15)
        #expect(found.description.contains("  nmae FROM User\n      ^"))
        let many = try #require(error("SELECT 1; SELECT 2"))
        #expect(many.message.contains("one statement"))
    }

    @Test func aValueOfAnotherType_isNamed() {
        do {
            _ = try store.sql("SELECT name FROM User", as: Int.self)
            Issue.record("read as an integer")
        } catch {
            #expect("\(error)".contains("The column name has 'Ann'"))
        }
    }

    @Test func aWrongNumberOfArguments_isRefused() {
        #expect(throws: SQLError.self) { try store.sql(SQL(raw: "SELECT ?", arguments: [])) }
        #expect(throws: SQLError.self) { try store.sql(SQL(raw: "SELECT 1", arguments: [.null])) }
    }

    @Test func anEndedContext_isRefused() throws {
        var kept: ReadContext?
        try store.read { kept = $0 }
        let context = try #require(kept)
        #expect(throws: StoreError.self) { try context.sql("SELECT 1") }
        #expect(throws: StoreError.self) { try context.sql("SELECT count(*) FROM User") }
    }

    @Test func fetchingNoStatement_leavesTheStoreUsable() throws {
        #expect(throws: SQLError.self) { try store.sql("SELECT abs(-9223372036854775808) FROM User") }
        #expect(try store.sql("SELECT id FROM User", as: Int.self) == [1])
    }
}
