// The tables of elements have the rows of `json_each` over the same properties.

import Foundation
import Testing
import Trove
import TroveSQL
import TroveTestSupport

@IndexKeyRecord("owner", "number")
struct Crate: Sendable {
    #Index<Crate>(\.tags.each)
    #Index<Crate>(\.sizes.each)

    let owner: String
    let number: Int
    var tags: [String]
    var sizes: Set<Int>
    var ratios: [Double?]
    var counts: [String: Int]
    var names: [Int: String]?
    var homes: [Home]
    var grid: [[Int]]?
    var shapes: [String: Shape]
    var value: Bool
}

enum OlderCrates {
    @IndexKeyRecord(keyPrefix: 91, "id")
    struct Bag: Sendable {
        let id: Int
        var tags: [Int16]
    }
}

enum NewerCrates {
    @IndexKeyRecord(keyPrefix: 91, "id")
    struct Bag: Sendable {
        #Index<Bag>(\.tags.each)
        let id: Int
        var extra: [String]?
        var tags: [Int]
    }
}

struct ElementTests {
    private static func crate(_ number: Int, _ random: inout SeededGenerator) -> Crate {
        func list<Value>(_ limit: Int, _ make: (inout SeededGenerator) -> Value) -> [Value] {
            (0..<Int.random(in: 0...limit, using: &random)).map { _ in make(&random) }
        }
        let words = ["", "a", "b", "ab", "é", "30", String(repeating: "long", count: 140)]
        func word(_ random: inout SeededGenerator) -> String { words.randomElement(using: &random) ?? "" }
        func small(_ random: inout SeededGenerator) -> Int { Int.random(in: -3...9, using: &random) }
        let pairs = list(4) { (word(&$0), small(&$0)) }
        return Crate(
            owner: ["a", "b"][number % 2], number: number, tags: list(5, word), sizes: Set(list(5, small)),
            ratios: list(3) { Bool.random(using: &$0) ? nil : Double(small(&$0)) / 2 },
            counts: Dictionary(pairs) { $1 },
            names: number % 3 == 0 ? nil : Dictionary(pairs.map { ($0.1, $0.0) }) { $1 },
            homes: list(2) { Home(city: word(&$0), number: small(&$0)) },
            grid: number % 4 == 0 ? nil : list(2) { [small(&$0), 1] },
            shapes: number % 5 == 0 ? ["dot": .dot, "circle": .circle(radius: small(&random))] : [:],
            value: number % 2 == 0)
    }

    private static func rows(_ sql: SQL, _ source: some RecordReadable) throws -> [String] {
        try source.sql(sql).map { "\($0.values)" }
    }

