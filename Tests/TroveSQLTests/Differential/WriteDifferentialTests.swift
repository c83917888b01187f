// Random statements that write have the same effects as in SQLite itself: the same contents, numbers of changes and
// failures. After each, the indexes agree with the records. The records are written by the code of their types, and
// without it by their layouts.

import Foundation
import Testing
import Trove
import TroveSQL
import TroveTestSupport

struct WriteDifferentialTests {
    /// The number of transactions: TROVE_SQL_ROUNDS changes it.
    private static let rounds =
        ProcessInfo.processInfo.environment["TROVE_SQL_ROUNDS"].flatMap(Int.init) ?? 150

    /// What a transaction does after its statements.
    private struct Undone: Error {}

    private let directory: TemporaryDirectory
    private let store: Store
    private let native: NativeDatabase
    private var generator: StatementGenerator
    private let seed: UInt64

    init() throws {
        let (random, seed) = SeededGenerator.fromEnvironment()
        self.seed = seed
        generator = StatementGenerator(random)
        directory = try TemporaryDirectory()
        store = try Store(
            path: directory.path("declared"), records: Self.types, options: StoreOptions(durability: .noSync))
        native = try NativeDatabase()
        _ = try native.rows(
            """
            CREATE TABLE Mixed(id INTEGER PRIMARY KEY, small INTEGER NOT NULL CHECK (typeof(small) = 'integer'),
            maybe INTEGER CHECK (maybe IS NULL OR typeof(maybe) = 'integer'), name TEXT NOT NULL, note TEXT,
            ratio REAL NOT NULL, score REAL, flag BOOLEAN NOT NULL CHECK (flag IN (0, 1) AND typeof(flag) = 'integer'),
            bytes BLOB NOT NULL, created TEXT NOT NULL, tag TEXT NOT NULL, code TEXT UNIQUE)
            """)
        _ = try native.rows(
            """
            CREATE TABLE Pair("group" TEXT NOT NULL, number INTEGER NOT NULL, value INTEGER, moment TEXT,
            PRIMARY KEY ("group", number)) WITHOUT ROWID
            """)
        _ = try native.rows(
            """
            CREATE TABLE File(owner INTEGER NOT NULL, name TEXT NOT NULL, wide NOT NULL, kind INTEGER NOT NULL,
            note TEXT NOT NULL, PRIMARY KEY (owner, name)) WITHOUT ROWID
            """)
        _ = try native.rows(
            """
            CREATE TABLE Labeled(id INTEGER PRIMARY KEY, title TEXT NOT NULL, note TEXT, labels TEXT NOT NULL,
            rank INTEGER NOT NULL)
            """)
    }

    private static let types: [any IndexKeyRecord.Type] = [Mixed.self, Pair.self, File.self, Labeled.self]

    @Test mutating func statements_haveTheEffectsOfSQLite() throws {
        for round in 0..<Self.rounds where try !transaction(round, store) { return }
        #expect(try store.sql("SELECT count(*) FROM Mixed", as: Int.self)[0] > 0, "seed \(seed)")
        try checkSearches(store)
    }

    @Test mutating func statementsOnTypesOfOtherPrograms_haveTheEffectsOfSQLite() throws {
        let path = directory.path("undeclared")
        let options = StoreOptions(durability: .noSync)
        do {
            let declared = try Store(path: path, records: Self.types, options: options)
            try declared.write { context in
                try context.insert(generator.values.mixed(0))
                try context.insert(generator.values.pair(0))
                try context.insert(generator.values.file(0))
                try context.insert(generator.values.labeled(0))
                for type in ["Mixed", "Pair", "File", "Labeled"] { try context.sql("DELETE FROM \(raw: type)") }
            }
            try declared.close()
        }
        do {
            let undeclared = try Store(path: path, options: options)
            var behavior = ConnectionOptions()
            behavior.writesStoredTypes = true
            behavior.emptiesIndexes = true
            try StatementCall.$options.withValue(behavior) {
                for round in 0..<Self.rounds where try !transaction(round, undeclared) { return }
                #expect(try undeclared.sql("SELECT count(*) FROM Mixed", as: Int.self)[0] > 0, "seed \(seed)")
            }
            try undeclared.close()
        }
        let store = try Store(path: path, records: Self.types, options: options)
        #expect(try store.check().isEmpty, "seed \(seed)")
        #expect(try Mixed.query().resolve(in: store).count == Mixed.query().count(in: store))
        try checkSearches(store)
    }

