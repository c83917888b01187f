// Statements at the edges of types, keys, names and memory.

import Foundation
import Testing
import Trove
import TroveSQL
import TroveTestSupport

struct EdgeTests {
    private let store: Store

    init() throws {
        store = try Store.temporary(records: [User.self, Purchase.self, File.self, Pair.self, Various.self])
    }

    private static func user(_ id: Int, _ name: String, age: Int, email: String? = nil) -> User {
        User(id: id, name: name, email: email ?? "\(id)@example.com", age: age, city: "Oslo")
    }

    // MARK: Keys

    @Test func aTextKey_isFoundByANumber() throws {
        try store.insert(File(owner: 1, name: "30", wide: .max, kind: 0, note: ""))
        #expect(try store.sql("SELECT name FROM File WHERE owner = 1 AND name = 30", as: String.self) == ["30"])
        #expect(try store.sql("SELECT name FROM File WHERE owner = 1 AND name IN (30, 'x')", as: String.self) == ["30"])
        #expect(try store.sql("SELECT name FROM File WHERE owner = 1 AND name > 29", as: String.self) == ["30"])
    }

    /// The keys of looked up records are in memory that the next lookup overwrites, and SQLite keeps values of groups.
    @Test func keysOfJoins_areKept() throws {
        let names = ["aa", "zz", "mm"]
        for (id, name) in names.enumerated() {
            try store.insert(Self.user(id, name, age: id))
            try store.insert(Pair(group: name, number: Int32(id), value: nil, moment: nil))
            try store.insert(Purchase(id: id, person: [0, 2, 1][id], amount: 1))
        }
        #expect(
            try store.sql(
                #"SELECT max(p."group") FROM User u JOIN Pair p ON p."group" = u.name AND p.number = u.id"#,
                as: String.self) == ["zz"])
        let keys = try store.sql("SELECT hex(_key) FROM User ORDER BY id", as: String.self)
        #expect(
            try store.sql(
                "SELECT hex(max(u._key)) FROM Purchase p JOIN User u ON u.id = p.person", as: String.self)
                == [keys[2]])
    }

    // MARK: Orders

    @Test func aGroup_isInTheOrderOfTheStatement() throws {
        for id in 0..<6 { try store.insert(Self.user(id, "n", age: id % 3)) }
        for id in 0..<6 { try store.insert(Pair(group: "\(id % 2)", number: Int32(6 - id), value: nil, moment: nil)) }
        #expect(
            try store.sql("SELECT age FROM User GROUP BY age ORDER BY age DESC", as: Int.self) == [2, 1, 0])
        #expect(try store.sql("SELECT age FROM User GROUP BY age ORDER BY age", as: Int.self) == [0, 1, 2])
        let pairs = try store.sql(
            #"SELECT number, "group" FROM Pair GROUP BY number, "group" ORDER BY number, "group""#,
            as: (Int, String).self)
        #expect(pairs.map(\.0) == [1, 2, 3, 4, 5, 6])
    }

    @Test func longEntries_areNoObstacle() throws {
        let long = String(repeating: "x", count: 600)
        for number in 0..<8 {
            try store.insert(
                File(
                    owner: number, name: "n", wide: 0, kind: Int8(number % 2),
                    note: number < 4 ? long + "\(9 - number)" : "\(number)"))
        }
        #expect(try store.sql("SELECT count(*) FROM File GROUP BY kind", as: Int.self) == [4, 4])
        let note = "\(long)7"
        let sql: SQL = "SELECT owner FROM File WHERE kind = 0 AND note = '\(raw: note)' ORDER BY owner"
        #expect(try store.sql(sql, as: Int.self) == [2])
        #expect(
            try store.sql("SELECT owner FROM File WHERE kind = 1 ORDER BY note", as: Int.self) == [5, 7, 3, 1])
        try store.read { context in
            var owners: [Int] = []
            try context.forEachRow("SELECT owner FROM File ORDER BY kind, note", as: Int.self) { owner in
                owners.append(owner)
                return .continue
            }
            #expect(owners == [4, 6, 2, 0, 5, 7, 3, 1])
        }
    }

    /// A later row of a stream meets a value without a place in the order of SQL.
    @Test func aStream_hasNoInternalError() throws {
        for id in 0..<4 { try store.insert(Purchase(id: id, person: id % 2, amount: id == 3 ? .nan : Double(id))) }
        for id in 0..<2 { try store.insert(Self.user(id, "n", age: id)) }
        try store.read { context in
            var found: [Double?] = []
            let sql: SQL = "SELECT (SELECT max(amount) FROM Purchase p WHERE p.person = u.id) FROM User u ORDER BY u.id"
            try context.forEachRow(sql, as: Double?.self) { amount in
                found.append(amount)
                return .continue
            }
            #expect(found == [2, 1])
        }
    }

    // MARK: Values

    @Test func wideIntegers_areComparedExactly() throws {
        for (owner, wide) in ([.max, .max - 1, 1 << 63, 5] as [UInt64]).enumerated() {
            try store.insert(File(owner: owner, name: "", wide: wide, kind: 0, note: ""))
        }
        #expect(try store.sql("SELECT owner FROM File WHERE wide = \(UInt64.max)", as: Int.self) == [0])
        #expect(try store.sql("SELECT owner FROM File WHERE wide = \(UInt64(5))", as: Int.self) == [3])
        #expect(try store.sql("SELECT owner FROM File WHERE wide = 5.0", as: Int.self) == [3])
        #expect(try store.sql("SELECT owner FROM File WHERE wide > 5 ORDER BY wide", as: Int.self) == [2, 1, 0])
        #expect(
            try store.sql("SELECT count(*) FROM File a JOIN File b ON a.wide = b.wide", as: Int.self) == [4])
    }

    @Test func secondsAsText_areThoseSince1970() throws {
        let moment = Date(timeIntervalSince1970: 1_700_000_000)
        #expect(try store.sql("SELECT strftime('%s', \(moment))", as: Date.self) == [moment])
        #expect(try store.sql("SELECT \(moment)", as: Date.self) == [moment])
        #expect(throws: SQLError.self) { try store.sql("SELECT 'never'", as: Date.self) }
        let late = Date(timeIntervalSinceReferenceDate: 1e300)
        #expect(try store.sql("SELECT \(late)", as: Date.self) == [late])
    }

    @Test func bytes_areAnArgument() throws {
        let data = Data([0, 1, 255])
        #expect(try store.sql("SELECT hex(\(data)), \(data)", as: (String, Data).self).first.map { $0.1 } == data)
    }

    @Test func aListOfAnyLength_isWhatItsValuesSay() throws {
        try store.insert(Self.user(1, "a\0b", age: 1))
        try store.insert(Self.user(2, "1", age: 2))
        for count in [3, 5_000, 40_000] {
            let texts = ["1"] + (1..<count).map { "t\($0)" }
            #expect(try store.sql("SELECT id FROM User WHERE name IN \(texts)", as: Int.self) == [2], "\(count)")
            let ages = [2] + (1..<count).map { -$0 }
            #expect(try store.sql("SELECT id FROM User WHERE age IN \(ages)", as: Int.self) == [2], "\(count)")
        }
        let names = ["a\0b"] + (1..<5_000).map { "t\($0)" }
        #expect(try store.sql("SELECT id FROM User WHERE name IN \(names)", as: Int.self) == [1])
        let numbers = (1..<5_000).map { $0 }
        #expect(try store.sql("SELECT id FROM User WHERE name IN \(numbers)", as: Int.self) == [2])
    }

    // MARK: Texts of statements

    @Test func aZeroInAStatement_isRefused() throws {
        let sql = SQL(raw: "SELECT count(*) FROM User\0 WHERE id = 1")
        let error = #expect(throws: SQLError.self) { try store.sql(sql) }
        #expect(error?.offset == 25)
    }

    /// Texts that are equal as characters are two statements.
    @Test func statements_areToldApartByTheirBytes() throws {
        for (text, count) in [("caf\u{E9}", 5), ("cafe\u{301}", 6), ("caf\u{E9}", 5)] {
            let sql: SQL = "SELECT length(CAST('\(raw: text)' AS BLOB))"
            #expect(try store.sql(sql, as: Int.self) == [count])
        }
    }

    /// With the mark, a quote is another character, and the same byte.
    @Test func quotesBeforeACombiningMark_areDoubled() throws {
        let text = "a'\u{301}, 1 --\"\u{301},b"
        let rows = try store.sql(SQL(raw: "SELECT \(SQLValue.text(text)) AS \(text.quotedForSQL)"))
        #expect(rows.count == 1 && rows[0].values == [.text(text)] && rows[0].columns == [text])
        #expect(SQLRow.csv(of: [.text("\"\u{301},")]) == "\"\"\"\u{301},\"")
    }

    @Test func aLongPattern_isRefused() throws {
        let pattern = "%" + String(repeating: "a", count: 2_000) + "b"
        #expect(throws: SQLError.self) { try store.sql("SELECT count(*) FROM User WHERE 'a' LIKE \(pattern)") }
    }

    // MARK: Joins

    /// SQLite reads the key of each row of the right table, to find the rows without a match. No statement names it.
    @Test func aRightJoin_tellsCountedRowsApart() throws {
        let count = 100
        try store.insert(Self.user(1, "n", age: 1))
        for id in 0..<count { try store.insert(Purchase(id: id, person: 1, amount: 1)) }
        // The rows of another statement are still in memory.
        _ = try store.sql("SELECT * FROM Purchase")
        let sql: SQL = "SELECT count(*) FROM User u RIGHT JOIN Purchase p ON random() & 1"
        #expect(try store.explainSQL(sql).contains("count of the records"))
        #expect(try store.sql(sql, as: Int.self) == [count])
        #expect(
            try store.sql("SELECT count(*) FROM User u FULL JOIN Purchase p ON u.id = 2", as: Int.self) == [count + 1])
    }

    // MARK: Plans and connections

    @Test func aPlanMadeWithFewRecords_usesTheIndexLater() throws {
        try store.insert(Self.user(1, "n", age: 30))
        let sql: SQL = "SELECT id FROM User WHERE age = \(30)"
        #expect(try store.sql(sql, as: Int.self) == [1])
        #expect(try store.explainSQL(sql).contains("index(age)"))
    }

    @Test func aTypeThatIsDeclaredLater_isATable() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("store")
        let first = try Store(path: path, records: [User.self])
        #expect(try first.sql("SELECT count(*) FROM User", as: Int.self) == [0])
        let second = try Store(path: path, records: [User.self, Purchase.self])
        #expect(try second.sql("SELECT count(*) FROM Purchase", as: Int.self) == [0])
        _ = first
    }
}
