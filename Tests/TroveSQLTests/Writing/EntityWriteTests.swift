// Statements that write entities: hooks, links and delete rules are those of saves and deletes.

import Foundation
import Testing
import Trove
import TroveSQL
import TroveTestSupport

struct EntityWriteTests {
    private let store: Store

    init() throws {
        store = try Store.temporary(records: [Author.self, Loner.self, HookCall.self])
        try store.write { context in
            let books = [Book(id: 1, title: "one"), Book(id: 2, title: "two")]
            try Author(id: 1, name: "Ann", email: "a", books: .relation(books)).save(to: context)
            try Author(id: 2, name: "Bob", email: "b", prize: .relation(Prize(id: 1, name: "first"))).save(to: context)
            for call in try HookCall.query().resolve(in: context) { try context.delete(call) }
        }
    }

    private func calls() throws -> [String] { try HookCall.query().resolve(in: store).map(\.text) }

    private func check() throws { #expect(try store.check().isEmpty) }

    @Test func anUpdate_callsHooks_andKeepsLinks() throws {
        try store.write(sql: "UPDATE Author SET name = ' Anna ', email = NULL WHERE id = 1")
        let author = try #require(try store.get(Author.self, key: 1))
        #expect(author.name == "Anna" && author.email == nil)
        #expect(try calls() == ["willSave 1", "didSave 1"])
        try store.write(sql: "DELETE FROM Author WHERE id = 1")
        // The links of the entity led to its books.
        #expect(try Book.query().count.resolve(in: store) == 0)
        #expect(try calls() == ["willSave 1", "didSave 1", "willDelete 1"])
        try check()
    }

    @Test func anInsert_hasNoLinks() throws {
        try store.write(sql: "INSERT INTO Author VALUES (3, 'Cid', NULL)")
        try store.write(sql: "INSERT OR REPLACE INTO Author VALUES (1, 'New', NULL)")
        #expect(try store.get(Author.self, key: 1)?.email == nil)
        try store.write(sql: "DELETE FROM Author WHERE id IN (1, 3)")
        #expect(try Book.query().count.resolve(in: store) == 0, "a replaced entity keeps its links")
        try check()
    }

    @Test func anErrorOfAHook_isThrownAsItIs() throws {
        try store.write { context in
            #expect(throws: HookError()) {
                try context.sql("UPDATE Author SET name = CASE id WHEN 2 THEN 'refused' ELSE 'x' END")
            }
            let names = try context.sql("SELECT name FROM Author ORDER BY id", as: String.self)
            #expect(names == ["Ann", "Bob"])
            #expect(try HookCall.query().count.resolve(in: context) == 0)
        }
        #expect(throws: HookError()) {
            try store.write(sql: "INSERT OR IGNORE INTO Author VALUES (9, 'refused', NULL)")
        }
        try check()
    }

    @Test(arguments: ["IGNORE", "REPLACE"]) func aConflictInAHook_isNotOneOfTheRow(rule: String) throws {
        try store.write(sql: "INSERT INTO Author VALUES (5, 'taken', NULL)")
        let error = #expect(throws: SQLError.self) {
            try store.write(sql: "INSERT OR \(raw: rule) INTO Author VALUES (6, 'taken', NULL)")
        }
        if case .record(.keyExists("HookCall", _))? = error?.cause {
        } else {
            Issue.record("\(String(describing: error))")
        }
        #expect(try store.get(Author.self, key: 6) == nil)
        #expect(try store.get(HookCall.self, key: -1) != nil)
        try check()
    }

    @Test func aRowThatIsLeftOut_leavesNothingOfItsHooks() throws {
        #expect(try store.write(sql: "INSERT OR IGNORE INTO Author VALUES (9, 'x', 'a')").changes == 0)
        #expect(try store.write(sql: "UPDATE OR IGNORE Author SET email = 'a' WHERE id = 2").changes == 0)
        #expect(try calls() == [])
        #expect(try store.write(sql: "INSERT OR REPLACE INTO Author VALUES (9, 'x', 'a')").changes == 1)
        #expect(try calls().sorted() == ["didSave 9", "willDelete 1", "willSave 9"])
        try check()
    }

    @Test func aDeleteThatARelationDenies_isAConflict() throws {
        let error = #expect(throws: SQLError.self) { try store.write(sql: "DELETE FROM Author") }
        #expect(error?.code == 787)
        if case .entity(.deleteDenied)? = error?.cause {} else { Issue.record("\(String(describing: error))") }
        #expect(try Author.query().count.resolve(in: store) == 2)
        #expect(try Book.query().count.resolve(in: store) == 2)
        #expect(try calls() == [])
        try store.write(sql: "DELETE FROM Prize")
        #expect(try store.write(sql: "DELETE FROM Author").changes == 2)
        try check()
    }

    @Test func aUniqueValueOfAnEntity_isAConflict() throws {
        #expect(throws: SQLError.self) { try store.write(sql: "UPDATE Author SET email = 'a' WHERE id = 2") }
        #expect(try store.write(sql: "UPDATE OR IGNORE Author SET email = 'a'").changes == 1)
        #expect(try store.write(sql: "UPDATE OR REPLACE Author SET email = 'a' WHERE id = 2").changes == 1)
        #expect(try Author.query().resolve(in: store).map(\.id) == [2])
        try check()
    }

    @Test func theKeyOfALinkedEntity_stays() throws {
        for sql: SQL in [
            "UPDATE Author SET id = 9 WHERE id = 1", "UPDATE Book SET id = 9 WHERE id = 1",
            "UPDATE Prize SET id = 9",
        ] {
            let error = #expect(throws: SQLError.self) { try store.write(sql: sql) }
            #expect(error?.message.contains("cannot be changed") == true)
        }
        try store.write(sql: "INSERT INTO Loner VALUES (1, 'a')")
        #expect(try store.write(sql: "UPDATE Loner SET id = 2").changes == 1)
        #expect(try Loner.query().resolve(in: store) == [Loner(id: 2, name: "a")])
        try check()
    }

    @Test func aStatementInAStatement_isRun() throws {
        try store.write { context in
            try context.forEachRow("SELECT id FROM Book ORDER BY id", as: Int.self) { id in
                try context.sql("UPDATE Book SET title = title || id WHERE id = \(id)")
                try context.sql("INSERT INTO Loner VALUES (\(id), 'l')")
                return .continue
            }
        }
        #expect(try store.sql("SELECT title FROM Book ORDER BY id", as: String.self) == ["one1", "two2"])
        #expect(try store.sql("SELECT count(*) FROM Loner", as: Int.self) == [2])
        try check()
    }
}

