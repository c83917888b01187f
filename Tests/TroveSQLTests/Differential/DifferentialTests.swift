// Random statements have the same rows as in SQLite itself, with the same contents in tables of its own.

import Foundation
import Testing
import Trove
import TroveSQL
import TroveTestSupport

struct DifferentialTests {
    /// The number of statements: TROVE_SQL_ROUNDS changes it.
    private static let rounds =
        ProcessInfo.processInfo.environment["TROVE_SQL_ROUNDS"].flatMap(Int.init) ?? 400

    private static let paths = [
        "", "index(small)", "index(maybe)", "index(name,small desc)", "index(note)", "index(ratio)",
        "index(score desc)", "index(flag,created)", "index(created)", "index(tag)", "index(bytes)", "unique(code)",
        "index(value)", "index(moment desc)", "index(kind,note)", "index(wide)",
    ]

    @Test(arguments: [false, true])
    func statements_haveTheRowsOfSQLite(isIrregular: Bool) throws {
        let (random, seed) = SeededGenerator.fromEnvironment()
        var generator = StatementGenerator(random)
        generator.values.isIrregular = isIrregular
        let mixed = (0..<120).map { generator.values.mixed($0) }
        let pairs = (0..<60).map { generator.values.pair($0) }
        // Of two files with a key, the later is stored.
        let files = Dictionary((0..<80).map { generator.values.file($0) }.map { ("\($0.owner) \($0.name)", $0) }) { $1 }
        let store = try Store.temporary(records: [Mixed.self, Pair.self, File.self])
        try store.write { context in
            for record in mixed { try context.insert(record) }
            for record in pairs { try context.insert(record) }
            for record in files.values { try context.insert(record) }
        }
        let native = try NativeDatabase()
        try native.create("Mixed", mixed)
        try native.create("Pair", pairs)
        try native.create("File", Array(files.values))
        for _ in 0..<Self.rounds {
            let statement = generator.statement()
            let expected = Self.comparable(try native.rows(statement.text, statement.arguments), statement)
            for options in Self.variants(&generator.values) {
                let found = try StatementCall.$options.withValue(options) {
                    try rows(statement, store, options)
                }
                guard Self.comparable(found, statement) != expected else { continue }
                Issue.record(
                    """
                    seed \(seed), \(isIrregular ? "" : "not ")irregular, \(options)
                    \(statement.text)
                    \(statement.arguments)
                    expected \(expected.count) \(expected.prefix(8))
                    found    \(found.count) \(found.prefix(8))
                    \(try store.explainSQL(SQL(raw: statement.text, arguments: statement.arguments)))
                    """)
                return
            }
        }
    }

    /// Returns the rows by a list, in a write, or one at a time.
    private func rows(
        _ statement: RandomStatement, _ store: Store, _ options: ConnectionOptions
    ) throws -> [[SQLValue]] {
        let sql = SQL(raw: statement.text, arguments: statement.arguments)
        guard options.isStreaming else { return try store.sql(sql).map(\.values) }
        func stream(_ context: ReadContext) throws -> [[SQLValue]] {
            var rows: [[SQLValue]] = []
            try context.forEachRow(sql) { row in
                rows.append(row.values)
                return .continue
            }
            return rows
        }
        return options.testsInScan ? try store.write { try stream($0) } : try store.read { try stream($0) }
    }

    /// Returns the usual behavior, and some others.
    private static func variants(_ values: inout MixedValues) -> [ConnectionOptions] {
        var all = [ConnectionOptions()]
        var other = ConnectionOptions()
        switch Int.random(in: 0..<4, using: &values.random) {
        case 0: other.testsInScan = false
        case 1: other.consumesOrder = false
        case 2: other.guardsOrder = false
        default:
            other.isStreaming = true
            other.testsInScan = values.chance(50)
        }
        all.append(other)
        var forced = ConnectionOptions()
        forced.forcedPath = values.pick(paths)
        forced.testsInScan = values.chance(50)
        all.append(forced)
        return all
    }

    /// Returns rows in an order of their own, unless the statement has one.
    private static func comparable(_ rows: [[SQLValue]], _ statement: RandomStatement) -> [String] {
        let texts = rows.map { "\($0)" }
        return statement.isOrdered ? texts : texts.sorted()
    }
}
