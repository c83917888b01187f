// The paths that statements take.

import Foundation
import Testing
import Trove
import TroveSQL

struct PlanTests {
    private let store: Store

    init() throws {
        store = try Store.temporary(records: [User.self, Purchase.self, Pair.self])
        try store.write { context in
            for id in 0..<500 {
                try context.insert(User(id: id, name: "n\(id)", email: "e\(id)", age: id % 90, city: "c\(id % 7)"))
            }
            for id in 0..<1000 { try context.insert(Purchase(id: id, person: id % 500, amount: Double(id))) }
        }
    }

    private func expect(_ sql: SQL, _ plan: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let found = try store.explainSQL(sql)
        #expect(found.contains(plan), "\(found)", sourceLocation: sourceLocation)
    }

    @Test func keysAndIndexes_areUsed() throws {
        try expect("SELECT * FROM User WHERE id = \(3)", "by key (id=?)")
        try expect("SELECT * FROM User WHERE id BETWEEN 3 AND 5", "by key (id>=? AND id<=?)")
        try expect("SELECT * FROM User WHERE email = \("e3")", "by unique(email) (email=?)")
        try expect("SELECT * FROM User WHERE age = \(3)", "by index(age) (age=?)")
        try expect("SELECT age FROM User WHERE age > \(80)", "covering index(age) (age>?)")
        try expect("SELECT sum(age) FROM User", "by all of covering index(age)")
        try expect("SELECT * FROM User", "by all records")
        try expect("SELECT count(*) FROM User", "count of the records")
        try expect("SELECT * FROM User WHERE id IN \([1, 2])", "by key (id IN (?))")
        try expect("SELECT * FROM User WHERE email GLOB 'e12*'", "by unique(email) (email>=? AND email<?")
        try expect("SELECT * FROM Pair WHERE \"group\" = 'a' AND number > 3", "by key (group=? AND number>?)")
    }

    /// Several purchases a person, and a range of unknown size: lookups of keys for all purchases would take longer.
    @Test func aJoin_beginsWithTheRange() throws {
        try store.write { context in
            for id in 1000..<6000 { try context.insert(Purchase(id: id, person: id % 700, amount: 1)) }
            for id in 500..<5000 {
                try context.insert(User(id: id, name: "n\(id)", email: "e\(id)", age: id % 90, city: "c"))
            }
        }
        let sql: SQL = """
            SELECT u.id, sum(p.amount) FROM User u JOIN Purchase p ON p.person = u.id WHERE u.id < \(100) GROUP BY u.id
            """
        try expect(sql, "SEARCH u by key (id<?)")
        try expect(sql, "SEARCH p by index(person) (person=?)")
    }

    @Test func orders_needNoSort() throws {
        for sql: SQL in [
            "SELECT * FROM User ORDER BY id", "SELECT * FROM User ORDER BY id DESC LIMIT 3",
            "SELECT * FROM User WHERE age > 80 ORDER BY age LIMIT 20", "SELECT age, count(*) FROM User GROUP BY age",
            "SELECT * FROM User WHERE age = 3 ORDER BY id",
            "SELECT * FROM Pair ORDER BY \"group\", number", "SELECT * FROM Pair ORDER BY \"group\" DESC, number DESC",
        ] {
            let plan = try store.explainSQL(sql)
            #expect(!plan.contains("TEMP B-TREE"), "\(sql.text)\n\(plan)")
        }
        try expect("SELECT * FROM User ORDER BY name", "TEMP B-TREE")
        try expect("SELECT * FROM Pair ORDER BY \"group\", number DESC", "TEMP B-TREE")
    }

    @Test func joins_useTheInnerKeyOrIndex() throws {
        let byKey = try store.explainSQL(
            "SELECT * FROM Purchase p JOIN User u ON u.id = p.person WHERE p.id < \(10)")
        #expect(byKey.contains("u by key (id=?)"), "\(byKey)")
        let byIndex = try store.explainSQL(
            "SELECT u.id, sum(p.amount) FROM User u JOIN Purchase p ON p.person = u.id WHERE u.id < 10 GROUP BY u.id")
        #expect(byIndex.contains("p by index(person) (person=?)"), "\(byIndex)")
    }

    @Test func otherComparisons_areTested() throws {
        try expect("SELECT * FROM User WHERE city = 'c3' AND name LIKE 'n1%'", "tested: city=? AND name LIKE ?")
        // A bound of another collation is no range.
        try expect("SELECT * FROM User WHERE email LIKE 'E12%'", "by all records")
        try expect("SELECT * FROM User WHERE email = 'e3' COLLATE NOCASE", "by all records")
        #expect(try store.sql("SELECT id FROM User WHERE email = 'E3' COLLATE NOCASE", as: Int.self) == [3])
    }

    @Test func momentsOutOfOrder_areSorted() throws {
        let store = try Store.temporary(records: [Pair.self])
        let moments = [1e300, 0, -1e300, 252_423_993_600]
        try store.write { context in
            for (number, moment) in moments.enumerated() {
                try context.insert(
                    Pair(
                        group: "", number: Int32(number), value: nil,
                        moment: Date(timeIntervalSinceReferenceDate: moment)))
            }
        }
        let texts = try store.sql("SELECT moment FROM Pair ORDER BY moment DESC", as: String.self)
        #expect(texts == texts.sorted().reversed())
        try store.read { context in
            var streamed: [String] = []
            try context.forEachRow("SELECT moment FROM Pair ORDER BY moment DESC", as: String.self) { text in
                streamed.append(text)
                return .continue
            }
            #expect(streamed == texts)
        }
    }

    @Test func longTexts_areInOrder() throws {
        let store = try Store.temporary(records: [User.self])
        let long = String(repeating: "x", count: 600)
        let emails = (0..<20).map { long + "\($0)" } + ["a", "z", String(repeating: "x", count: 500)]
        try store.write { context in
            for (id, email) in emails.enumerated() {
                try context.insert(User(id: id, name: "", email: email, age: 1, city: ""))
            }
        }
        #expect(try store.sql("SELECT email FROM User ORDER BY email", as: String.self) == emails.sorted())
        let bound = long + "15"
        #expect(
            try store.sql("SELECT email FROM User WHERE email >= \(bound) ORDER BY email", as: String.self)
                == emails.filter { $0 >= bound }.sorted())
        #expect(try store.sql("SELECT email FROM User WHERE email = \(bound)", as: String.self) == [bound])
        #expect(
            try store.sql("SELECT count(*) FROM User WHERE email > 'x' AND email < \(bound)", as: Int.self)
                == [emails.filter { $0 > "x" && $0 < bound }.count])
    }
}
