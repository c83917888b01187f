// Rows that ranked indexes and totals count instead of reading them: pages, counts, groups and distinct values.

import Foundation
import Testing
import Trove
import TroveSQL
import TroveTestSupport

@IndexKeyRecord("id")
struct Score: Hashable, Sendable {
    #Index<Score>(\.points, ranked: true)
    #Index<Score>(\.team, \.points.desc, ranked: true)
    #Index<Score>(\.id, ranked: true)
    #Index<Score>(\.points, ranked: true, where: { $0.year > 2020 })
    #Index<Score>(\.year)
    #Totals<Score>(by: \.team, \.year, of: \.points)
    #Totals<Score>(by: \.year.desc, \.isOpen)
    #Totals<Score>(by: \.ratio, of: \.ratio)
    #Totals<Score>(by: \.text)
    #Totals<Score>(by: \.year, where: { $0.isOpen })
    #Totals<Score>(of: \.points)

    let id: Int
    var team: String?
    var year: Int16
    var points: Int
    var ratio: Double?
    var isOpen: Bool
    var text: String
}

extension Score: NativeRecord {
    static let columns = [
        ("id", "INTEGER"), ("team", "TEXT"), ("year", "INTEGER"), ("points", "INTEGER"), ("ratio", "REAL"),
        ("isOpen", "BOOLEAN"), ("text", "TEXT"),
    ].map { (name: $0.0, type: $0.1) }

    var values: [SQLValue] {
        [
            id.sqlValue, team.sqlValue, year.sqlValue, points.sqlValue, ratio.sqlValue, isOpen.sqlValue,
            text.sqlValue,
        ]
    }

    /// Returns a random record. Long texts have a common beginning.
    static func random(_ id: Int, _ random: inout SeededGenerator) -> Score {
        let long = String(repeating: "x", count: 600)
        return Score(
            id: id, team: [nil, "", "red", "blue", "a\u{0}b"].randomElement(using: &random) ?? nil,
            year: Int16.random(in: 2018...2024, using: &random), points: Int.random(in: -40...40, using: &random),
            ratio: [nil, -0.0, 0, 1, 2.5, .infinity, .nan].randomElement(using: &random) ?? nil,
            isOpen: Bool.random(using: &random),
            text: ["a", "b", "xx", long + "1", long + "2", String(long.prefix(500))].randomElement(using: &random) ?? ""
        )
    }
}

struct CountedRowTests {
    private let store: Store
    private let native: NativeDatabase
    private let seed: UInt64
    private var random: SeededGenerator

    init() throws {
        (random, seed) = SeededGenerator.fromEnvironment()
        var records: [Score] = []
        for id in 0..<1_200 { records.append(Score.random(id * 3 % 1_201, &random)) }
        store = try Store.temporary(records: [Score.self])
        try store.insert(contentsOf: records)
        native = try NativeDatabase()
        try native.create("Score", records)
    }

    private static let paths = [
        "", "ranked(points)", "ranked(team,points desc)", "ranked(id)", "index(year)",
        "totals(team,year of points)", "totals(year desc,isOpen)", "totals(ratio of ratio)", "totals(text)",
    ]

    // MARK: Random statements

    private mutating func pick(_ texts: [String]) -> String { texts.randomElement(using: &random) ?? "" }

