// Tests of the indexes of a store into which records are loaded.
//
// One loaded line emptied the indexes of all records, also of a running program.

import Foundation
import Testing
import TroveTestSupport

@testable import Trove

/// All kinds of indexes whose entries follow from the layout of the record.
enum BookShelf {
    @IndexKeyRecord(keyPrefix: 7_100_001, "id")
    struct Book: Hashable {
        #Index<Book>(\.year)
        #Index<Book>(\.title, \.year.desc)
        #Index<Book>(\.tags)
        #Unique<Book>(\.code, collisions: .throw)
        #FullTextIndex<Book>(\.title, \.tags)

        let id: Int
        var title: String
        var year: Int?
        var tags: [String] = []
        var code: String? = nil
    }

    /// The same type with indexes that only its program can maintain.
    @IndexKeyRecord(keyPrefix: 7_100_002, "id")
    struct Note: Hashable {
        #Index<Note>(\.year)
        #Index<Note>(\.year, where: { $0.year > 2000 })
        #Unique<Note>(\.code, collisions: .custom { _, _, _ in })

        let id: Int
        var year: Int
        var code: String
    }
}

@IndexKeyRecord("id")
private struct Feeling: Hashable {
    #Index<Feeling>(\.note)

    enum Mood: String, Codable { case good, bad }

    let id: Int
    var mood: Mood
    var note: String? = nil
}

@IndexKeyRecord("sku")
private struct Product: Hashable {
    #Index<Product>(\.price)

    let sku: String
    var price: Int?
}

