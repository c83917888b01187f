// Indexes with a condition: statements use them if a literal implies the condition, and have the rows of SQLite itself.

import Foundation
import Testing
import Trove
import TroveSQL
import TroveTestSupport

@IndexKeyRecord("id")
struct Job: Sendable {
    #Index<Job>(\.name, where: { $0.rank > 10 })
    #Index<Job>(\.rank, where: { $0.note != nil })
    #Index<Job>(\.rank, \.name, where: { $0.state == "open" && $0.rank <= 20 })
    #Index<Job>(\.note, where: { $0.isDone == false })
    #Index<Job>(\.due, where: { $0.due > Date(timeIntervalSinceReferenceDate: 0) })

    let id: Int
    var name: String
    var rank: Int
    var note: String?
    var state: String
    var isDone: Bool
    var due: Date
}

/// Values that SQL shows as NULL.
@IndexKeyRecord("id")
struct Priced: Sendable {
    #Index<Priced>(\.name, where: { $0.price > 10 })
    #Index<Priced>(\.name, where: { $0.weight > 10 })

    let id: Int
    var name: String
    var price: Decimal
    var weight: Double
}

struct PartialIndexTests {
    private static func job(_ id: Int, _ random: inout SeededGenerator) -> Job {
        Job(
            id: id, name: ["a", "b", "A", "10"].randomElement(using: &random) ?? "",
            rank: Int.random(in: 5...25, using: &random),
            note: Bool.random(using: &random) ? nil : ["x", "", "11"].randomElement(using: &random),
            state: ["open", "Open", "shut"].randomElement(using: &random) ?? "",
            isDone: Bool.random(using: &random),
            due: Date(timeIntervalSinceReferenceDate: Double(Int.random(in: -3...3, using: &random))))
    }

    private static let conditions = [
        "rank > 10", "rank > 11", "rank >= 11", "rank > 9", "rank = 15", "rank = 3", "rank > '10'", "rank > 10.5",
        "rank BETWEEN 12 AND 18", "rank <= 20", "rank < 20", "rank IN (12, 13)", "rank > 'x'", "rank IS 12",
        "note IS NOT NULL", "note > ''", "note = 'x'", "note IS NULL", "note <> 'x'", "note IS 'x'", "note GLOB '1*'",
        "state = 'open'", "state = 'open' COLLATE NOCASE", "state > 'open'", "state IN ('open')", "isDone = 0",
        "isDone = 1", "isDone < 1", "isDone IS NOT 1", "isDone = '0'", "due > '2001-01-01 00:00:00'",
        "due >= '2001-01-01 00:00:01'", "due > '2001-01-01'", "name = 'a'", "name > 'A'", "name = 10", "id > 20",
        "NOT rank > 10", "(rank > 10 OR note IS NULL)",
    ]

    @Test func statements_haveTheRowsOfSQLite() throws {
        var (random, seed) = SeededGenerator.fromEnvironment()
        let store = try Store.temporary(records: [Job.self])
        let native = try NativeDatabase()
        _ = try native.rows(
            "CREATE TABLE Job(id INTEGER, name TEXT, rank INTEGER, note TEXT, state TEXT, isDone BOOLEAN, due TEXT)")
        try store.write { context in
            for id in 0..<200 {
                let job = Self.job(id, &random)
                try context.insert(job)
                _ = try native.rows(
                    "INSERT INTO Job VALUES (?, ?, ?, ?, ?, ?, ?)",
                    [
                        job.id.sqlValue, job.name.sqlValue, job.rank.sqlValue, job.note.sqlValue, job.state.sqlValue,
                        job.isDone.sqlValue, job.due.sqlValue,
                    ])
            }
        }
        let type = try #require(try store.read { try $0.storedTypes() }.first)
        let paths = type.indexes.map(\.name)
        #expect(paths.count == 5)
        var used: Set<String> = []
        for _ in 0..<600 {
            let terms = (0..<Int.random(in: 1...5, using: &random)).compactMap { _ in
                Self.conditions.randomElement(using: &random)
            }
            let order =
                ["id", "name, id", "rank DESC, id", "note, id", "due, id"].randomElement(using: &random) ?? "id"
            let sql = "SELECT * FROM Job WHERE \(terms.joined(separator: " AND ")) ORDER BY \(order)"
            let expected = try native.rows(sql)
            for path in [nil, paths.randomElement(using: &random)] as [String?] {
                var options = ConnectionOptions()
                options.forcedPath = path
                options.testsInScan = Bool.random(using: &random)
                let (found, plan) = try StatementCall.$options.withValue(options) {
                    try (store.sql(SQL(raw: sql)).map(\.values), store.explainSQL(SQL(raw: sql)))
                }
                used.formUnion(paths.filter { plan.contains($0) })
                guard found == expected else {
                    Issue.record("seed \(seed), \(path ?? "any path")\n\(sql)\n\(plan)\n\(expected)\n\(found)")
                    return
                }
            }
        }
        // Moments outside the years 0000 to 9999 have texts without an order, so that no text implies a range of dates.
        #expect(used == Set(paths.filter { !$0.hasPrefix("index(due") }), "seed \(seed)")
    }

