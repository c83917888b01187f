// Related queries and filters on links over random graphs, compared with an answer that reads every link and every
// entity. The links themselves are compared with a graph in memory in RandomGraphTests.

import Foundation
import Testing
import TroveCoding
import TroveTestSupport

@testable import Trove

@Suite("Related queries, at random") struct RandomRelatedTests {
    /// Each round has many queries.
    private static var rounds: Int {
        let graphs = ProcessInfo.processInfo.environment["TROVE_GRAPH_ROUNDS"].flatMap(Int.init) ?? 60
        return max(12, graphs / 15)
    }

    @Test func everyQuery_findsWhatTheGraphSays() throws {
        let seed = SeededGenerator.fromEnvironment().seed
        var seen: Set<String> = []
        for round in 0..<Self.rounds {
            var library = try RandomLibrary(seed: seed &+ UInt64(round))
            for step in 0..<50 {
                try library.checkOne("TROVE_TEST_SEED=\(seed &+ UInt64(round)) step \(step)")
            }
            seen.formUnion(library.plans)
        }
        let kinds = [
            "walk links", "order as links", "keys sorted", "scan index", "scan unique", "scan Book",
        ]
        for kind in kinds {
            #expect(seen.contains { $0.contains(kind) }, "no plan has: \(kind). TROVE_TEST_SEED=\(seed)")
        }
    }
}

/// A random library in a store.
private struct RandomLibrary {
    private let store = Result { try Store.temporary() }
    private var random: SeededGenerator
    private var books: [Int: Book] = [:]
    /// The lines of all plans.
    private(set) var plans: Set<String> = []
    /// Ids below this number can be linked. Not all of them are stored.
    private let bookCount: Int

    /// A query, and the ids that it finds.
    private struct Expectation {
        var query: Query<Book>
        var ids: [Int]
        /// Whether the query decides the order of its result.
        var isOrdered: Bool
    }

    /// A filter, and whether it finds a book.
    private struct Meaning {
        var filter: Filter<Book>
        var holds: (Book) -> Bool
    }

    init(seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        bookCount = [6, 20, 60].randomElement(using: &random) ?? 6
        try fill()
    }

    // MARK: The graph

    private mutating func fill() throws {
        var isbn = 0
        for id in 0..<3 where number(5) > 0 {
            var library = Library(id: id, name: name())
            library.$shelves = .appending(ids: ids(5))
            try save(library)
        }
        for id in 0..<5 where number(6) > 0 {
            var shelf = Shelf(id: id, name: name())
            shelf.$books = .appending(ids: ids(bookCount, max: bookCount / 2))
            try save(shelf)
        }
        for id in 0..<4 where number(6) > 0 {
            var genre = Genre(id: id, name: name())
            genre.$books = .ids(ids(bookCount, max: bookCount / 2))
            try save(genre)
        }
        for id in 0..<3 where number(4) > 0 { try save(Writer(id: id, name: name())) }
        for id in (0..<bookCount).shuffled(using: &random) where number(8) > 0 {
            isbn += 1
            var book = Book(id: id, title: name(), year: 1990 + number(12), pages: number(4))
            book.isbn = number(3) == 0 ? nil : isbn
            if number(3) == 0 { book.$shelf = .id(number(5)) }
            if number(3) == 0 { book.$genres = .appending(ids: ids(4)) }
            if number(2) == 0 { book.$similar = .appending(ids: ids(bookCount)) }
            if number(3) == 0 { book.$translation = .id(number(bookCount)) }
            if number(3) == 0 { book.$sequel = .id(number(bookCount)) }
            if number(3) > 0 { book.$author = .id(number(3)) }
            if number(3) == 0 { book.$readers = .ids(ids(3)) }
            try save(book)
            books[id] = book.normalized()
        }
    }

    private mutating func save(_ entity: some EntityModelProtocol) throws {
        try entity.save(to: store.get())
    }

    private mutating func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
    private mutating func ids(_ count: Int, max: Int = 4) -> [Int] { (0..<number(max + 1)).map { _ in number(count) } }
    private mutating func name() -> String { ["a", "b", "c"][number(3)] }

    // MARK: Links