    private mutating func condition() -> String {
        let number = "\(Int.random(in: -45...45, using: &random))"
        let year = "\(Int.random(in: 2017...2025, using: &random))"
        return pick([
            "points > \(number)", "points <= \(number)", "points = \(number)", "points >= -10 AND points < \(number)",
            "points > '\(number)'", "points < \(number).5", "points IN (1, 2, \(number))", "points <> \(number)",
            "points < 'x'", "points IS NULL", "id >= 600", "id < \(number)0", "team = 'red'", "team IS NULL",
            "team IS 'blue'", "team > 'a'", "team = 'RED' COLLATE NOCASE", "team IN ('red', 'blue')",
            "team = 'red' AND points > \(number)", "team IS NOT NULL", "team LIKE 'r%'", "team GLOB 'b*'",
            "year = \(year)", "year > 2020", "year > 2021 AND points > \(number)", "year BETWEEN 2019 AND \(year)",
            "year IN (2019, \(year))", "ratio = 0", "ratio IS NULL", "ratio > 0.5", "ratio < 1", "isOpen = 1",
            "isOpen = '1'", "isOpen > 0.5", "text = 'a'", "text > 'xx'", "text GLOB 'x*'", "text <= 'b'",
            "(points, id) > (\(number), 600)", "(team, points) = ('red', \(number))", "(1, 2) < (id, year)",
            "points = year - 2020", "points < id", "year IS points + 2000", "id >= points AND points >= -9",
            "points + 0 > \(number)", "(points > \(number) OR year = \(year))",
            "NOT points > \(number)", "1", "_key IS NOT NULL",
        ])
    }

    private mutating func conditions() -> String {
        let terms = (0..<Int.random(in: 0...2, using: &random)).map { _ in condition() }
        return terms.isEmpty ? "" : " WHERE " + terms.joined(separator: " AND ")
    }

    private mutating func page() -> String {
        " LIMIT \(pick(["-1", "0", "1", "7", "400"])) OFFSET \(pick(["-1", "0", "1", "5", "255", "257", "300", "700", "1199", "5000"]))"
    }

    /// Returns a statement, and whether the order of its rows is known.
    private mutating func statement() -> (text: String, isOrdered: Bool) {
        let group = pick([
            "team", "year", "team, year", "year, team", "isOpen", "ratio", "text", "year, isOpen", "points",
            "team, points", "abs(points)",
        ])
        switch Int.random(in: 0..<16, using: &random) {
        case 0..<5:
            let order = pick([
                "id", "id DESC", "points, id", "points DESC, id DESC", "team, points DESC, id",
                "team DESC, points, id DESC", "year, id", "points DESC, id", "text, id",
            ])
            let columns = pick(["*", "id", "points", "id, team, points", "1"])
            return ("SELECT \(columns) FROM Score\(conditions()) ORDER BY \(order)\(page())", true)
        case 5, 6, 7:
            let aggregate = pick([
                "count(*)", "count(*)", "count(team)", "count(DISTINCT year)", "sum(year)", "max(points)", "min(team)",
                "count(*), sum(points)", "count(*) FILTER (WHERE points > 3)", "count(DISTINCT points)",
            ])
            return ("SELECT \(aggregate) FROM Score\(conditions())", true)
        case 8, 9:
            let aggregate = pick(["count(*)", "1", "sum(year)", "count(DISTINCT year)", "max(isOpen)"])
            return ("SELECT \(group), \(aggregate) FROM Score\(conditions()) GROUP BY \(group)", false)
        case 10, 11: return ("SELECT DISTINCT \(group) FROM Score\(conditions())", false)
        case 12:
            let direction = pick(["", " DESC"])
            let first = pick(["year", "team", "points", "isOpen"])
            return ("SELECT DISTINCT \(first) FROM Score\(conditions()) ORDER BY \(first)\(direction)", true)
        case 13:
            let kind = pick(["JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"])
            let on = pick([
                "s.year = t.id + 2018", "s.points = t.id", "s.team = t.team AND t.id < 9", "s.points > t.id",
            ])
            let columns = pick(["count(*)", "count(s.id)", "s.year, count(*)", "count(DISTINCT s.year)"])
            let groups = columns.hasPrefix("s.year") ? " GROUP BY s.year" : ""
            return (
                "SELECT \(columns) FROM (SELECT id, team FROM Score WHERE id < 20) t \(kind) Score s ON \(on)\(groups)",
                false
            )
        case 14:
            let parts = (0..<2).map { _ in "SELECT points FROM Score WHERE \(pick(["points > 20", "points = 3", "1"]))"
            }
            return ("SELECT count(*) FROM (\(parts.joined(separator: " UNION ALL "))\(page()))", false)
        default:
            let column = pick(["points", "year", "id", "team"])
            return (
                "SELECT id FROM Score WHERE \(column) \(pick(["=", ">", "IN"])) (SELECT \(column) FROM Score"
                    + "\(conditions()) ORDER BY points, id LIMIT 1 OFFSET \(pick(["0", "300"])))", false
            )
        }
    }