    @Test func elements_areThoseOfJSON() throws {
        var (random, seed) = SeededGenerator.fromEnvironment()
        let store = try Store.temporary(records: [Crate.self])
        try store.write { context in
            for number in 0..<150 { try context.insert(Self.crate(number, &random)) }
            // More elements than a batch has rows.
            var great = Self.crate(150, &random)
            great.tags = (0..<1_000).map { "t\($0 % 300)" }
            great.counts = Dictionary((0..<500).map { ("k\($0)", $0) }) { $1 }
            try context.insert(great)
        }
        let conditions = [
            "1", "owner = 'a'", "owner = 'b' AND number BETWEEN 20 AND 60", "number IN (3, 4, 150)",
            "owner = 'a' AND number = 150", "value2 = 'a'", "value2 = 3", "value2 = '3'", "value2 = 30",
            "value2 IS NULL",
            "value2 > 'a'", "value2 IN ('a', 'b')", "value2 > 'a' AND value2 <= 'lo'", "value2 BETWEEN 1 AND 4",
            "value2 IN (1, 2, '3', NULL)", "value2 IN ('a', '\(String(repeating: "long", count: 140))')",
            "value2 >= 'long' AND owner = 'a'", "value2 IN ('a', 'ab', 't7') AND number > 9", "value2 IS NOT NULL",
            "value2 < 4", "value2 = 'a' AND owner = 'b' AND number > 9",
            "value2 GLOB 'lo*'", "value2 = '\(String(repeating: "long", count: 140))'", "value2 = 't7'", "value2 = ''",
            "key2 = 2", "key2 = 'a'", "key2 IN (0, 1) AND owner = 'a'", "key2 >= 'a'", "number = 7 OR value2 = 'ab'",
        ]
        let dictionaries = ["counts", "names", "shapes"]
        let properties = ["tags", "sizes", "ratios", "counts", "names", "homes", "grid", "shapes"]
        for property in properties {
            let isDictionary = dictionaries.contains(property)
            for condition in conditions {
                let (key, value) = (isDictionary ? "key" : "position", "value")
                // A column of a table has a type, and a comparison with it depends on the type.
                let keyType = isDictionary && property != "names" ? "TEXT" : "INTEGER"
                let valueType = ["sizes": "INTEGER", "counts": "INTEGER", "ratios": "REAL"][property] ?? "TEXT"
                // The JSON of a dictionary whose keys are no texts has pairs.
                let parts = property == "names" ? ("j.value ->> 0", "j.value ->> 1") : ("j.key", "j.value")
                let expected = """
                    SELECT owner, number, CAST(\(parts.0) AS \(keyType)) AS key2,
                    CAST(\(parts.1) AS \(valueType)) AS value2
                    FROM Crate c, json_each(c.\(property)) j WHERE \(condition) ORDER BY owner, number, key2
                    """
                let found = """
                    SELECT owner, number, "\(key)", "\(value)" FROM "Crate.\(property)" WHERE \
                    \(condition.replacing("value2", with: "\"value\"").replacing("key2", with: "\"\(key)\"")) \
                    ORDER BY owner, number, "\(key)"
                    """
                for path in [nil, "", "index(\(property) each)"] as [String?] {
                    var options = ConnectionOptions()
                    options.forcedPath = path
                    options.testsInScan = Bool.random(using: &random)
                    options.isStreaming = Bool.random(using: &random)
                    let isInWrite = Bool.random(using: &random)
                    let (wanted, rows) = try StatementCall.$options.withValue(options) {
                        let wanted = try Self.rows(SQL(raw: expected), store)
                        return try (
                            wanted,
                            isInWrite
                                ? store.write { try Self.rows(SQL(raw: found), $0) } : Self.rows(SQL(raw: found), store)
                        )
                    }
                    guard rows == wanted else {
                        let plan = try store.explainSQL(SQL(raw: found))
                        Issue.record(
                            "seed \(seed), \(options)\n\(found)\n\(plan)\n\(Set(rows).symmetricDifference(wanted))")
                        return
                    }
                }
            }
        }
    }

    @Test func plans_useTheKeyAndTheIndexOfElements() throws {
        let store = try Store.temporary(records: [Crate.self])
        var (random, _) = SeededGenerator.fromEnvironment()
        try store.insert(Self.crate(1, &random))
        #expect(
            try store.explainSQL(#"SELECT owner FROM "Crate.tags" WHERE value = \#("a")"#)
                == "SEARCH Crate.tags by index(tags each) (value=?)")
        #expect(
            try store.explainSQL(#"SELECT value FROM "Crate.tags" WHERE owner = 'a' AND number = 3 AND position = 0"#)
                == "SEARCH Crate.tags by key (owner=? AND number=?), tested: position=?")
        #expect(
            try store.explainSQL(#"SELECT value FROM "Crate.tags" WHERE value > 'a'"#)
                .contains("by index(tags each)"))
        #expect(
            try store.explainSQL(#"SELECT value FROM "Crate.tags" WHERE value BETWEEN 'a' AND 'b'"#)
                == "SEARCH Crate.tags by index(tags each) (value>=? AND value<=?)")
        #expect(
            try store.explainSQL(#"SELECT value FROM "Crate.tags" WHERE value IN ('a', 'b')"#)
                == "SEARCH Crate.tags by index(tags each) (value IN (?))")
        let join = try store.explainSQL(
            #"SELECT c.number FROM "Crate.tags" t JOIN Crate c ON c.owner = t.owner AND c.number = t.number WHERE t.value = 'a'"#
        )
        #expect(join.contains("t by index(tags each) (value=?)") && join.contains("c by key (owner=? AND number=?)"))
    }

