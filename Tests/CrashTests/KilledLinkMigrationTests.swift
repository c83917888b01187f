// A program killed repeatedly while it rewrites the links of a store: for another form of their relation, or with other
// keys of their entities. Its store has either all old links or all new links, and the next program goes on. The times
// of the entities always have the keys of the entities, and no deleted entity is lost.

import Foundation
import LMDB
import Testing
import TroveCoding
import TroveCrashWorker
import TroveTestSupport

@testable import Trove

@Suite("Killed migrations of links", .serialized) struct KilledLinkMigrationTests {
    /// A kind of migration: the layout of the program before and after it.
    enum Kind: CaseIterable {
        case toMutual, toOneWay, toNewKeys

        var old: ReaderLayout { self == .toMutual ? .oneWay : .mutual }

        var new: ReaderLayout {
            switch self {
            case .toMutual: .mutual
            case .toOneWay: .oneWay
            case .toNewKeys: .named
            }
        }
    }

    @Test(arguments: Kind.allCases) func killedAnywhere_theStoreHasTheOldLinksOrTheNew(_ kind: Kind) throws {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        let run = try ReaderRun(kind, seed: seed)
        let began = ContinuousClock.now
        try run.finish()
        let longest = Int((ContinuousClock.now - began) / .microseconds(1))
        #expect(try run.layoutFound("TROVE_TEST_SEED=\(seed), undisturbed") == kind.new)
        try run.restart()
        let kills = Torture.amount(2, full: 60)
        var (underWay, ends) = (0, 0)
        for kill in 0..<kills {
            let comment: Comment = "TROVE_TEST_SEED=\(seed), kill \(kill)"
            // Some kills are certainly between two transactions; the others are at any moment.
            if kill % 4 == 0 {
                try run.killAfterAStep()
            } else {
                try run.kill(after: .microseconds(Int.random(in: 0..<longest, using: &generator)))
            }
            if try run.isUnderWay() { underWay += 1 }
            if kill % 4 == 0 { #expect(try run.damage() == [], comment) }
            if try run.layoutFound(comment) == kind.new {
                ends += 1
                try run.restart()
            }
        }
        try run.finish()
        #expect(try run.layoutFound("TROVE_TEST_SEED=\(seed), finished") == kind.new)
        if kind == .toNewKeys { try run.expectNamedDeletedReaders() }
        // Few links can all be rewritten in the first transaction.
        #expect(underWay > 0 || !Torture.isFull, "TROVE_TEST_SEED=\(seed)")
        try Torture.report(
            "killed migrations of links, \(kind)",
            "\(kills), \(underWay) of them under way, to their end \(ends + 1) times")
    }
}

/// A layout of the readers.
enum ReaderLayout: String {
    case oneWay, mutual, named

    func readerKey(_ number: Int) -> [UInt8] {
        self == .named ? KeyWriter.bytes(of: Readers.name(number)) : KeyWriter.bytes(of: number)
    }

    func bookKey(_ number: Int) -> [UInt8] { KeyWriter.bytes(of: Readers.title(number)) }

    var readerType: any EntityModelProtocol.Type {
        switch self {
        case .oneWay: OneWayReaders.Reader.self
        case .mutual: MutualReaders.Reader.self
        case .named: NamedReaders.Reader.self
        }
    }

    /// The type of the books, if they have a relation.
    var bookType: (any EntityModelProtocol.Type)? {
        switch self {
        case .oneWay: nil
        case .mutual: MutualReaders.Book.self
        case .named: NamedReaders.Book.self
        }
    }
}

/// A store of readers that killed programs migrate.
private struct ReaderRun {
    private let path: String
    private let oldPath: String
    private let kind: KilledLinkMigrationTests.Kind
    private let readers: Readers
    private let directory: TemporaryDirectory
    /// The times of the readers before the migration, as bytes.
    private let times: [[UInt8]: [UInt8]]

    init(_ kind: KilledLinkMigrationTests.Kind, seed: UInt64) throws {
        directory = try TemporaryDirectory()
        (path, oldPath) = (directory.path("store"), directory.path("old"))
        self.kind = kind
        let count = Torture.amount(30, full: 600)
        readers = Readers(seed: seed, readers: count + 1, books: 4 * count, each: 200)
        if kind.old == .oneWay { try readers.fillOneWay(oldPath) } else { try readers.fillMutual(oldPath) }
        times = try Store(path: oldPath).read { try $0.fields(of: "Reader~metadata").fields }
        #expect(times.count == readers.readerCount)
        try FileManager.default.copyItem(atPath: oldPath, toPath: path)
    }

    /// Restores the old links.
    func restart() throws {
        for suffix in ["", "-lock"] { try FileManager.default.removeItem(atPath: path + suffix) }
        try FileManager.default.copyItem(atPath: oldPath, toPath: path)
    }

    private func worker(heldAfterStep step: Int = 0) throws -> Worker {
        try Worker(
            ["migrate", path, kind.new.rawValue, "onOpen", "\(step)"], output: directory.path(UUID().uuidString))
    }