    private func rows(_ sql: String, _ options: ConnectionOptions, inWrite: Bool) throws -> [[SQLValue]] {
        try StatementCall.$options.withValue(options) {
            inWrite
                ? try store.write { try $0.sql(SQL(raw: sql)).map(\.values) }
                : try store.sql(SQL(raw: sql)).map(\.values)
        }
    }

    private mutating func expectSameRows(_ statements: Int) throws {
        for _ in 0..<statements {
            let (sql, isOrdered) = statement()
            func comparable(_ rows: [[SQLValue]]) -> [String] {
                isOrdered ? rows.map { "\($0)" } : rows.map { "\($0)" }.sorted()
            }
            let expected = comparable(try native.rows(sql.replacing("_key IS NOT NULL", with: "1")))
            var options = ConnectionOptions()
            for number in 0..<3 {
                if number == 1 { options.forcedPath = Self.paths.randomElement(using: &random) }
                if number == 2 {
                    options.testsInScan = Bool.random(using: &random)
                    options.guardsOrder = Bool.random(using: &random)
                    options.isStreaming = Bool.random(using: &random)
                }
                let found = comparable(try rows(sql, options, inWrite: number > 0 && Bool.random(using: &random)))
                guard found != expected else { continue }
                let plan = try StatementCall.$options.withValue(options) { try store.explainSQL(SQL(raw: sql)) }
                Issue.record(
                    """
                    seed \(seed), \(options)
                    \(sql)
                    \(plan)
                    expected \(expected.count) \(expected.prefix(5))
                    found    \(found.count) \(found.prefix(5))
                    """)
                return
            }
        }
    }

    @Test mutating func statements_haveTheRowsOfSQLite() throws { try expectSameRows(300) }

    @Test mutating func changes_areCounted() throws {
        for _ in 0..<4 {
            let year = Int.random(in: 2018...2024, using: &random)
            for sql in [
                "DELETE FROM Score WHERE year = \(year) AND points > 0",
                "UPDATE Score SET points = points + 1 WHERE id % 7 = 0",
                "UPDATE Score SET year = \(year), isOpen = 1 WHERE points = 5",
            ] {
                _ = try native.rows(sql)
                try store.write(sql: SQL(raw: sql))
            }
            try expectSameRows(30)
        }
        #expect(try store.check() == [])
    }

