// Writes of types that the program does not declare, by their stored layout, as the command does.

import Foundation
import Testing
import Trove
import TroveSQL
import TroveTestSupport

/// All kinds of indexes whose entries follow from the layout.
@IndexKeyRecord("id")
struct Paper: Hashable, Sendable {
    #Index<Paper>(\.year.desc, \.title)
    #Index<Paper>(\.tags.each)
    #Unique<Paper>(\.code, collisions: .throw)
    #FullTextIndex<Paper>(\.title, \.body)

    let id: Int
    var title: String
    var body: String?
    var year: Int16
    var tags: [String]
    var code: String?
}

/// An index whose condition only the program has.
@IndexKeyRecord("id")
struct Partly: Hashable, Sendable {
    #Index<Partly>(\.code, where: { $0.code > 10 })
    #Index<Partly>(\.name)

    let id: Int
    var name: String
    var code: Int
}

/// A unique constraint whose rule is a closure.
@IndexKeyRecord("id")
struct Coded: Hashable, Sendable {
    #Unique<Coded>(\.code, collisions: .custom { _, _, _ in })

    let id: Int
    var code: Int
}

/// A unique constraint that only the program can maintain.
@IndexKeyRecord("id")
struct Rare: Hashable, Sendable {
    #Unique<Rare>(\.code, collisions: .throw, where: { $0.code > 10 })

    let id: Int
    var code: Int
}

/// A type before and after it gets a unique constraint.
enum WithoutConstraint {
    @IndexKeyRecord(keyPrefix: 177, "id")
    struct Ticket: Sendable {
        let id: Int
        var seat: Int
    }
}

enum WithConstraint {
    @IndexKeyRecord(keyPrefix: 177, "id")
    struct Ticket: Sendable {
        #Unique<Ticket>(\.seat, collisions: .throw)

        let id: Int
        var seat: Int
    }
}