    private func links(_ type: any EntityModelProtocol.Type, _ property: String, of id: Int) -> [Int] {
        do {
            let end = try type.declaredRelations().first { $0.description.property == property }
            return try store.get().read { context in
                guard let (links, side) = try end.flatMap({ try context.links($0) }) else { return [] }
                return try links.targets(of: KeyWriter.bytes(of: id), side).map { try $0[...].component() }
            }
        } catch {
            Issue.record("\(error)")
            return []
        }
    }

    private func stored<Entity: EntityModelProtocol>(_ type: Entity.Type) -> [Entity] where Entity.ID == Int {
        do {
            return try Entity.query().resolve(in: store.get())
        } catch {
            Issue.record("\(error)")
            return []
        }
    }

    /// Returns what a relation leads to from some owners: each stored target once.
    private func related<Target: EntityModelProtocol>(
        _ type: any EntityModelProtocol.Type, _ property: String, of owners: [Int], _ target: Target.Type
    ) -> [Int] where Target.ID == Int {
        let known = Set(stored(target).map(\.id))
        var found: [Int] = []
        for owner in owners {
            for id in links(type, property, of: owner) where known.contains(id) && !found.contains(id) {
                found.append(id)
            }
        }
        return found
    }

    // MARK: Queries

    /// Returns a query for books, without a page.
    private mutating func query(_ depth: Int) -> Expectation {
        switch number(depth > 0 ? 9 : 6) {
        case 0:
            let id = number(5)
            let owners = stored(Shelf.self).map(\.id).filter { $0 == id }
            return Expectation(
                query: Shelf.query(id).related(\.$books), ids: related(Shelf.self, "books", of: owners, Book.self),
                isOrdered: true)
        case 1:
            let id = number(3)
            let owners = stored(Library.self).map(\.id).filter { $0 == id }
            let shelves = related(Library.self, "shelves", of: owners, Shelf.self)
            return Expectation(
                query: Library.query(id).related(\.$shelves).related(\.$books),
                ids: related(Shelf.self, "books", of: shelves, Book.self), isOrdered: true)
        case 2:
            let name = name()
            var shelves = stored(Shelf.self).filter { $0.name != name }.map(\.id)
            let isReversed = number(2) == 0
            if isReversed { shelves.reverse() }
            let owners = Shelf.filter(\.name != name).order(isReversed ? .descending : .ascending).limit(3)
            return Expectation(
                query: owners.related(\.$books),
                ids: related(Shelf.self, "books", of: Array(shelves.prefix(3)), Book.self),
                isOrdered: true)
        case 3:
            return Expectation(
                query: Genre.query().order(.ascending).related(\.$books),
                ids: related(Genre.self, "books", of: stored(Genre.self).map(\.id), Book.self), isOrdered: true)
        case 4:
            let id = number(bookCount)
            let owners = books[id] == nil ? [] : [id]
            switch number(4) {
            case 0:
                return Expectation(
                    query: Book.query(id).related(\.$translation),
                    ids: related(Book.self, "translation", of: owners, Book.self), isOrdered: true)
            case 1:
                return Expectation(
                    query: Book.query(id).related(\.$prequel),
                    ids: related(Book.self, "prequel", of: owners, Book.self), isOrdered: true)
            case 2:
                return Expectation(
                    query: Book.query(id).related(\.$genres).related(\.$books),
                    ids: related(
                        Genre.self, "books", of: related(Book.self, "genres", of: owners, Genre.self), Book.self),
                    isOrdered: true)
            default:
                return Expectation(
                    query: Book.query(id).related(\.$similar),
                    ids: related(Book.self, "similar", of: owners, Book.self), isOrdered: true)
            }
        case 5: return Expectation(query: Query(), ids: books.keys.sorted(), isOrdered: false)
        default:
            // A related query of another, whose order and page decide.
            var owners = query(depth - 1)
            owners = filtered(owners, depth - 1)
            owners = ordered(owners)
            if owners.isOrdered, number(2) == 0 {
                let limit = 1 + number(4)
                owners.query = owners.query.limit(limit)
                owners.ids = Array(owners.ids.prefix(limit))
            }
            switch number(3) {
            case 0:
                return Expectation(
                    query: owners.query.related(\.$sequel),
                    ids: related(Book.self, "sequel", of: owners.ids, Book.self), isOrdered: owners.isOrdered)
            case 1:
                return Expectation(
                    query: owners.query.related(\.$shelf).related(\.$books),
                    ids: related(
                        Shelf.self, "books", of: related(Book.self, "shelf", of: owners.ids, Shelf.self), Book.self),
                    isOrdered: owners.isOrdered)
            default:
                return Expectation(
                    query: owners.query.related(\.$similar),
                    ids: related(Book.self, "similar", of: owners.ids, Book.self), isOrdered: owners.isOrdered)
            }
        }
    }

