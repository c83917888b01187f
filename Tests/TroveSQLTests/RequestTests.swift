// Statements as requests: what they have read, and their rows after each commit.

import Foundation
import Testing
import TroveCoding
import TroveSQL
import TroveTestSupport

@testable import Trove

struct RequestTests {
    private struct CityCount: Decodable, Equatable {
        var city: String
        var n: Int
    }

    private let store: Store

    init() throws {
        store = try Store.temporary(records: [User.self, Purchase.self])
        try store.write { context in
            for id in 0..<20 { try context.insert(Self.user(id, age: id)) }
            for id in 0..<20 { try context.insert(Purchase(id: id, person: id % 5, amount: Double(id))) }
        }
    }

    private static func user(_ id: Int, age: Int) -> User {
        User(id: id, name: "n\(id)", email: "\(id)@example.com", age: age, city: age < 10 ? "Oslo" : "Rome")
    }

    private func region(of sql: SQL) throws -> ObservedRegion {
        try store.read { context in try context.notingReads { try context.sql(sql) }.1 }
    }

    @Test func rowsOfEachForm_areThoseOfTheStatement() throws {
        let sql: SQL = "SELECT city, count(*) AS n FROM User GROUP BY city ORDER BY city"
        #expect(try SQLRequest(sql).resolve(in: store) == store.sql(sql))
        #expect(
            try SQLRequest(sql, as: CityCount.self).resolve(in: store)
                == [CityCount(city: "Oslo", n: 10), CityCount(city: "Rome", n: 10)])
        #expect(try SQLRequest(sql, as: (String, Int).self).resolve(in: store).map(\.1) == [10, 10])
        #expect(try SQLRequest("SELECT max(age) FROM User", as: Int?.self).resolve(in: store) == [19])
        let (ages, count) = try store.fetch(
            SQLRequest("SELECT age FROM User WHERE id < \(2) ORDER BY id", as: Int.self), User.query().count)
        #expect(ages == [0, 1] && count == 20)
        #expect(throws: SQLError.self) { try SQLRequest("SELECT nothing FROM User").resolve(in: store) }
    }

    @Test func aRead_dependsOnTheKeysOfItsScan() throws {
        let (users, purchases) = (User.schema.keyPrefix, Purchase.schema.keyPrefix)
        let byKey = try region(of: "SELECT name FROM User WHERE id = \(3)")
        #expect(byKey.parts[users]?.keys.count == 1 && byKey.parts[users]?.ranges == [] && byKey.parts.count == 1)
        let missing = try region(of: "SELECT name FROM User WHERE id = \(300)")
        #expect(missing.parts[users]?.keys.count == 1)
        let byRange = try region(of: "SELECT name FROM User WHERE id BETWEEN \(3) AND \(5)")
        #expect(byRange.parts[users]?.ranges.count == 1 && byRange.parts[users]?.isWhole == false)
        #expect(try region(of: "SELECT id FROM User WHERE age = \(3)").parts[users]?.isWhole == true)
        #expect(try region(of: "SELECT count(*) FROM User").parts[users]?.isWhole == true)
        let join = try region(of: "SELECT u.name FROM Purchase p JOIN User u ON u.id = p.person WHERE p.id < 3")
        #expect(join.parts[users]?.keys.count == 3 && join.parts[purchases]?.isWhole == false)
        #expect(try region(of: "SELECT 1").isEmpty)
        #expect(try region(of: "SELECT id FROM User WHERE id = NULL").isEmpty)
    }

    /// A change of the rows without a change of the region would not be noticed.
    @Test func rowsChange_onlyWithTheirRegion() throws {
        var (random, seed) = SeededGenerator.fromEnvironment()
        var changes = 0
        for round in 0..<300 {
            let (a, b) = (Int.random(in: -2...22, using: &random), Int.random(in: -2...22, using: &random))
            let statements: [SQL] = [
                "SELECT name, age FROM User WHERE id = \(a)", "SELECT * FROM User WHERE id BETWEEN \(a) AND \(b)",
                "SELECT count(*) FROM User", "SELECT id FROM User WHERE age >= \(a) ORDER BY age DESC LIMIT 3",
                "SELECT id, age FROM User WHERE id IN \([a, b])", "SELECT max(id) FROM User WHERE id > \(a)",
                "SELECT id FROM User ORDER BY id DESC LIMIT 2",
                "SELECT p.id, u.age FROM Purchase p JOIN User u ON u.id = p.person WHERE p.id IN \([a, b])",
                "SELECT age FROM User u WHERE EXISTS (SELECT 1 FROM Purchase p WHERE p.person = u.id) AND id < \(a)",
                "SELECT id FROM User WHERE id > \(a) OR age = \(b)",
            ]
            let sql = try #require(statements.randomElement(using: &random))
            let (rows, region) = try store.read { context in try context.notingReads { try context.sql(sql) } }
            let id = Int.random(in: 0..<22, using: &random)
            let isOfUser = Bool.random(using: &random)
            try store.write { context in
                switch (isOfUser, Int.random(in: 0..<3, using: &random)) {
                case (true, 0): _ = try context.delete(User.self, key: id)
                case (true, _): try context.insert(Self.user(id, age: Int.random(in: 0..<22, using: &random)))
                case (false, 0): _ = try context.delete(Purchase.self, key: id)
                case (false, _):
                    try context.insert(Purchase(id: id, person: Int.random(in: 0..<22, using: &random), amount: 1))
                }
            }
            guard try store.sql(sql) != rows else { continue }
            changes += 1
            let prefix = isOfUser ? User.schema.keyPrefix : Purchase.schema.keyPrefix
            let key = KeyWriter.bytes(of: id)
            let isTouched = region.parts[prefix]?.isTouched(by: .some([key])) ?? false
            #expect(isTouched, "\(sql.text), round \(round), seed \(seed)")
        }
        #expect(changes > 5, "seed \(seed)")
    }

    @Test(.timeLimit(.minutes(60))) func values_followTheStore() async throws {
        let request = SQLRequest("SELECT city, count(*) FROM User GROUP BY city ORDER BY city", as: (String, Int).self)
        var values = request.values(in: store).makeAsyncIterator()
        #expect(try await values.next()?.map(\.1) == [10, 10])
        // Neither a name nor another type changes the rows.
        try await store.write { context in
            try context.insert(Purchase(id: 99, person: 1, amount: 1))
            var user = Self.user(3, age: 3)
            user.name = "other"
            try context.insert(user)
        }
        try await store.write { context in try context.insert(Self.user(3, age: 30)) }
        #expect(try await values.next()?.map(\.1) == [9, 11])
    }

    @Test(.timeLimit(.minutes(60))) func requests_areObservedTogether() async throws {
        let total = SQLRequest("SELECT sum(amount) FROM Purchase WHERE person = \(1)", as: Double.self)
        var values = store.observe(total, User.query().count).makeAsyncIterator()
        let first = try #require(try await values.next())
        #expect(first.0 == [1 + 6 + 11 + 16] && first.1 == 20)
        try await store.write { context in try context.insert(Purchase(id: 50, person: 1, amount: 6)) }
        let second = try #require(try await values.next())
        #expect(second.0 == [40] && second.1 == 20)
    }
}
