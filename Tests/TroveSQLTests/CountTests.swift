// The statement that counts all records of a type, answered without a scan.

import Foundation
import Testing
import Trove
import TroveSQL

struct CountTests {
    private let store: Store

    init() throws {
        store = try Store.temporary(records: [User.self, Order.self])
        try store.write { context in
            for id in 0..<7 {
                try context.insert(User(id: id, name: "n", email: "e\(id)", age: id, city: "c"))
                try context.insert(Order(id: id, total: 3))
            }
        }
    }

    @Test(arguments: [
        ("SELECT count(*) FROM User", "User"), ("select COUNT ( * )\n\tfrom user ;", "user"),
        ("  SELECT count(*) FROM \"Order\";", "Order"), ("SELECT count(*) FROM Ü1_", "Ü1_"),
    ])
    func theCountOfATable_isRecognized(text: String, table: String) {
        #expect(CountStatement(text)?.table == table)
    }

    @Test(arguments: [
        "", "SELECT", "SELECT count(*)", "SELECT count(*) FROM", "SELECT count(*) FROM User WHERE 1",
        "SELECT count(*) FROM User u", "SELECT count(*), 1 FROM User", "SELECT count(id) FROM User",
        "SELECT count(*) AS n FROM User", "SELECT count(*) FROM User, Order", "SELECT DISTINCT count(*) FROM User",
        "SELECTcount(*) FROM User", "SELECT count(*) FROM main.User", "SELECT count(*) FROM \"a\"\"b\"",
        "SELECT count(*) FROM \"\"", "SELECT count(*) FROM \"User", "SELECT count(*) FROM 1User",
        "SELECT count(*) FROM (SELECT 1)", "SELECT count(*) FROM User; SELECT 1", "SELECT count(*) FROM User -- all",
        "EXPLAIN SELECT count(*) FROM User",
    ])
    func anyOtherText_isNot(text: String) {
        #expect(CountStatement(text) == nil)
    }

    @Test(arguments: ["SELECT count(*) FROM User", "SELECT Count( *) FROM uSER", "SELECT count(*) FROM \"Order\""])
    func theRow_isThatOfAScan(text: String) throws {
        let (row, scanned) = (try store.sql(SQL(raw: text)), try store.sql(SQL(raw: text + " WHERE 1")))
        #expect(row == scanned && row.map(\.values) == [[.integer(7)]])
        #expect(throws: SQLError.self) { try store.sql(SQL(raw: text, arguments: [.integer(1)])) }
    }

    @Test func aTransaction_countsItsOwnRecords() throws {
        try store.write { context in
            try context.delete(User.self, key: 3)
            #expect(try context.sql("SELECT count(*) FROM User", as: Int.self) == [6])
            #expect(try context.sql("SELECT count(*) FROM User", as: Int.self) == [6])
            try context.insert(User(id: 9, name: "n", email: "e", age: 1, city: "c"))
            #expect(try context.sql("SELECT count(*) FROM User", as: Int.self) == [7])
        }
        #expect(try store.sql("SELECT count(*) FROM User", as: Int.self) == [7])
    }
}
