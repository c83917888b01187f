// The export of a store as a file of SQLite, read by SQLite alone.

import Foundation
import Testing
import Trove
import TroveSQL

enum Kinds {
    @IndexKeyRecord("day", "number")
    struct Entry: Sendable {
        #Index<Entry>(\.amount.desc, \.note)

        let day: Descending<String>
        let number: Int
        var amount: Double
        var note: String?
    }

    @IndexKeyRecord("code")
    struct Code: Sendable {
        let code: UUID
        var order: Int
    }

    @IndexKeyRecord("key")
    struct Nilable: Sendable {
        let key: Int?
        var text: String
    }

    @IndexKeyRecord("price")
    struct Priced: Sendable {
        let price: Decimal
        var wide: UInt64
    }
}

struct ExportTests {
    private let directory: ForeignDirectory

    init() throws { directory = try ForeignDirectory() }

    private var path: String { directory.path + "/out.sqlite" }

    private func names(_ database: NativeDatabase) throws -> [SQLValue] {
        try database.rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY 1").map { $0[0] }
    }

    @Test func everyValue_isThatOfSQLOnTheStore() throws {
        let store = try Store.temporary(records: [Various.self])
        try store.write { context in for id in 0..<2 { try context.insert(ValueTests.various(id)) } }
        let export = try store.exportSQLite(to: path)
        #expect(export.tables.map(\.name) == ["Various"] && export.tables.map(\.rows) == [2])
        let database = try NativeDatabase(path: path)
        #expect(try database.rows("PRAGMA integrity_check") == [[.text("ok")]])
        let exported = try database.rows("SELECT * FROM Various ORDER BY id")
        #expect(try exported == store.sql("SELECT * FROM Various ORDER BY id").map(\.values))
        #expect(exported.count == 2)
        // The digits of a decimal number with more than those of a real.
        #expect(
            try database.rows("SELECT price, typeof(wide) FROM Various WHERE id = 1") == [
                [.text("12345678901234567890.123"), .text("text")]
            ])
    }

    @Test func keysAndIndexes_areThoseOfTheTypes() throws {
        let store = try Store.temporary(records: [User.self, Order.self, Kinds.Entry.self, Kinds.Code.self])
        try store.write { context in
            for id in 1...50 {
                try context.insert(User(id: id, name: "n\(id)", email: "\(id)", age: id % 7, city: "Oslo"))
            }
            try context.insert(Order(id: 3, total: 5))
            for number in [2, 1] {
                for day in ["a", "b"] {
                    try context.insert(
                        Kinds.Entry(day: Descending(day), number: number, amount: .nan, note: nil))
                }
            }
            try context.insert(Kinds.Code(code: UUID(), order: 1))
        }
        let export = try store.exportSQLite(to: path)
        #expect(export.tables.reduce(0) { $0 + $1.rows } == 56)
        let database = try NativeDatabase(path: path)
        #expect(try database.rows("PRAGMA integrity_check") == [[.text("ok")]])
        #expect(try names(database) == ["Code", "Entry", "Order", "User"].map { .text($0) })
        func definition(_ name: String) throws -> String? {
            guard
                case .text(let text)? = try database.rows(
                    "SELECT sql FROM sqlite_master WHERE name = ?", [.text(name)]
                ).first?.first
            else { return nil }
            return text
        }
        #expect(
            try definition("User")
                == "CREATE TABLE User (id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT NOT NULL, age INTEGER NOT NULL, city TEXT NOT NULL)"
        )
        #expect(try definition("User_age") == "CREATE INDEX User_age ON User (age)")
        #expect(try definition("User_email") == "CREATE UNIQUE INDEX User_email ON User (email)")
        #expect(try definition("Order") == #"CREATE TABLE "Order" (id INTEGER PRIMARY KEY, total INTEGER NOT NULL)"#)
        #expect(
            try definition("Entry")
                == "CREATE TABLE Entry (day TEXT NOT NULL, number INTEGER NOT NULL, amount REAL, note TEXT, PRIMARY KEY (day DESC, number))"
        )
        #expect(try definition("Entry_amount_note") == "CREATE INDEX Entry_amount_note ON Entry (amount DESC, note)")
        #expect(
            try definition("Code")
                == #"CREATE TABLE Code (code TEXT NOT NULL, "order" INTEGER NOT NULL, PRIMARY KEY (code))"#)
        // The order of the store is that of the primary key.
        #expect(
            try database.rows("SELECT day, number FROM Entry ORDER BY day DESC, number")
                == store.sql("SELECT day, number FROM Entry").map(\.values))
        let plan = try database.rows("EXPLAIN QUERY PLAN SELECT * FROM User WHERE email = '3'")
        #expect("\(plan)".contains("User_email"))
        #expect(throws: NativeDatabase.Failure.self) {
            try database.rows("INSERT INTO User VALUES (99, 'x', '3', 1, '')")
        }
    }

    @Test func aKeyThatCanBeNil_isNoRowNumber() throws {
        let store = try Store.temporary(records: [Kinds.Nilable.self, Kinds.Priced.self])
        try store.write { context in
            try context.insert(Kinds.Nilable(key: nil, text: "nil"))
            try context.insert(Kinds.Nilable(key: 1, text: "one"))
            for price in ["0.1", "12345678901234567890.1", "12345678901234567890.2"] {
                try context.insert(Kinds.Priced(price: #require(Decimal(string: price)), wide: .max))
            }
        }
        try store.exportSQLite(to: path)
        let database = try NativeDatabase(path: path)
        #expect(
            try database.rows("SELECT key, text FROM Nilable ORDER BY key") == [
                [.null, .text("nil")], [.integer(1), .text("one")],
            ])
        #expect(
            try database.rows("SELECT count(DISTINCT price), max(wide) FROM Priced") == [
                [.integer(3), .text("18446744073709551615")]
            ])
    }

    @Test func someTypes_areExported() throws {
        let store = try Store.temporary(records: [User.self, Order.self, Purchase.self])
        try store.insert(Order(id: 1, total: 2))
        #expect(try store.exportSQLite(to: path, types: ["order", "Purchase"]).tables.map(\.rows) == [1, 0])
        #expect(try names(NativeDatabase(path: path)) == [.text("Order"), .text("Purchase")])
        do {
            try store.exportSQLite(to: path + "2", types: ["Usr"])
            Issue.record("exported an unknown type")
        } catch let error as SQLError {
            #expect(error.message == "no such table: Usr Did you mean “User”?")
        }
        #expect(try directory.contents.keys.sorted() == ["out.sqlite"])
    }

    @Test func anExistingFile_isLeftAsItIs() throws {
        let store = try Store.temporary(records: [Order.self])
        try Data("mine".utf8).write(to: URL(filePath: path))
        #expect(throws: StoreError.self) { try store.exportSQLite(to: path) }
        #expect(try directory.contents == ["out.sqlite": Data("mine".utf8)])
        #expect(throws: StoreError.self) { try store.exportSQLite(to: directory.path + "/none/out.sqlite") }
    }

    @Test func inAContext_itHasTheSnapshot() throws {
        let store = try Store.temporary(records: [Order.self])
        try store.write { context in
            try context.insert(Order(id: 1, total: 2))
            #expect(try context.exportSQLite(to: path).tables.map(\.rows) == [1])
        }
        #expect(try directory.contents.keys.sorted() == ["out.sqlite"])
    }

    @Test func theAsyncForm_writesTheFile() async throws {
        let store = try await Store.temporary(records: [Order.self])
        try await store.insert(Order(id: 1, total: 2))
        #expect(try await store.exportSQLite(to: path).tables.map(\.rows) == [1])
    }

    @Test func anExport_canBeAttached() throws {
        let store = try Store.temporary(records: [User.self])
        for id in 1...9 { try store.insert(User(id: id, name: "é\u{0}\(id)", email: "\(id)", age: 1, city: "")) }
        try store.exportSQLite(to: path)
        let differences = try store.sql(
            "SELECT * FROM User EXCEPT SELECT * FROM old.User", attaching: ["old": .file(path)])
        #expect(differences == [])
        #expect(try store.sql("SELECT count(*) FROM old.User", as: Int.self, attaching: ["old": .file(path)]) == [9])
    }
}
