// Statements in a store and in contexts, and the Swift types of their rows.

import Foundation
import Testing
import Trove
import TroveSQL

struct StatementTests {
    private struct CityCount: Decodable, Equatable {
        var city: String
        var n: Int
    }

    private let store: Store

    init() throws {
        store = try Store.temporary(records: [User.self, Purchase.self, Various.self, Order.self])
        try store.write { context in
            for (id, name) in ["Ann", "Bob", "Cid", "Dan", "Eve"].enumerated() {
                try context.insert(
                    User(
                        id: id, name: name, email: "\(name.lowercased())@example.com", age: 20 + id * 10,
                        city: id < 2 ? "Oslo" : "Rome"))
            }
            for id in 0..<6 { try context.insert(Purchase(id: id, person: id % 3, amount: Double(id) * 50)) }
        }
    }

    @Test func rows_haveNamesAndValues() throws {
        let rows = try store.sql("SELECT id, name AS n FROM User WHERE age > \(45) ORDER BY id")
        #expect(rows.map(\.json) == [#"{"id":3,"n":"Dan"}"#, #"{"id":4,"n":"Eve"}"#])
        #expect(rows[0]["N"] == .text("Dan"))
        #expect(rows[0][0] == .integer(3))
        #expect(rows[0]["age"] == nil)
        #expect(try rows[1].value("id", as: Int.self) == 4)
        #expect(throws: SQLError.self) { try rows[1].value("n", as: Int.self) }
        #expect(throws: SQLError.self) { try rows[1].value("nothing", as: Int.self) }
    }

    @Test func tuplesColumnsAndStructs_areDecoded() throws {
        let pairs = try store.sql(
            "SELECT city, count(*) FROM User GROUP BY city ORDER BY city", as: (String, Int).self)
        #expect(pairs.map(\.0) == ["Oslo", "Rome"])
        #expect(pairs.map(\.1) == [2, 3])
        let triples = try store.sql("SELECT name, age, NULL FROM User LIMIT 1", as: (String, Int, Double?).self)
        #expect(triples.first?.2 == nil && triples.first?.1 == 20)
        #expect(try store.sql("SELECT max(age) FROM \(User.self)", as: Int?.self) == [60])
        #expect(try store.sql("SELECT max(age) FROM User WHERE id < 0", as: Int?.self) == [nil])
        let counts = try store.sql(
            "SELECT city, count(*) AS n FROM User GROUP BY city ORDER BY city", as: CityCount.self)
        #expect(counts == [CityCount(city: "Oslo", n: 2), CityCount(city: "Rome", n: 3)])
        #expect(throws: SQLError.self) { try store.sql("SELECT id, name FROM User", as: Int.self) }
        #expect(throws: SQLError.self) { try store.sql("SELECT name, id FROM User", as: (Int, Int).self) }
    }