    func finish() throws { #expect(try worker().wait() == 0) }

    /// Starts a migration, and kills it after it has committed a transaction.
    func killAfterAStep() throws {
        let worker = try worker(heldAfterStep: 1)
        let isHeld = try worker.hasSaid(2)
        #expect(isHeld)
        worker.kill()
    }

    /// Starts a migration, and kills it after a duration.
    func kill(after time: Duration) throws {
        let moment = ContinuousClock.now + time
        let worker = try worker()
        while ContinuousClock.now < moment { sched_yield() }
        worker.kill()
    }

    /// Returns whether links or records have been rewritten, and are not in use yet.
    func isUnderWay() throws -> Bool {
        try Store(path: path).read { context in try context.storedTypes().contains { $0.migration != nil } }
    }

    /// Returns the damage that `verify` finds.
    func damage() throws -> [String] { try Store.verify(path: path).findings.filter(\.isDamage).map { "\($0)" } }

    /// Compares all links with the model, from both ends. Returns the layout whose links the store has.
    func layoutFound(_ comment: Comment) throws -> ReaderLayout {
        let store = try Store(path: path)
        #expect(try store.check() == [], comment)
        return try store.read { context in
            let layout = try layout(in: context)
            try compare(layout, context, comment)
            return layout
        }
    }

    /// Returns the layout in the catalog.
    private func layout(in context: ReadContext) throws -> ReaderLayout {
        let reader = try #require(try context.storedTypes().first { $0.keyPrefix == OneWayReaders.Reader.keyPrefix })
        if reader.keyLayout == NamedReaders.Reader.schema.keyLayout { return .named }
        return context.relations.values.contains { $0.relation.form == .lists } ? .mutual : .oneWay
    }

    private func compare(_ layout: ReaderLayout, _ context: ReadContext, _ comment: Comment) throws {
        var readersOfBooks = [[Int]](repeating: [], count: readers.bookCount)
        for (reader, books) in readers.books.enumerated() { for book in books { readersOfBooks[book].append(reader) } }
        let ends = try layout.readerType.declaredRelations()
        let (books, booksSide) = try #require(try context.links(ends[0]))
        let (partners, partnersSide) = try #require(try context.links(ends[1]))
        #expect(try context.keyspace.count(books.table.database) == readers.books.reduce(0) { $0 + $1.count }, comment)
        try compareKept(layout, context, comment)
        for (reader, expected) in readers.books.enumerated() {
            let key = layout.readerKey(reader)
            let found = try books.targets(of: key, booksSide)
            if found != expected.map(layout.bookKey) { Issue.record("books of \(reader), \(comment)") }
            let partner = try partners.targets(of: key, partnersSide)
            #expect(partner == readers.partner(of: reader).map { [layout.readerKey($0)] } ?? [], comment)
        }
        for (book, expected) in readersOfBooks.enumerated() {
            // The list of a new form is in the order of the readers' former keys, as are the keys of the one-way links.
            let found = try books.targets(of: layout.bookKey(book), booksSide.other)
            if found != expected.map(layout.readerKey) { Issue.record("readers of \(book), \(comment)") }
        }
        if let type = layout.bookType {
            let (links, side) = try #require(try context.links(try type.declaredRelations()[0]))
            #expect(links.table.schema.keyPrefix == books.table.schema.keyPrefix && side == booksSide.other, comment)
        }
    }

    /// Compares the times of the readers with those before the migration, and the keys of the deleted readers.
    private func compareKept(_ layout: ReaderLayout, _ context: ReadContext, _ comment: Comment) throws {
        let found = try context.fields(of: "Reader~metadata").fields
        let expected = try (0..<readers.readerCount).map { reader in
            (layout.readerKey(reader), try #require(times[kind.old.readerKey(reader)]))
        }
        if found != Dictionary(uniqueKeysWithValues: expected) { Issue.record("times of readers, \(comment)") }
        // The deleted readers are rewritten in transactions of their own.
        let deleted = try context.fields(of: "Reader~deleted")
        let deletedLayout: ReaderLayout =
            deleted.keyLayout == NamedReaders.Reader.schema.keyLayout ? .named : kind.old
        #expect(Set(deleted.fields.keys) == Set(readers.deleted.map(deletedLayout.readerKey)), comment)
    }

    /// Expects the deleted readers with their new keys, and the ids of their books.
    func expectNamedDeletedReaders() throws {
        let store = try Store(path: path, records: [NamedReaders.Reader.self])
        let found = try Deleted<NamedReaders.Reader>.query().resolve(in: store)
        #expect(Set(found.map(\.id)) == Set(readers.deleted.map(Readers.name)))
        #expect(found.allSatisfy { $0.entity.$books.ids == readers.books[0].prefix(2).map(Readers.title) })
    }
}

extension ReadContext {
    /// Returns the layout of the keys of a stored type, and the fields of its records by their keys.
    ///
    /// - Parameter name: The end of the type's name.
    fileprivate func fields(of name: String) throws -> (keyLayout: String, fields: [[UInt8]: [UInt8]]) {
        let type = try #require(try storedTypes().first { $0.name.hasSuffix(name) })
        var fields: [[UInt8]: [UInt8]] = [:]
        try keyspace.scan(type.records, ScanRange()) { key, value in
            fields[copiedBytes(key)] = copiedBytes(value.extracting(droppingFirst: StoredValue.headerSize))
            return .continue
        }
        return (type.keyLayout, fields)
    }
}