    @Test func aNumberThatIsNone_isNULLOutsideOfTheCondition() throws {
        let store = try Store.temporary(records: [Priced.self])
        try store.insert(contentsOf: [
            Priced(id: 1, name: "a", price: .nan, weight: 20), Priced(id: 2, name: "a", price: 20, weight: .nan),
            Priced(id: 3, name: "a", price: 20, weight: 20),
        ])
        func ids(_ condition: String) throws -> [Int] {
            try store.sql(SQL(raw: "SELECT id FROM Priced WHERE name = 'a' AND \(condition) ORDER BY id"), as: Int.self)
        }
        #expect(try ids("price IS NULL") == [1])
        #expect(try ids("weight IS NULL") == [2])
        #expect(try ids("price IS NOT NULL") == [2, 3])
        #expect(try ids("weight > 15") == [1, 3])
    }

    @Test func theCondition_hasToFollowFromLiterals() throws {
        let store = try Store.temporary(records: [Job.self])
        var (random, _) = SeededGenerator.fromEnvironment()
        try store.insert(Self.job(1, &random))
        func plan(_ sql: SQL) throws -> String { try store.explainSQL(sql) }
        #expect(try plan("SELECT * FROM Job WHERE name = 'a' AND rank > 10").contains("by index(name"))
        #expect(try plan("SELECT * FROM Job WHERE name = 'a' AND rank >= 11").contains("by index(name"))
        #expect(try plan("SELECT * FROM Job WHERE name = \("a") AND rank = 12").contains("by index(name"))
        #expect(try plan("SELECT * FROM Job WHERE name = 'a' AND rank > 9").contains("all records"))
        #expect(try plan("SELECT * FROM Job WHERE name = 'a'").contains("all records"))
        // The value of an argument is not known to the plan.
        #expect(try plan("SELECT * FROM Job WHERE name = 'a' AND rank > \(10)").contains("all records"))
        #expect(
            try plan("SELECT * FROM Job WHERE rank = 5 AND state = 'open' COLLATE NOCASE").contains("all records"))
        #expect(try plan("SELECT * FROM Job WHERE rank = 5 AND state = 'open'").contains("by index(rank,name"))
        #expect(try plan("SELECT count(*) FROM Job WHERE isDone = 0 AND name > ''").contains("all of index(note"))
    }

    @Test func aStoreWithoutItsTypes_doesNotUseThem() throws {
        let directory = try TemporaryDirectory()
        do {
            let store = try Store(path: directory.path("store"), records: [Job.self])
            var (random, _) = SeededGenerator.fromEnvironment()
            for id in 0..<50 { try store.insert(Self.job(id, &random)) }
            try store.close()
        }
        let store = try Store(path: directory.path("store"))
        #expect(try store.explainSQL("SELECT * FROM Job WHERE name = 'a' AND rank > 10").contains("all records"))
    }
}
