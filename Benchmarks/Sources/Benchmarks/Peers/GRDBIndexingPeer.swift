// SQLite's indexes through GRDB's fast path: cached statements, arguments without validation, and rows read by column
// index.

import Foundation
import GRDB

final class GRDBIndexingPeer: IndexingPeer, @unchecked Sendable {
    private let pool: DatabasePool

    init(at place: Place) throws {
        let columns =
            "id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER NOT NULL, email TEXT NOT NULL, created NOT NULL"
        pool = try GRDBPeer.pool(
            at: place,
            schema: """
                CREATE TABLE IF NOT EXISTS plain (\(columns));
                CREATE TABLE IF NOT EXISTS indexed (\(columns));
                CREATE INDEX IF NOT EXISTS indexedAge ON indexed (age);
                CREATE UNIQUE INDEX IF NOT EXISTS indexedEmail ON indexed (email);
                """)
    }

    // MARK: Writing

    func insert(_ people: [Person]) throws { try insert(people, into: "plain") }

    func insert(_ people: [IndexedPerson]) throws { try insert(people, into: "indexed") }

    private func insert(_ people: [some PersonRecord], into table: String) throws {
        // Not OR REPLACE, which deletes another person who has the e-mail address.
        let sql = """
            INSERT INTO \(table) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET
                name = excluded.name, age = excluded.age, email = excluded.email, created = excluded.created
            """
        try write(sql, people) { person in
            [person.id, person.name, person.age, person.email, person.created.timeIntervalSinceReferenceDate]
        }
    }

    func rename(_ people: [Person]) throws {
        try write("UPDATE plain SET name = ? WHERE id = ?", people) { [$0.name, $0.id] }
    }

    func rename(_ people: [IndexedPerson]) throws {
        try write("UPDATE indexed SET name = ? WHERE id = ?", people) { [$0.name, $0.id] }
    }

    func age(_ ids: [Int64]) throws {
        let sql = "UPDATE indexed SET age = (age + 1) % \(IndexedPerson.ages.count) WHERE id = ?"
        try write(sql, ids) { [$0] }
    }

    func buildIndex() throws {
        try pool.write { database in try database.execute(sql: "CREATE INDEX plainAge ON plain (age)") }
    }

    /// Runs a statement for each element, in a single transaction.
    private func write<Element>(
        _ sql: String, _ elements: [Element], _ arguments: (Element) -> StatementArguments
    ) throws {
        try pool.write { database in
            let statement = try database.cachedStatement(sql: sql)
            for element in elements {
                statement.setUncheckedArguments(arguments(element))
                try statement.execute()
            }
        }
    }

    // MARK: Reading

    func people(ofAge age: Int) throws -> [IndexedPerson] {
        try people("SELECT * FROM indexed WHERE age = ? ORDER BY id", [age])
    }

    func people(_ order: AgeOrder, atMost limit: Int?) throws -> [IndexedPerson] {
        let (ages, sorted) =
            switch order {
            case .ascending(let ages): (ages, "age, id")
            case .descending(let ages): (ages, "age DESC, id")
            }
        // A negative limit means no limit.
        return try people(
            "SELECT * FROM indexed WHERE age >= ? AND age < ? ORDER BY \(sorted) LIMIT ?",
            [ages.lowerBound, ages.upperBound, limit ?? -1])
    }

    func count(_ ages: Range<Int>) throws -> Int {
        try pool.read { database in
            try Int.fetchOne(
                database.cachedStatement(sql: "SELECT COUNT(*) FROM indexed WHERE age >= ? AND age < ?"),
                arguments: [ages.lowerBound, ages.upperBound]) ?? 0
        }
    }

    func plainPeople(ofAge age: Int) throws -> [Person] {
        try people("SELECT * FROM plain WHERE age = ? ORDER BY id", [age])
    }

    func verified() throws -> (plain: [Person], indexed: [IndexedPerson]) {
        let report = try pool.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") }
        guard report == "ok" else { throw BenchmarkError("grdb-fast: \(report ?? "no report")") }
        return (try people("SELECT * FROM plain ORDER BY id"), try people("SELECT * FROM indexed ORDER BY id"))
    }

    func settle() throws {
        _ = try pool.writeWithoutTransaction { database in try database.checkpoint(.truncate) }
    }

    private func people<P: PersonRecord>(_ sql: String, _ arguments: StatementArguments = []) throws -> [P] {
        try pool.read { database in
            let rows = try PersonRow<P>.fetchCursor(database.cachedStatement(sql: sql), arguments: arguments)
            var people: [P] = []
            while let row = try rows.next() { people.append(row.person) }
            return people
        }
    }
}