@Suite("Indexes of loaded records") struct LoadedIndexTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("shelf.trove")
    }

    private func open(_ records: [any IndexKeyRecord.Type] = []) throws -> Store {
        try Store(path: path, records: records, options: StoreOptions(durability: .noSync))
    }

    private func line(_ book: BookShelf.Book) throws -> String {
        let encoder = JSONEncoder()
        func json(_ value: some Encodable) throws -> String {
            String(decoding: try encoder.encode(value), as: UTF8.self)
        }
        return
            "{\"id\":\(book.id),\"title\":\(try json(book.title)),\"year\":\(book.year.map(String.init) ?? "null"),"
            + "\"tags\":\(try json(book.tags)),\"code\":\(try json(book.code))}"
    }

    private func isReady(_ store: Store) throws -> Bool {
        try store.read { context in try context.storedTypes().flatMap(\.indexes).allSatisfy(\.isReady) }
    }

    // MARK: Maintenance

    /// After random loads, each index has the entries of the records: without the type by its definition, and with it.
    @Test(arguments: [false, true]) func randomLoads_keepAllIndexes(isDeclared: Bool) throws {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        try open([BookShelf.Book.self]).insert(BookShelf.Book(id: 0, title: "first", year: 1))
        var expected = [0: BookShelf.Book(id: 0, title: "first", year: 1)]
        let store = try open(isDeclared ? [BookShelf.Book.self] : [])
        for round in 0..<25 {
            let books = (0..<Int.random(in: 1...8, using: &generator)).map { _ in
                BookShelf.Book(
                    id: .random(in: 0..<20, using: &generator),
                    title: ["red", "blue", "red blue", String(repeating: "long ", count: 150)].randomElement(
                        using: &generator) ?? "", year: Bool.random(using: &generator) ? nil : round % 5,
                    tags: Array(["a", "b", "c"].prefix(.random(in: 0...3, using: &generator))), code: nil)
            }
            let rule: ConflictRule = Bool.random(using: &generator) ? .replace : .ignore
            for book in books where rule == .replace || expected[book.id] == nil { expected[book.id] = book }
            let report = try store.load(from: books.map(line), onConflict: rule, type: "BookShelf.Book")
            #expect(report.types.allSatisfy { $0.indexesToRebuild.isEmpty && $0.rebuiltIndexes.isEmpty })
            if round % 5 != 4 { continue }
            #expect(try isReady(store), "TROVE_TEST_SEED=\(seed)")
            #expect(
                try store.read { try $0.checkStoredIndexes(of: $0.storedTypes()[0]) }.differences.isEmpty,
                "TROVE_TEST_SEED=\(seed)")
        }
        let opened = try open([BookShelf.Book.self])
        #expect(try opened.check().isEmpty, "TROVE_TEST_SEED=\(seed)")
        #expect(try BookShelf.Book.query().resolve(in: opened) == expected.values.sorted { $0.id < $1.id })
    }

    /// A program that has the store open uses its indexes as before.
    @Test func aRunningProgram_keepsItsIndexes() throws {
        let store = try open([BookShelf.Book.self])
        try store.insert(contentsOf: (0..<200).map { BookShelf.Book(id: $0, title: "old \($0)", year: $0) })
        // As the command does it: without the type.
        try Store(path: path, options: StoreOptions(durability: .noSync)).load(
            from: [line(BookShelf.Book(id: 7, title: "new wine", year: 1999, tags: ["x"]))], onConflict: .replace,
            type: "Book")
        #expect(try isReady(store))
        #expect(try BookShelf.Book.query().filter(\.year == 1999).explain(in: store).contains("index(year)"))
        #expect(try BookShelf.Book.query().filter(\.year == 1999).resolve(in: store).map(\.id) == [7])
        #expect(try BookShelf.Book.query().filter(\.year == 7).count(in: store) == 0)
        #expect(try BookShelf.Book.matching("wine").resolve(in: store).map(\.id) == [7])
        #expect(try BookShelf.Book.matching("old").count(in: store) == 199)
        #expect(try store.check().isEmpty)
    }

    @Test func anIndexOfItsProgramOnly_isEmptied_unlessTheTypeIsDeclared() throws {
        let notes = (0..<60).map { BookShelf.Note(id: $0, year: 1980 + $0, code: "\($0)") }
        try open([BookShelf.Note.self]).insert(contentsOf: notes)
        let line = #"{"id":7,"year":2030,"code":"8"}"#
        let partial = try #require(BookShelf.Note.schema.indexes.first { $0.isPartial }).text
        let error = loadError {
            try open().load(from: [line], onConflict: .replace, type: "Note", keepsIndexes: true)
        }
        #expect(error?.reason == .indexesNotKept([partial]))
        let report = try open().load(from: [line], onConflict: .replace, type: "Note")
        #expect(report.types.map(\.indexesToRebuild) == [[partial]])
        #expect(report.description.contains("\(partial): emptied"))
        let opened = try open([BookShelf.Note.self])
        #expect(try opened.check().isEmpty)
        let other = try opened.load(from: [line], onConflict: .replace, type: "Note", keepsIndexes: true)
        #expect(other.types.map(\.indexesToRebuild) == [[]])
        #expect(try opened.check().isEmpty)
        #expect(try BookShelf.Note.query().filter(\.year == 2030).resolve(in: opened).map(\.id) == [7, 50])
    }

    @Test func recordsOfAnOlderLayout_emptyTheIndexes() throws {
        let store = try Store.temporary()
        try store.insert(contentsOf: (0..<10).map { Crew.Indexed(id: $0, name: "a", age: $0, email: "\($0)") })
        let types = try store.read { try $0.storedTypes() }
        let newest = try #require(types[0].versions.last)
        let description = try #require(store.dump(0).first { $0.hasPrefix("[\"type\"") })
        let older = description.replacing(
            "\"layouts\":[", with: "\"layouts\":[{\"version\":1,\"layout\":\"(id:Int64){name:String}\"},"
        ).replacing("\"oldest\":\(newest)", with: "\"oldest\":1")
        #expect(older != description)
        let report = try store.load(
            from: [older, "[\"version\",1]", #"{"id":50,"name":"old"}"#], onConflict: .replace)
        #expect(report.types.map(\.indexesToRebuild.count) == [4])
    }

    // MARK: Size

    /// Indexes are emptied after that many records, and built at once if the program declares the type.
    @Test(arguments: [(false, false), (true, false), (false, true)])
    func aLargeLoad_emptiesIndexes_andBuildsThem(isDeclared: Bool, keepsIndexes: Bool) throws {
        try open([BookShelf.Book.self]).insert(BookShelf.Book(id: -1, title: "first", year: 1, code: "c5"))
        let store = try open(isDeclared ? [BookShelf.Book.self] : [])
        let count = LoadedIndexes.usualLimit + 50
        let lines = (0..<count).lazy.map { id in
            "{\"id\":\(id),\"title\":\"t\(id % 10)\",\"year\":\(id),\"tags\":[],\"code\":null}"
        }
        let report = try store.load(from: lines, type: "Book", keepsIndexes: keepsIndexes)
        #expect(report.records == count)
        let emptied = keepsIndexes || isDeclared ? 0 : 4
        #expect(report.types[0].indexesToRebuild.count == emptied)
        #expect(report.types[0].rebuiltIndexes.count == (isDeclared && !keepsIndexes ? 4 : 0))
        #expect(try isReady(store) == (emptied == 0))
        // A unique constraint is checked for every record, whatever the size.
        let duplicate = lines.map { $0.replacing("null", with: "\"c\($0.count % 3)\"") }.prefix(count)
        let error = loadError { try store.load(from: duplicate, onConflict: .replace, type: "Book") }
        guard case .store(.record(.notUnique(_, "unique(code)", _, _)))? = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        let opened = try open([BookShelf.Book.self])
        #expect(try opened.check().isEmpty)
        #expect(try BookShelf.Book.query().count(in: opened) == count + 1)
    }

    // MARK: Unique values

    @Test(arguments: [false, true]) func aDuplicateOfAUniqueValue_isRefused(isDeclared: Bool) throws {
        let long = String(repeating: "x", count: 600)
        try open([BookShelf.Book.self]).insert(contentsOf: [
            BookShelf.Book(id: 1, title: "", year: 1, code: "a"), BookShelf.Book(id: 2, title: "", year: 1, code: "b"),
            BookShelf.Book(id: 3, title: "", year: 1, code: long + "1"),
        ])
        let store = try open(isDeclared ? [BookShelf.Book.self] : [])
        func load(_ books: [BookShelf.Book], _ rule: ConflictRule) -> LoadError.Reason? {
            loadError { try store.load(from: books.map(line), onConflict: rule, type: "Book") }?.reason
        }
        func isRefused(_ reason: LoadError.Reason?, _ key: Int, existing: Int) -> Bool {
            guard case .store(.record(.notUnique(_, "unique(code)", let new, let old)))? = reason else { return false }
            return new.description == "id: \(key)" && old.description == "id: \(existing)"
        }
        for rule in [ConflictRule.throw, .ignore, .replace] {
            #expect(isRefused(load([BookShelf.Book(id: 9, title: "", year: 1, code: "b")], rule), 9, existing: 2))
            #expect(
                isRefused(load([BookShelf.Book(id: 9, title: "", year: 1, code: long + "1")], rule), 9, existing: 3))
        }
        let twins = [8, 9].map { BookShelf.Book(id: $0, title: "", year: 1, code: "new") }
        #expect(isRefused(load(twins, .throw), 9, existing: 8))
        #expect(try BookShelf.Book.query().count(in: store) == 3)
        // Long values that differ after their head, nil, and records that exchange their values, are not duplicates.
        try store.load(
            from: [
                BookShelf.Book(id: 1, title: "", year: 1, code: "b"),
                BookShelf.Book(id: 2, title: "", year: 1, code: "a"),
                BookShelf.Book(id: 4, title: "", year: 1, code: long + "2"), BookShelf.Book(id: 5, title: "", year: 1),
                BookShelf.Book(id: 6, title: "", year: 1),
            ].map(line), onConflict: .replace, type: "Book")
        let opened = try open([BookShelf.Book.self])
        #expect(
            try BookShelf.Book.query().resolve(in: opened).compactMap(\.code) == ["b", "a", long + "1", long + "2"])
        #expect(try opened.check().isEmpty)
    }

    // MARK: Declared types

    /// The first import is the usual one: the type is declared, and no record is stored.
    @Test func aDeclaredType_withoutARecord_isKnown() throws {
        let store = try Store.temporary(records: [Product.self])
        let report = try store.load(.csv, from: ["sku,price", "a,3", "b,"], type: "Product")
        #expect(report.types == [LoadReport.RecordType(name: "TroveTests.Product", loaded: 2)])
        #expect(try Product.query().resolve(in: store) == [Product(sku: "a", price: 3), Product(sku: "b", price: nil)])
        #expect(try Product.query().filter(\.price == 3).count.explain(in: store).contains("index(price)"))
        #expect(try store.check().isEmpty)
        // A store without the type takes its description.
        let path = directory.path("new.trove")
        var rows = ["sku,price", "c,5"].makeIterator()
        try Store.create(at: path, loading: .csv, type: "Product", schema: [DumpedType(Product.self)]) { rows.next() }
        #expect(try Product.query().resolve(in: Store(path: path)) == [Product(sku: "c", price: 5)])
    }

    /// Only the program knows raw values. A declared type checks them.
    @Test func aDeclaredType_checksItsValues() throws {
        let line = #"{"id":1,"mood":"ugly"}"#
        let store = try Store.temporary(records: [Feeling.self])
        let error = loadError { try store.load(from: [line], type: "Feeling") }
        #expect(error?.line == 1)
        #expect(error?.description.contains("cannot be stored") == true, "\(String(describing: error))")
        #expect(try Feeling.query().count(in: store) == 0)
        try store.load(from: [#"{"id":1,"mood":"bad"}"#], type: "Feeling")
        #expect(try Feeling.query().resolve(in: store) == [Feeling(id: 1, mood: .bad)])
    }

    /// Without the type, a raw value is not checked. The program replaces the record by loading another.
    @Test func aRecordThatItsProgramCannotDecode_isReplaced() throws {
        try open([Feeling.self]).insert(Feeling(id: 0, mood: .good, note: "a"))
        try open().load(from: [#"{"id":1,"mood":"ugly","note":"b"}"#], type: "Feeling")
        let store = try open([Feeling.self])
        #expect(throws: StoreError.self) { try Feeling.query().resolve(in: store) }
        let report = try store.load(
            from: [#"{"id":1,"mood":"bad","note":"c"}"#], onConflict: .replace, type: "Feeling")
        #expect(report.types.map(\.indexesToRebuild) == [[]])
        #expect(report.types.map(\.rebuiltIndexes.count) == [1])
        #expect(try Feeling.query().filter(\.note == "c").resolve(in: store).map(\.id) == [1])
        #expect(try Feeling.query().filter(\.note == "b").count(in: store) == 0)
        #expect(try store.check().isEmpty)
    }
}