/// What may not write at all.
struct ReadOnlyTests {
    private static let writes: [SQL] = [
        "INSERT INTO User VALUES (2, '', '', 0, '')", "UPDATE User SET age = 1", "DELETE FROM User",
        "INSERT INTO User VALUES (2, '', '', 0, '') RETURNING id", "REPLACE INTO User VALUES (1, '', '', 0, '')",
    ]

    private func store(_ path: String) throws -> Store {
        let store = try Store(path: path, records: [User.self])
        try store.insert(User(id: 1, name: "n", email: "e", age: 3, city: "c"))
        return store
    }

    @Test func aRead_refusesToWrite() throws {
        let directory = try TemporaryDirectory()
        let store = try store(directory.path("store"))
        func readingFunction(_ context: ReadContext, _ sql: SQL) throws -> Int { try context.sql(sql).count }
        for sql in Self.writes {
            for attempt: () throws -> Void in [
                { _ = try store.sql(sql) }, { _ = try store.sql(sql, as: Int.self) },
                { try store.read { context in _ = try context.sql(sql) } },
                { try store.write { context in _ = try readingFunction(context, sql) } },
                { try store.write { context in try context.forEachRow(sql) { _ in .continue } } },
                { _ = try User.fetch(sql: "; \(sql)", in: store) },
            ] {
                let error = #expect(throws: SQLError.self) { try attempt() }
                #expect(
                    error?.message.contains("context of a write") == true
                        || error?.message.contains("one statement") == true, "\(String(describing: error))")
            }
            // The same text is run where it may write.
            #expect(throws: CancellationError.self) {
                try store.write { context in
                    try context.sql(sql)
                    throw CancellationError()
                }
            }
        }
        #expect(try User.query().resolve(in: store).map(\.age) == [3])
    }

    @Test func aStoreOpenedToRead_refusesToWrite() throws {
        let directory = try TemporaryDirectory()
        try store(directory.path("store")).close()
        let store = try Store(
            path: directory.path("store"), records: [User.self], options: StoreOptions(isReadOnly: true))
        for sql in Self.writes {
            #expect(throws: StoreError.self) { try store.write(sql: sql) }
            #expect(throws: SQLError.self) { try store.sql(sql) }
        }
    }

    @Test func aTypeThatTheProgramDoesNotDeclare_isRefused() throws {
        let directory = try TemporaryDirectory()
        try store(directory.path("store")).close()
        let store = try Store(path: directory.path("store"))
        for sql in Self.writes {
            let error = #expect(throws: SQLError.self) { try store.write(sql: sql) }
            #expect(error?.message.contains("does not declare the type") == true)
        }
        #expect(try store.sql("SELECT age FROM User", as: Int.self) == [3])
    }

    @Test func recordsOfAnotherLayout_areRefused() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("store")
        do {
            let store = try Store(path: path, records: [Older.Note.self])
            try store.insert(Older.Note(id: 1, text: "t", count: 3, gone: true))
            try store.close()
        }
        let store = try Store(path: path, records: [Newer.Note.self], migrations: .lazily)
        let error = #expect(throws: SQLError.self) { try store.write(sql: "UPDATE Note SET text = 'x'") }
        #expect(error?.message.contains("another layout") == true)
        try store.insert(Newer.Note(id: 2, count: 1, text: "u", added: nil))
        #expect(try store.write(sql: "UPDATE Note SET added = text || count").changes == 2)
        #expect(try Newer.Note.query().resolve(in: store).map(\.added) == ["t3", "u1"])
    }
}