    /// A long element is cut in the index, so that all records are read, in an order that the index has promised.
    @Test func aLongElement_isFoundInOrder() throws {
        let store = try Store.temporary(records: [Crate.self])
        var (random, _) = SeededGenerator.fromEnvironment()
        let long = String(repeating: "x", count: 600)
        for number in [5, 3, 4] {
            var crate = Self.crate(number, &random)
            crate.tags = [long, "\(long)\(number)", "a"]
            try store.insert(crate)
        }
        for (value, found) in [(long, [4, 3, 5]), ("\(long)3", [3]), ("a", [4, 3, 5])] {
            let sql: SQL = #"SELECT number FROM "Crate.tags" WHERE value = \#(value) ORDER BY owner, number"#
            #expect(try store.sql(sql, as: Int.self) == found)
            let descending: SQL = #"SELECT number FROM "Crate.tags" WHERE value = \#(value) ORDER BY owner DESC"#
            #expect(Set(try store.sql(descending, as: Int.self)) == Set(found))
            try store.read { context in
                var numbers: [Int] = []
                try context.forEachRow(sql, as: Int.self) {
                    numbers.append($0)
                    return .continue
                }
                #expect(numbers == found)
            }
        }
        #expect(throws: SQLError.self) { try store.sql(#"SELECT * FROM "Crate.tags" WHERE value MATCH 'a'"#) }
    }

    @Test func names_areThoseOfTheType() throws {
        let store = try Store.temporary(records: [Crate.self])
        var (random, _) = SeededGenerator.fromEnvironment()
        var crate = Self.crate(1, &random)
        crate.tags = ["x\0y", "y"]
        crate.counts = ["k": 4]
        try store.insert(crate)
        #expect(try store.sql(#"SELECT * FROM "Crate.tags""#)[0].columns == ["owner", "number", "position", "value"])
        #expect(
            try store.sql(#"SELECT * FROM "TroveSQLTests.Crate.counts""#)[0].columns == [
                "owner", "number", "key", "value",
            ])
        #expect(try store.sql(#"SELECT position FROM "Crate.tags" WHERE value = \#("x\0y")"#, as: Int.self) == [0])
        #expect(try store.sql(#"SELECT count(DISTINCT _key) FROM "crate.TAGS""#, as: Int.self) == [2])
        #expect(throws: SQLError.self) { try store.sql(#"SELECT * FROM "Crate.value""#) }
        let error = #expect(throws: SQLError.self) { try store.sql(#"SELECT * FROM "Crate.tag""#) }
        #expect(error?.message.contains("Crate.tags") == true)
    }

    @Test func elementsOfAnOlderLayout_areConverted() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("store")
        do {
            let store = try Store(path: path, records: [OlderCrates.Bag.self])
            for id in 0..<3 { try store.insert(OlderCrates.Bag(id: id, tags: [Int16(id), 7])) }
            try store.close()
        }
        let store = try Store(path: path, records: [NewerCrates.Bag.self], migrations: .lazily)
        try store.insert(NewerCrates.Bag(id: 9, extra: ["x"], tags: [1, 2]))
        #expect(
            try store.sql(#"SELECT id FROM "Bag.tags" WHERE value = 7 ORDER BY id"#, as: Int.self) == [0, 1, 2])
        #expect(try store.sql(#"SELECT id FROM "Bag.tags" WHERE value = 1 ORDER BY id"#, as: Int.self) == [1, 9])
        #expect(try store.sql(#"SELECT value FROM "Bag.extra""#, as: String.self) == ["x"])
    }

    @Test func aChangedElement_isObserved() async throws {
        let store = try await Store.temporary(records: [NewerCrates.Bag.self])
        var iterator = SQLRequest(#"SELECT value FROM "Bag.tags" WHERE id = 1"#, as: Int.self).values(in: store)
            .makeAsyncIterator()
        #expect(try await iterator.next() == [])
        try await store.insert(NewerCrates.Bag(id: 1, extra: [], tags: [3]))
        #expect(try await iterator.next() == [3])
    }
}