    @Test func values_areArguments() throws {
        let name = "Ann'; DROP TABLE User; --"
        #expect(try store.sql("SELECT \(name)", as: String.self) == [name])
        let ids = [1, 3, 99]
        #expect(
            try store.sql("SELECT name FROM User WHERE id IN \(ids) ORDER BY id", as: String.self) == ["Bob", "Dan"])
        #expect(try store.sql("SELECT name FROM User WHERE id IN \([Int]())", as: String.self) == [])
        let many = Array(2..<5000)
        #expect(try store.sql("SELECT count(*) FROM User WHERE id IN \(many)", as: Int.self) == [3])
        let none: Int? = nil
        #expect(try store.sql("SELECT \(none) IS NULL", as: Bool.self) == [true])
        let part: SQL = "age > \(35)"
        #expect(try store.sql("SELECT count(*) FROM User WHERE \(part) AND id < \(4)", as: Int.self) == [2])
        #expect(try store.sql("SELECT count(*) FROM \(raw: "User")", as: Int.self) == [5])
    }

    @Test func records_areFetchedWhole() throws {
        let users = try User.fetch(sql: "WHERE age > \(18) ORDER BY name DESC LIMIT 2", in: store)
        #expect(users.map(\.name) == ["Eve", "Dan"])
        let email = "bob@example.com"
        #expect(try User.first(sql: "WHERE email = \(email)", in: store)?.id == 1)
        #expect(try User.first(sql: "WHERE email = 'nobody'", in: store) == nil)
        let buyers = try User.fetch(
            sql: "JOIN Purchase p ON p.person = User.id WHERE p.amount > \(100) ORDER BY p.id", in: store)
        #expect(buyers.map(\.id) == [0, 1, 2])
        #expect(try User.fetch(sql: "", in: store).count == 5)
    }

    @Test func asyncForms_areTheSame() async throws {
        #expect(try await store.sql("SELECT count(*) FROM User", as: Int.self) == [5])
        let pairs = try await store.sql("SELECT id, name FROM User ORDER BY id", as: (Int, String).self)
        #expect(pairs.count == 5)
        #expect(try await User.fetch(sql: "WHERE id = 2", in: store).first?.name == "Cid")
        #expect(try await store.sql("SELECT id FROM User").count == 5)
    }

    @Test func aWrite_isSeenByItsOwnStatements() throws {
        try store.write { context in
            try context.insert(User(id: 9, name: "Zoe", email: "z@example.com", age: 1, city: "Rome"))
            #expect(try context.sql("SELECT name FROM User WHERE age < 5", as: String.self) == ["Zoe"])
            #expect(try context.sql("SELECT count(*) FROM \"Order\"", as: Int.self) == [0])
            try context.insert(Order(id: 1, total: 7))
            #expect(try context.sql("SELECT total FROM \"Order\"", as: Int.self) == [7])
        }
        #expect(try store.sql("SELECT count(*) FROM User", as: Int.self) == [6])
    }

    @Test func aContext_hasOneSnapshot() throws {
        try store.read { context in
            let before = try context.sql("SELECT count(*) FROM User", as: Int.self)
            try Self.onAnotherThread { [store] in
                _ = try store.write { try $0.delete(User.self, key: 0) }
            }
            #expect(try context.sql("SELECT count(*) FROM User", as: Int.self) == before)
            #expect(
                try context.sql("SELECT count(*), max(id) FROM User WHERE age < 100", as: (Int, Int).self)[0].0 == 5)
        }
        #expect(try store.sql("SELECT count(*) FROM User", as: Int.self) == [4])
    }

    private static func onAnotherThread(_ body: @escaping @Sendable () throws -> Void) throws {
        let done = DispatchSemaphore(value: 0)
        let result = ResultBox()
        Thread {
            result.value = Result { try body() }
            done.signal()
        }.start()
        done.wait()
        try result.value?.get()
    }

    private final class ResultBox: @unchecked Sendable {
        var value: Result<Void, any Error>?
    }

    @Test func statements_canBeNested() throws {
        try store.read { context in
            var names: [String] = []
            try context.forEachRow("SELECT id, city FROM User ORDER BY id", as: (Int, String).self) { id, city in
                let same = try context.sql(
                    "SELECT name FROM User WHERE city = \(city) AND id <> \(id)", as: String.self)
                names.append(same.joined())
                return id < 2 ? .continue : .stop
            }
            #expect(names == ["Bob", "Ann", "DanEve"])
        }
    }

    @Test func aClosureOfRows_canWrite() throws {
        try store.write { context in
            try context.forEachRow("SELECT id FROM User WHERE age >= 20 ORDER BY age", as: Int.self) { id in
                try context.insert(
                    User(id: id + 100, name: "new", email: "\(id + 100)", age: 0, city: ""), onConflict: .replace)
                try context.delete(User.self, key: id)
                return .continue
            }
        }
        #expect(try store.sql("SELECT id FROM User ORDER BY id", as: Int.self) == [100, 101, 102, 103, 104])
    }

    @Test func anOldSchema_isReadAgain() throws {
        _ = try store.sql("SELECT count(*) FROM User", as: Int.self)
        try store.insert(Order(id: 4, total: 1))
        #expect(try store.sql("SELECT id FROM \"Order\"", as: Int.self) == [4])
    }
}