struct StoredWriteTests {
    private let directory: TemporaryDirectory
    private let path: String
    private static let options = StoreOptions(durability: .noSync)

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("store")
        let store = try Store(path: path, records: Self.types, options: Self.options)
        try store.write { context in
            for id in 1...3 {
                try context.insert(
                    Paper(
                        id: id, title: "Paper \(id)", body: id == 2 ? nil : "an ordered store", year: 2020,
                        tags: ["a", "t\(id)"], code: "c\(id)"))
                try context.insert(Partly(id: id, name: "n\(id)", code: 10 * id))
                try context.insert(Coded(id: id, code: id))
                try context.insert(Rare(id: id, code: 10 * id))
            }
        }
        try store.insert(Handmade(id: 1, before: 1, code: Handmade.Code(number: 1), after: "x"))
        try Person(id: 1, name: "Ann", friends: .relation([Person(id: 2, name: "Bob")])).save(to: store)
        try store.close()
    }

    private static let types: [any IndexKeyRecord.Type] = [
        Paper.self, Partly.self, Person.self, Coded.self, Rare.self, Handmade.self,
    ]

    /// Calls a closure with the store, without its types.
    private func undeclared<R>(emptiesIndexes: Bool = false, _ body: (Store) throws -> R) throws -> R {
        let store = try Store(path: path, options: Self.options)
        var behavior = ConnectionOptions()
        behavior.writesStoredTypes = true
        behavior.emptiesIndexes = emptiesIndexes
        let result = try StatementCall.$options.withValue(behavior) { try body(store) }
        try store.close()
        return result
    }

    /// Calls a closure with the store and its types, whose indexes agree with their records.
    private func declared<R>(_ body: (Store) throws -> R) throws -> R {
        let store = try Store(path: path, records: Self.types, options: Self.options)
        #expect(try store.check().isEmpty)
        let result = try body(store)
        try store.close()
        return result
    }

    private func error(_ sql: SQL) throws -> SQLError? {
        try undeclared { store in #expect(throws: SQLError.self) { try store.write(sql: sql) } }
    }

    @Test func rows_areTheRecordsOfTheProgram() throws {
        try undeclared { (store) throws in
            let added = try store.write(
                sql: """
                    INSERT INTO Paper(id, title, body, year, tags, code) VALUES
                    (4, 'On wolves', NULL, 1999, '["x","y","x"]', NULL), (5, 'On owls', 'ordered', '2001', '[]', 'c5')
                    """)
            #expect(added.changes == 2)
            #expect(
                try store.write(sql: "INSERT INTO Paper VALUES (6, 't', 'b', 1, '[]', 'c6') RETURNING id, title").map(
                    \.json) == [#"{"id":6,"title":"t"}"#])
            #expect(try store.write(sql: "UPDATE Paper SET year = year + 1, body = 'wolves' WHERE id < 3").changes == 2)
            #expect(try store.write(sql: "UPDATE Paper SET id = 30 WHERE id = 3").changes == 1)
            #expect(try store.write(sql: "DELETE FROM Paper WHERE id = 6").changes == 1)
            #expect(try store.sql("SELECT id FROM Paper WHERE year = 2021", as: Int.self) == [1, 2])
            #expect(
                try store.sql("SELECT id FROM Paper WHERE Paper MATCH 'wolves' ORDER BY id", as: Int.self) == [1, 2, 4])
            #expect(try store.sql(#"SELECT id FROM "Paper.tags" WHERE value = 'y'"#, as: Int.self) == [4])
        }
        try declared { (store) throws in
            #expect(
                try Paper.query().resolve(in: store) == [
                    Paper(id: 1, title: "Paper 1", body: "wolves", year: 2021, tags: ["a", "t1"], code: "c1"),
                    Paper(id: 2, title: "Paper 2", body: "wolves", year: 2021, tags: ["a", "t2"], code: "c2"),
                    Paper(id: 4, title: "On wolves", body: nil, year: 1999, tags: ["x", "y", "x"], code: nil),
                    Paper(id: 5, title: "On owls", body: "ordered", year: 2001, tags: [], code: "c5"),
                    Paper(
                        id: 30, title: "Paper 3", body: "an ordered store", year: 2020, tags: ["a", "t3"], code: "c3"),
                ])
            #expect(try Paper.query().filter { $0.year == 2001 }.resolve(in: store).map(\.id) == [5])
            #expect(try Set(Paper.matching("wolves").resolve(in: store).map(\.id)) == [1, 2, 4])
        }
    }

    @Test func conflicts_areThoseOfSQLite() throws {
        let key = try error("INSERT INTO Paper VALUES (1, '', '', 1, '[]', NULL)")
        #expect(key?.code == 1555)
        if case .record(.keyExists)? = key?.cause {} else { Issue.record("\(String(describing: key))") }
        let unique = try error("INSERT INTO Paper VALUES (7, '', '', 1, '[]', NULL), (9, '', '', 1, '[]', 'c1')")
        #expect(unique?.code == 2067)
        #expect(try error("UPDATE Paper SET code = 'one'")?.code == 2067)
        #expect(try error("UPDATE Paper SET title = NULL")?.code == 1299)
        #expect(try error("UPDATE Paper SET year = 70000")?.message.contains("from -32768 to 32767") == true)
        #expect(try error(#"UPDATE Paper SET tags = '[1]'"#)?.message.contains("Paper.tags cannot have") == true)
        try undeclared { (store) throws in
            #expect(
                try store.write(sql: "INSERT OR IGNORE INTO Paper VALUES (1, 'x', '', 1, '[]', 'c9')").changes == 0)
            #expect(
                try store.write(sql: "INSERT OR REPLACE INTO Paper VALUES (1, 'x', '', 1, '[]', 'c2')").changes == 1)
        }
        try declared { (store) throws in
            #expect(try Paper.query().resolve(in: store).map(\.title) == ["x", "Paper 3"])
        }
    }

    @Test func aStatementThatIsRefusedOrExplained_emptiesNoIndex() throws {
        try undeclared(emptiesIndexes: true) { (store) throws in
            func isReady(_ type: String) throws -> Bool {
                try store.read { try $0.storedTypes() }.first { $0.name.hasSuffix(type) }?.indexes
                    .allSatisfy(\.isReady) ?? false
            }
            // A type with relations is refused, also where no row would change.
            #expect(throws: SQLError.self) { try store.write(sql: "DELETE FROM Person WHERE id = -1") }
            #expect(try isReady("Person"))
            try store.write(sql: "EXPLAIN QUERY PLAN DELETE FROM Partly")
            try store.write(sql: "EXPLAIN DELETE FROM Partly")
            #expect(try isReady("Partly"))
            try store.write(sql: "DELETE FROM Partly WHERE id = -1")
            #expect(try !isReady("Partly"))
        }
    }

    @Test func anUndoneStatement_leavesNothing() throws {
        struct Undone: Error {}
        try undeclared { (store) throws in
            try store.write { context in
                #expect(throws: SQLError.self) {
                    // The third row is in conflict, after two that were written.
                    try context.sql(
                        """
                        INSERT INTO Paper SELECT id + 10, 'undone', body, year, tags, CASE id WHEN 3 THEN 'c1' END
                        FROM Paper
                        """)
                }
                #expect(try context.sql("SELECT count(*) FROM Paper", as: Int.self) == [3])
                #expect(try context.sql("SELECT id FROM Paper WHERE Paper MATCH 'undone'", as: Int.self) == [])
                try context.sql("UPDATE Paper SET title = 'kept ' || id")
                #expect(throws: Undone.self) {
                    try context.nested { context in
                        try context.sql("UPDATE Paper SET title = 'undone'")
                        throw Undone()
                    }
                }
                try context.sql("DELETE FROM Paper WHERE id = 2")
            }
            #expect(throws: Undone.self) {
                try store.write { context in
                    try context.sql("DELETE FROM Paper")
                    throw Undone()
                }
            }
            #expect(
                try store.sql("SELECT id FROM Paper WHERE Paper MATCH 'kept' ORDER BY id", as: Int.self) == [1, 3])
        }
        try declared { (store) throws in
            #expect(try Paper.query().resolve(in: store).map(\.title) == ["kept 1", "kept 3"])
        }
    }

    @Test func typesThatOnlyTheirProgramCanWrite_areNamedWithTheReason() throws {
        #expect(try error("DELETE FROM Person")?.message.contains("the rules of its relations") == true)
        let partly = try error("DELETE FROM Partly")
        #expect(partly?.message.contains("only its program can maintain") == true)
        #expect(partly?.message.contains("--empty-indexes") == true)
        try undeclared { (store) throws in
            let reasons = try store.read { try $0.sqlWriteObstacles() }
            #expect(reasons.contains { $0.table == "Paper" && $0.reason == nil })
            #expect(reasons.first { $0.table == "Partly" }?.reason?.contains("index(code") == true)
            #expect(reasons.first { $0.table == "Person" }?.reason?.contains("relations") == true)
            // Other tables are only read, as always.
            for table in ["\"Paper.tags\"", "trove_types"] {
                #expect(throws: SQLError.self) { try store.write(sql: "DELETE FROM \(raw: table)") }
            }
        }
        // Without the behavior of the command, a type of another program is only read.
        let store = try Store(path: path)
        #expect(throws: SQLError.self) { try store.write(sql: "DELETE FROM Paper") }
    }

    /// A statement that may not write is refused before it runs, by the error of its run.
    @Test func theTypesOfAStatement_areKnownBefore() throws {
        func types(_ sql: SQL, _ store: Store) throws -> [String] {
            try store.read { try StatementCall.writtenTypes(of: sql, $0) }
        }
        try undeclared { (store) throws in
            #expect(try types("SELECT * FROM Person", store) == [])
            #expect(try types("DELETE FROM Paper WHERE id = -1", store) == ["TroveSQLTests.Paper"])
            #expect(try types("EXPLAIN DELETE FROM Person", store) == ["TroveSQLTests.Person"])
            for sql: SQL in ["DELETE FROM Person WHERE id = -1", "UPDATE Partly SET code = 1"] {
                let before = #expect(throws: SQLError.self) { try types(sql, store) }
                let after = #expect(throws: SQLError.self) { try store.write(sql: sql) }
                #expect(before?.message == after?.message && before?.code == after?.code)
            }
            #expect(throws: SQLError.self) { try types("DELETE FROM trove_types", store) }
        }
        try undeclared(emptiesIndexes: true) { (store) throws in
            #expect(try types("UPDATE Partly SET code = 1", store) == ["TroveSQLTests.Partly"])
        }
        try declared { (store) throws in
            #expect(try types("DELETE FROM Person", store) == ["TroveSQLTests.Person"])
        }
    }

    @Test func aHandWrittenLayout_isAnObstacle() throws {
        #expect(try error("DELETE FROM Handmade")?.message.contains("a part of which is written by hand") == true)
        try undeclared { (store) throws in
            let reasons = try store.read { try $0.sqlWriteObstacles() }
            #expect(reasons.first { $0.table == "Handmade" }?.reason?.contains("written by hand") == true)
        }
    }

    @Test func aConstraintThatCanHaveDuplicates_isAnObstacle() throws {
        let message = try error("INSERT INTO Coded VALUES (4, 1)")?.message
        #expect(message?.contains("unique(code) can have duplicate values") == true, "\(message ?? "")")
        try undeclared(emptiesIndexes: true) { (store) throws in
            let reasons = try store.read { try $0.sqlWriteObstacles() }
            #expect(reasons.first { $0.table == "Coded" }?.reason?.contains("duplicate values") == true)
            #expect(throws: SQLError.self) { try store.write(sql: "DELETE FROM Coded WHERE id = -1") }
        }
    }

    /// A constraint over records that contradict it is built, but new values cannot be checked by its entries.
    @Test func aConstraintOverDuplicates_isAnObstacle() throws {
        let path = directory.path("tickets")
        do {
            let store = try Store(path: path, records: [WithoutConstraint.Ticket.self])
            try store.insert(contentsOf: [
                WithoutConstraint.Ticket(id: 1, seat: 7), WithoutConstraint.Ticket(id: 2, seat: 7),
            ])
            try store.close()
        }
        do {
            let store = try Store(path: path, records: [WithConstraint.Ticket.self])
            #expect(try WithConstraint.Ticket.query().count(in: store) == 2)
            try store.close()
        }
        let store = try Store(path: path)
        var behavior = ConnectionOptions()
        behavior.writesStoredTypes = true
        StatementCall.$options.withValue(behavior) {
            let error = #expect(throws: SQLError.self) { try store.write(sql: "INSERT INTO Ticket VALUES (3, 7)") }
            #expect(error?.message.contains("unique(seat)") == true, "\(String(describing: error))")
        }
    }

    @Test func anEmptiedConstraint_isAnObstacleWithoutTheOption() throws {
        try undeclared(emptiesIndexes: true) { (store) throws in
            #expect(try store.write(sql: "INSERT INTO Rare VALUES (4, 40)").changes == 1)
            #expect(try store.write(sql: "INSERT INTO Rare VALUES (5, 50)").changes == 1)
        }
        #expect(try error("INSERT INTO Rare VALUES (6, 50)")?.message.contains("unique(code") == true)
        try declared { (store) throws in
            #expect(try Rare.query().resolve(in: store).map(\.code) == [10, 20, 30, 40, 50])
        }
    }

    @Test func recordsOfAnOlderLayout_areRefused() throws {
        let path = directory.path("older")
        do {
            let store = try Store(path: path, records: [Older.Note.self])
            try store.insert(Older.Note(id: 1, text: "t", count: 3, gone: true))
            try store.close()
        }
        do {
            let store = try Store(path: path, records: [Newer.Note.self], migrations: .lazily)
            try store.insert(Newer.Note(id: 2, count: 1, text: "u", added: nil))
            try store.close()
        }
        let store = try Store(path: path)
        var behavior = ConnectionOptions()
        behavior.writesStoredTypes = true
        StatementCall.$options.withValue(behavior) {
            let error = #expect(throws: SQLError.self) { try store.write(sql: "DELETE FROM Note") }
            #expect(error?.message.contains("records of an older layout") == true)
        }
    }

    @Test func indexesOfTheProgramAlone_areEmptied_andRebuilt() throws {
        try undeclared(emptiesIndexes: true) { (store) throws in
            let reasons = try store.read { try $0.sqlWriteObstacles() }
            #expect(reasons.contains { $0.table == "Partly" && $0.reason == nil })
            // The statement itself reads the type whose index is emptied.
            let written = try store.write { context in
                try context.sqlReporting(
                    "INSERT INTO Partly SELECT id + 10, name || '+', code FROM Partly WHERE code > 10 AND name > 'n1'",
                    attaching: [:])
            }
            #expect(written.result.changes == 2)
            #expect(written.emptiedIndexes.count == 1 && written.emptiedIndexes[0].hasPrefix("Partly, index(code"))
            let again = try store.write { try $0.sqlReporting("DELETE FROM Partly WHERE id = 1", attaching: [:]) }
            #expect(again.result.changes == 1 && again.emptiedIndexes.isEmpty)
            #expect(try store.sql("SELECT id FROM Partly WHERE name = 'n2+'", as: Int.self) == [12])
        }
        try declared { (store) throws in
            #expect(
                try Partly.query().filter { $0.code > 10 }.resolve(in: store).map(\.id).sorted() == [2, 3, 12, 13])
        }
    }
}