    /// Checks that the indexes of elements, of texts and with a condition find what a scan finds.
    private func checkSearches(_ store: Store) throws {
        let all = try Labeled.query().resolve(in: store)
        #expect(!all.isEmpty, "seed \(seed)")
        func ids(_ isFound: (Labeled) -> Bool) -> [Int] { all.filter(isFound).map(\.id) }
        #expect(
            try Labeled.filter(\.rank > 5).resolve(in: store).map(\.id).sorted() == ids { $0.rank > 5 }, "seed \(seed)")
        for word in MixedValues.words + ["new"] {
            #expect(
                try store.sql(
                    #"SELECT DISTINCT id FROM "Labeled.labels" WHERE value = \#(word) ORDER BY id"#, as: Int.self)
                    == ids { $0.labels.contains(word) }, "seed \(seed), \(word)")
            #expect(
                try store.sql("SELECT id FROM Labeled WHERE Labeled MATCH \(word) ORDER BY id", as: Int.self)
                    == ids { record in
                        [record.title, record.note ?? ""].contains { text in
                            text.lowercased().split(separator: " ").contains { $0 == word }
                        }
                    }, "seed \(seed), \(word)")
        }
    }

    /// Returns whether the indexes agree with the records.
    private func isSound(_ store: Store) throws -> Bool {
        try store.check().isEmpty
            && store.read { context in
                try context.storedTypes().allSatisfy { type in
                    let check = try context.checkStoredIndexes(of: type)
                    return check.damagedRecords.isEmpty && check.indexes.allSatisfy(\.differences.isEmpty)
                }
            }
    }

    /// Runs a transaction in both. Returns whether the effects are the same.
    private mutating func transaction(_ round: Int, _ store: Store) throws -> Bool {
        let count = Int.random(in: 1...4, using: &generator.values.random)
        let statements = (0..<count).map { _ in generator.write() }
        let isUndone = generator.values.chance(10)
        let nestedPlace = generator.values.chance(20) ? count - 1 : count
        var isSame = true
        _ = try native.rows("BEGIN")
        do {
            try store.write { context in
                for statement in statements.prefix(nestedPlace) where isSame {
                    isSame = try run(statement, context)
                }
                if nestedPlace < count, isSame {
                    _ = try native.rows("SAVEPOINT a")
                    do {
                        try context.nested { context in
                            isSame = try run(statements[nestedPlace], context)
                            throw Undone()
                        }
                    } catch is Undone {
                        _ = try native.rows("ROLLBACK TO a")
                        _ = try native.rows("RELEASE a")
                    }
                }
                if isUndone { throw Undone() }
            }
            _ = try native.rows("COMMIT")
        } catch is Undone {
            _ = try native.rows("ROLLBACK")
        }
        guard isSame else { return false }
        for (table, order) in [
            ("Mixed", "id"), ("Pair", "\"group\", number"), ("File", "owner, name"), ("Labeled", "id"),
        ] {
            let sql = "SELECT * FROM \(table) ORDER BY \(order)"
            let expected = try native.rows(sql)
            let found = try store.sql(SQL(raw: sql)).map(\.values)
            guard found != expected else { continue }
            let rows = zip(expected, found).first { $0 != $1 }
            Issue.record(
                """
                seed \(seed), round \(round), \(table), \(expected.count) and \(found.count) rows
                \(statements.map { "\($0.text) \($0.arguments)" }.joined(separator: "\n"))
                \(rows.map { "expected \($0.0)\nfound    \($0.1)" } ?? "")
                """)
            return false
        }
        let isSound = try isSound(store)
        #expect(isSound, "seed \(seed), round \(round): \(statements.map(\.text))")
        return isSound
    }

    /// Runs a statement in both. Returns whether both fail, or change as many rows.
    private func run(_ statement: RandomStatement, _ context: TransactionContext) throws -> Bool {
        var (expected, found) = ("", "")
        do {
            _ = try native.rows(statement.text, statement.arguments)
            expected = try "\(native.rows("SELECT changes()"))"
        } catch let failure as NativeDatabase.Failure {
            expected = "constraint"
            #expect(failure.message.contains("constraint failed"), "\(failure.message)")
        }
        do {
            let sql = SQL(raw: statement.text, arguments: statement.arguments)
            found = "[[\(SQLValue.integer(Int64(try context.sql(sql).changes)))]]"
        } catch let error as SQLError {
            found = error.code & 0xFF == 19 ? "constraint" : "\(error)"
            if expected != found { found += " \(error)" }
        }
        guard expected != found else { return true }
        Issue.record("seed \(seed)\n\(statement.text)\n\(statement.arguments)\nexpected \(expected), found \(found)")
        return false
    }
}
