// The tables of the catalog, and the names that hidden columns leave free.

import Testing
import Trove
import TroveSQL

struct CatalogTests {
    private let store: Store

    init() throws {
        store = try Store.temporary(records: [User.self, Article.self, Person.self])
        try store.write { context in
            for id in 0..<3 {
                try context.insert(User(id: id, name: "n", email: "\(id)", age: 3, city: "c"))
                try context.insert(Article(id: id, title: "t", body: nil, comment: "", year: id))
            }
        }
    }

    @Test func types_haveTheirCountsAndLayouts() throws {
        let rows = try store.sql("SELECT name, count, state, definition FROM trove_types WHERE name LIKE '%.User'")
        let stored = try store.read { context in try context.storedTypes() }
        let user = try #require(stored.first { $0.name.hasSuffix(".User") })
        let layout = try #require(user.versions.last.flatMap { user.layouts[$0] })
        #expect(rows.map(\.values) == [[.text(user.name), .integer(3), .text("ready"), .text(layout)]])
        #expect(
            try store.sql("SELECT name, count, size FROM trove_types", as: (String, Int, Int).self).map { "\($0)" }
                == stored.map { "\(($0.name, $0.count, $0.size))" })
        #expect(try store.sql("SELECT * FROM trove_types WHERE count > 3 AND name > 'x'").isEmpty)
    }

    @Test func indexes_haveTheirTypes() throws {
        let rows = try store.sql(
            """
            SELECT i.name, i.count, i.state FROM trove_indexes i JOIN trove_types t ON t.name = i.type
            WHERE t.count = 3 ORDER BY i.type DESC, i.name
            """, as: (String, Int, String).self)
        #expect(
            rows.map(\.0) == ["index(age)", "unique(email)", "fullText(comment)", "fullText(title,body)"])
        #expect(rows.map(\.1) == [3, 3, 3, 3])
        #expect(rows.map(\.2) == ["ready", "ready", "ready", "ready"])
        #expect(
            try store.sql("SELECT definition FROM trove_indexes WHERE name = 'index(age)'", as: String.self)
                == ["age:Int64"])
    }

    /// The keys of the rows are in memory of the scan, and SQLite keeps values of groups while the scan begins again.
    @Test func keysOfJoins_areKept() throws {
        let names = try store.sql("SELECT name FROM trove_types", as: String.self)
        let greatest = try #require(names.max())
        let found = try store.sql(
            "SELECT max(t.name) FROM User u CROSS JOIN trove_types t GROUP BY u.id", as: String.self)
        #expect(found == [greatest, greatest, greatest])
    }

    @Test(.timeLimit(.minutes(60))) func types_areObserved() async throws {
        let counts = SQLRequest("SELECT sum(count), count(*) FROM trove_types", as: (Int, Int).self)
        var values = counts.values(in: store).makeAsyncIterator()
        let first = try #require(try await values.next()?.first)
        try await store.write { try $0.insert(User(id: 9, name: "n", email: "9", age: 3, city: "c")) }
        #expect(try await values.next()?.first?.0 == first.0 + 1)
        try await store.write { try Club(id: "a", members: .ids([1])).save(to: $0) }
        #expect(try #require(try await values.next()?.first).1 > first.1)
    }

    @Test func aNewType_isListed() throws {
        #expect(try store.sql("SELECT count(*) FROM trove_types WHERE name LIKE '%.Club'", as: Int.self) == [0])
        try Club(id: "a", members: .ids([1])).save(to: store)
        #expect(try store.sql("SELECT count FROM trove_types WHERE name LIKE '%.Club'", as: Int.self) == [1])
    }

    /// A hidden column of one table must not make the property of another ambiguous.
    @Test func hiddenColumns_areThoseOfTypesWithFullText() throws {
        let store = try Store.temporary(records: [Note.self, User.self, Purchase.self, City.self])
        try store.insert(Note(id: 1, note: "a", rank: 7, _match: 8))
        try store.insert(User(id: 1, name: "n", email: "", age: 3, city: "Oslo"))
        try store.insert(City(name: "Oslo"))
        #expect(try store.sql("SELECT rank FROM Note n JOIN User u ON u.id = n.id", as: Int.self) == [7])
        #expect(try store.sql("SELECT city FROM User u JOIN City c ON c.name = u.city", as: String.self) == ["Oslo"])
    }
}

@IndexKeyRecord("name")
private struct City: Sendable {
    let name: String
}