    /// Without an order, a page has other rows than in SQLite, but as many.
    @Test func aPageWithoutOrder_hasItsNumberOfRows() throws {
        for condition in [
            "1", "points > -20", "team = 'red'", "team = 'red' AND points > 3", "year = 2020", "id < 500",
        ] {
            let all = try store.sql(SQL(raw: "SELECT id FROM Score WHERE \(condition)"), as: Int.self)
            for offset in [0, 1, 100, 300, 1_000, 2_000] {
                let rest = try store.sql(
                    SQL(raw: "SELECT id FROM Score WHERE \(condition) LIMIT -1 OFFSET \(offset)"), as: Int.self)
                #expect(
                    rest.count == max(0, all.count - offset) && Set(rest).isSubset(of: all), "\(condition) \(offset)")
                #expect(Set(rest).count == rest.count)
            }
        }
    }

    @Test func arguments_areOffsetsToo() throws {
        let all = try store.sql("SELECT id FROM Score ORDER BY points DESC, id DESC", as: Int.self)
        for offset in [-3, 0, 2, 256, 257, 900, 1_199, 1_200, 9_999] {
            let page = try store.sql(
                "SELECT id FROM Score ORDER BY points DESC, id DESC LIMIT \(10) OFFSET \(offset)", as: Int.self)
            #expect(page == Array(all.dropFirst(max(0, offset)).prefix(10)), "\(offset)")
            let least = 3
            let found = try store.sql(
                "SELECT id FROM Score WHERE (points, id) > (\(least), \(600)) ORDER BY points, id LIMIT 3 OFFSET \(offset)",
                as: Int.self)
            let native = try native.rows(
                "SELECT id FROM Score WHERE (points, id) > (3, 600) ORDER BY points, id LIMIT 3 OFFSET \(offset)")
            #expect(found.map { [$0.sqlValue] } == native, "\(offset)")
        }
    }

    // MARK: Plans

    private func expect(_ sql: SQL, _ plan: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let found = try store.explainSQL(sql)
        #expect(found.contains(plan), "\(found)", sourceLocation: sourceLocation)
    }

    @Test func pages_areReachedByCounts() throws {
        try expect(
            "SELECT * FROM Score ORDER BY points DESC LIMIT 10 OFFSET \(700)",
            "all of ranked(points), descending, after the offset by counts")
        try expect(
            "SELECT * FROM Score WHERE team = 'red' ORDER BY points DESC LIMIT 10 OFFSET 300",
            "by ranked(team,points desc) (team=?), after the offset by counts")
        try expect(
            "SELECT * FROM Score WHERE points >= \(3) ORDER BY points LIMIT 10 OFFSET 300",
            "by ranked(points) (points>=?), after the offset by counts")
        try expect(
            "SELECT * FROM Score WHERE isOpen = 1 LIMIT 10 OFFSET 300",
            "by all records, after the offset, tested: isOpen=?")
        try expect("SELECT 1 FROM Score LIMIT 10 OFFSET 300", "count of the records, after the offset")
        for sql: SQL in [
            // SQLite tests these rows, or counts the rows of several scans.
            "SELECT * FROM Score WHERE points = year - 2020 ORDER BY points LIMIT 10 OFFSET 300",
            "SELECT * FROM Score WHERE points > -9 AND points IS id ORDER BY points LIMIT 10 OFFSET 300",
            "SELECT * FROM Score WHERE (team, year) = ('red', 2020) AND points = id ORDER BY points LIMIT 9 OFFSET 300",
            "SELECT * FROM Score WHERE (points, id)/**/>(1, 2) ORDER BY points LIMIT 10 OFFSET 300",
            "SELECT * FROM Score WHERE (points, id) > (1, 2) ORDER BY points LIMIT 10 OFFSET 300",
            "SELECT * FROM Score WHERE points + 0 > 3 ORDER BY points LIMIT 10 OFFSET 300",
            "SELECT * FROM Score ORDER BY text LIMIT 10 OFFSET 300",
            "SELECT points FROM Score UNION ALL SELECT points FROM Score LIMIT 10 OFFSET 300",
            "SELECT DISTINCT points FROM Score LIMIT 10 OFFSET 30",
            "SELECT a.id FROM Score a JOIN Score b ON b.id = a.points LIMIT 10 OFFSET 300",
        ] {
            #expect(try !store.explainSQL(sql).contains("after the offset"), "\(sql.text)")
        }
    }

    @Test func countsAndGroups_useTheCounts() throws {
        try expect("SELECT count(*) FROM Score WHERE points > \(3)", "by count of ranked(points) (points>?)")
        try expect(
            "SELECT count(*) FROM Score WHERE team = 'red' AND points > 3",
            "by count of ranked(team,points desc) (team=? AND points>?)")
        try expect("SELECT count(*) FROM Score WHERE ratio = 1", "by covering totals(ratio of ratio) (ratio=?)")
        try expect("SELECT team, count(*) FROM Score GROUP BY team", "all of covering totals(team,year of points)")
        try expect(
            "SELECT DISTINCT team FROM Score", "all of covering totals(team,year of points), a row for each group")
        try expect("SELECT DISTINCT isOpen FROM Score", "totals(year desc,isOpen), a row for each group")
        try expect("SELECT count(DISTINCT team) FROM Score", "all of covering totals(team,year of points)")
        // The groups do not know the records.
        #expect(try !store.explainSQL("SELECT max(id) FROM Score WHERE ratio = 1").contains("totals"))
        #expect(try !store.explainSQL("SELECT count(*) FROM Score WHERE isOpen = 1 AND id > 3").contains("totals"))
        #expect(try !store.explainSQL("SELECT sum(points) FROM Score WHERE team = 'red'").contains("totals"))
    }

    #if DEBUG  // Cursor moves are counted only in debug builds.
    /// Returns the number of entries that a statement has moved over.
    private func moves(_ sql: SQL) throws -> Int {
        try store.read { context in
            _ = try context.sql(sql)
            context.engineTransaction.cursorMoves = .init()
            _ = try context.sql(sql)
            return context.engineTransaction.cursorMoves.steps + context.engineTransaction.cursorMoves.seeks
        }
    }

    @Test func countedRows_areNotRead() throws {
        let all = 1_200
        #expect(try moves("SELECT id, text FROM Score ORDER BY points DESC LIMIT 5 OFFSET \(900)") < all / 4)
        #expect(try moves("SELECT count(*) FROM Score WHERE points > \(-30)") < all / 3)
        #expect(try moves("SELECT count(*) FROM Score WHERE ratio = 1") < 10)
        #expect(try moves("SELECT team, count(*) FROM Score GROUP BY team") < 120)
        #expect(try moves("SELECT DISTINCT team, year FROM Score") < 120)
        // Entries are passed, and no record is looked up.
        #expect(try moves("SELECT text FROM Score WHERE year > 2000 ORDER BY year LIMIT 1 OFFSET 900") < all)
        // The first row needs all columns.
        #expect(try moves("SELECT points FROM Score WHERE points > -30") < 2 * all)
    }
    #endif

    // MARK: Transactions

    @Test func aStream_readsAsBefore() throws {
        let expected = try native.rows("SELECT team, count(*) FROM Score GROUP BY team")
        try store.write { context in
            var counts: [[SQLValue]] = []
            try context.forEachRow("SELECT team, count(*) FROM Score GROUP BY team") { row in
                counts.append(row.values)
                // A write into each table of the statement.
                try context.insert(Score.random(5_000 + counts.count, &Self.generator))
                return .continue
            }
            #expect(counts.count == expected.count)
            let count = try context.sql("SELECT count(*) FROM Score WHERE points > -100", as: Int.self)
            #expect(count == [1_200 + counts.count])
            let page = try context.sql("SELECT id FROM Score ORDER BY id LIMIT 9 OFFSET \(1_200)", as: Int.self)
            #expect(page.count == counts.count)
        }
    }

    private static var generator: SeededGenerator {
        get { SeededGenerator(seed: 1) }
        set {}
    }

    @Test func totalsWithoutTheirRecords_areNotUsed() throws {
        let counts = try store.sql("SELECT year, count(*) FROM Score GROUP BY year", as: (Int, Int).self)
        #expect(counts.reduce(0) { $0 + $1.1 } == 1_200)
        let rows = try store.sql(
            "SELECT count(*) FROM Score a RIGHT JOIN Score b ON a.year = b.year AND a.id < 3", as: Int.self)
        let expected = try native.rows(
            "SELECT count(*) FROM Score a RIGHT JOIN Score b ON a.year = b.year AND a.id < 3")
        #expect([rows.map(\.sqlValue)] == expected)
    }
}