    private mutating func filtered(_ expectation: Expectation, _ depth: Int) -> Expectation {
        guard number(4) > 0 else { return expectation }
        let meaning = meaning(depth)
        var result = expectation
        result.query = result.query.filter(meaning.filter)
        result.ids = result.ids.filter { id in books[id].map(meaning.holds) ?? false }
        if number(5) == 0 {
            let other = self.meaning(0)
            result.query = expectation.query.filter(meaning.filter).or(other.filter)
            result.ids = expectation.ids.filter { id in
                books[id].map { meaning.holds($0) || other.holds($0) } ?? false
            }
        }
        return result
    }

    private mutating func ordered(_ expectation: Expectation) -> Expectation {
        var result = expectation
        let isReversed = number(2) == 0
        switch number(5) {
        case 0:
            result.query = result.query.order(isReversed ? .descending : .ascending)
            result.ids.sort { isReversed ? $0 > $1 : $0 < $1 }
        case 1:
            result.query = isReversed ? result.query.sorted(by: \.year.desc) : result.query.sorted(by: \.year)
            sort(&result.ids) { isReversed ? -$0.year : $0.year }
        case 2:
            result.query = result.query.sorted(by: \.pages, \.title)
            sort(&result.ids) { $0.pages * 1000 + Int($0.title.utf8.first ?? 0) }
        default: return result
        }
        result.isOrdered = true
        return result
    }

    private func sort(_ ids: inout [Int], by value: (Book) -> Int) {
        ids.sort { left, right in
            let (first, second) = (books[left].map(value) ?? 0, books[right].map(value) ?? 0)
            return (first, left) < (second, right)
        }
    }

    private mutating func meaning(_ depth: Int) -> Meaning {
        switch number(depth > 0 ? 13 : 9) {
        case 0:
            let year = 1990 + number(12)
            return Meaning(filter: \.year == year) { $0.year == year }
        case 1:
            let year = 1990 + number(12)
            return Meaning(filter: \.year > year) { $0.year > year }
        case 2:
            let isbn = number(bookCount)
            return Meaning(filter: \.isbn == isbn) { $0.isbn == isbn }
        case 3:
            let pages = number(4)
            return Meaning(filter: \.pages != pages) { $0.pages != pages }
        case 4:
            let id = number(5)
            return linked("shelf", .linked(\.$shelf, to: id), [id])
        case 5:
            let ids = ids(4, max: 6)
            return linked("genres", .linked(\.$genres, to: ids), ids)
        case 6:
            let id = number(bookCount)
            return number(2) == 0
                ? linked("similar", .linked(\.$similar, to: id), [id])
                : linked("translation", \.$translation == .id(id), [id])
        case 7:
            let ids = ids(3)
            return number(2) == 0
                ? linked("readers", .linked(\.$readers, to: ids), ids)
                : linked("author", .linked(\.$author, to: ids), ids)
        case 8:
            if number(2) == 0 {
                return Meaning(filter: .hasNone(\.$sequel)) { [self] in links(Book.self, "sequel", of: $0.id).isEmpty }
            }
            return Meaning(filter: .hasNone(\.$genres)) { [self] in links(Book.self, "genres", of: $0.id).isEmpty }
        case 9:
            let part = meaning(depth - 1)
            return Meaning(filter: .not(part.filter)) { !part.holds($0) }
        case 10:
            let (first, second) = (meaning(depth - 1), meaning(depth - 1))
            return Meaning(filter: first.filter.or(second.filter)) { first.holds($0) || second.holds($0) }
        default:
            let (first, second) = (meaning(depth - 1), meaning(depth - 1))
            return Meaning(filter: first.filter.and(second.filter)) { first.holds($0) && second.holds($0) }
        }
    }

    private func linked(_ property: String, _ filter: Filter<Book>, _ ids: [Int]) -> Meaning {
        Meaning(filter: filter) { [self] in !Set(links(Book.self, property, of: $0.id)).isDisjoint(with: ids) }
    }

    // MARK: Checks

    mutating func checkOne(_ comment: Comment) throws {
        let expectation = ordered(filtered(query(2), 2))
        let comment: Comment = "\(expectation.query), \(comment)"
        let store = try store.get()
        if number(4) == 0 {
            try store.write { try check(expectation, in: $0, comment) }
            if number(2) == 0 { try checkChanges(expectation, comment) }
        } else {
            try store.read { try check(expectation, in: $0, comment) }
        }
    }

    /// Updates and deletes the matches, and undoes it.
    private func checkChanges(_ expectation: Expectation, _ comment: Comment) throws {
        struct Undo: Error {}
        func undone(_ body: (TransactionContext) throws -> Void) throws {
            do {
                try store.get().write { context in
                    try body(context)
                    throw Undo()
                }
            } catch is Undo {}
        }
        let (query, ids) = (expectation.query, expectation.ids)
        try undone { context in
            let count = try query.update(in: context) { $0.pages += 100 }
            let changed = try Book.filter(\.pages >= 100).keys(in: context)
            #expect(count == ids.count, comment)
            #expect(changed == ids.sorted(), comment)
        }
        try undone { context in
            let count = try query.delete(in: context)
            let rest = try Book.query().keys(in: context)
            #expect(count == ids.count, comment)
            #expect(rest == Set(books.keys).subtracting(ids).sorted(), comment)
            try context.expectIntactLinks(comment)
        }
    }

    private mutating func check(_ expectation: Expectation, in context: ReadContext, _ comment: Comment) throws {
        let (query, ids) = (expectation.query, expectation.ids)
        func compare(_ found: [Int], _ expected: [Int], _ what: String) {
            let (found, expected) = expectation.isOrdered ? (found, expected) : (found.sorted(), expected.sorted())
            if found != expected { #expect(found == expected, "\(what): \(comment)") }
        }
        compare(try query.resolve(in: context).map(\.id), ids, "resolve")
        compare(try query.keys(in: context), ids, "keys")
        compare(try query.select(\.id).resolve(in: context), ids, "select")
        var visited: [Int] = []
        try query.forEach(in: context) { visited.append($0.id) }
        compare(visited, ids, "forEach")
        #expect(try query.count(in: context) == ids.count, comment)
        #expect(try query.exists(in: context) == !ids.isEmpty, comment)
        #expect(
            try query.sum(of: \.pages).resolve(in: context) == ids.reduce(0) { $0 + (books[$1]?.pages ?? 0) }, comment)
        #expect(try query.max(of: \.year).resolve(in: context) == ids.compactMap { books[$0]?.year }.max(), comment)
        let groups = Dictionary(grouping: ids) { books[$0]?.title ?? "" }.mapValues(\.count)
        let found = try query.grouped(by: \.title).count(in: context)
        #expect(Dictionary(uniqueKeysWithValues: found.map { ($0.key, $0.value) }) == groups, comment)
        plans.formUnion(try query.explain(in: context).split(separator: "\n").map(String.init))
        try checkPages(expectation, in: context, comment)
    }

    private mutating func checkPages(_ expectation: Expectation, in context: ReadContext, _ comment: Comment) throws {
        let (query, ids) = (expectation.query, expectation.ids)
        let size = 1 + number(5)
        var pages: [Int] = []
        var last: Int?
        repeat {
            let page = try query.limit(size).after(key: last).keys(in: context)
            pages += page
            last = page.last
        } while last != nil && pages.count <= ids.count
        guard expectation.isOrdered else {
            if pages.sorted() != ids.sorted() {
                #expect(pages.sorted() == ids.sorted(), "pages of \(size): \(comment)")
            }
            return
        }
        if pages != ids { #expect(pages == ids, "pages of \(size): \(comment)") }
        let (offset, limit) = (number(5), number(5))
        let page = Array(ids.dropFirst(offset).prefix(limit))
        let cut = query.offset(offset).limit(limit)
        #expect(try cut.resolve(in: context).map(\.id) == page, "offset \(offset), limit \(limit): \(comment)")
        #expect(try cut.count(in: context) == page.count, comment)
        #expect(try query.first(in: context)?.id == ids.first, comment)
        if let place = ids.indices.randomElement(using: &random), let record = books[ids[place]] {
            let rest = Array(ids.dropFirst(place + 1))
            #expect(try query.after(record).keys(in: context) == rest, "after \(record.id): \(comment)")
            #expect(try query.after(record).count(in: context) == rest.count, comment)
        }
    }
}
