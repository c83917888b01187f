// The plans of queries over links: which side is followed, and what it costs.

import LMDB
import Testing
import TroveTestSupport

@testable import Trove

@Suite("Plans over links") struct SourcePlanTests {
    private let store: Store

    /// 4,000 books: 3,000 on shelf 1 in descending order of their ids, 20 on shelf 2. The year follows from the id.
    init() throws {
        store = try Store.temporary()
        try store.write { context in
            try context.insert(
                contentsOf: (0..<4_000).map { id in
                    Book(id: id, title: id % 1_000 == 0 ? "rare" : "common", year: id / 40, pages: id % 7, isbn: id)
                })
            try Library(id: 1, name: "", shelves: .relation([Shelf(id: 1, name: "a"), Shelf(id: 2, name: "b")]))
                .save(to: context)
            try Shelf(id: 1, name: "a", books: .ids(Array((0..<3_000).reversed()))).save(to: context)
            try Shelf(id: 2, name: "b", books: .ids(Array(3_000..<3_020))).save(to: context)
            for id in [10, 2_500, 3_010] {
                try Book(id: id, title: "common", year: id / 40, isbn: id, author: .id(7)).save(to: context)
            }
        }
    }

    private func explain(_ query: Query<Book>) throws -> [String] {
        try query.explain(in: store).split(separator: "\n").map(String.init)
    }

    @Test func alone_theLinksAreWalked() throws {
        let books = Shelf.query(1).related(\.$books)
        #expect(try explain(books.limit(20)).first == "walk links Shelf.books of 1 owner")
        #expect(try explain(Book.filter(.linked(\.$author, to: 7))).first == "walk links Book.author to 1 entity")
        #expect(
            try explain(Book.filter(.linked(\.$author, to: [7, 8]))).first == "walk links Book.author to 2 entities")
        #expect(
            try explain(Shelf.filter(\.name == "a").related(\.$books)) == [
                "walk links Shelf.books of the owners found by:", "  scan Shelf, all records",
                #"  filter: name == "a""#, "entries to read: more than 1000",
            ])
    }

    @Test func aChain_isExplainedLevelByLevel() throws {
        #expect(
            try explain(Library.query(1).related(\.$shelves).related(\.$books).filter(\.pages == 3).limit(5)) == [
                "walk links Shelf.books of the owners found by:", "  walk links Library.shelves of 1 owner",
                "filter: pages == 3", "limit 5", "entries to read: more than 1000",
            ])
    }

    @Test func besideAnIndex_theSmallerSideIsFollowed() throws {
        let books = Shelf.query(1).related(\.$books)
        // 4 records of the index against 3,000 links.
        let rare = books.filter(\.title == "rare")
        #expect(
            try explain(rare) == [
                "order as links Shelf.books of 1 owner", "matches of:",
                #"  scan index(title,year) of Book, 1 range: title == "rare""#,
                "  filter: in links Shelf.books of 1 owner", "entries to read: 4",
            ])
        #expect(try rare.keys(in: store) == [2_000, 1_000, 0])
        #expect(try rare.after(key: 2_000).keys(in: store) == [1_000, 0])
        #expect(try rare.limit(1).offset(1).keys(in: store) == [1_000])
        // 20 links against 3,996 records of the index.
        let common = Shelf.query(2).related(\.$books).filter(\.title == "common")
        #expect(try explain(common).first == "walk links Shelf.books of 1 owner")
        #expect(try common.count(in: store) == 19)
        // 3 links of a filter against 3,000.
        let written = Shelf.query(1).related(\.$books).filter(.linked(\.$author, to: 7))
        #expect(try explain(written).contains("  walk links Book.author to 1 entity"))
        #expect(try written.keys(in: store) == [2_500, 10])
        #expect(try written.limit(1).keys(in: store) == [2_500])
        #expect(try written.offset(1).keys(in: store) == [10])
        // A filter: 3 links against 40 records of the index.
        let linked = Book.filter(.linked(\.$author, to: 7) && \.year == 62)
        #expect(try explain(linked).first == "walk links Book.author to 1 entity")
        #expect(try linked.keys(in: store) == [2_500])
        let shelf = Book.filter(.linked(\.$shelf, to: 1) && \.year == 62)
        #expect(try explain(shelf).first == "scan index(year) of Book, 1 range: year == 62")
        #expect(try explain(shelf).contains("filter: shelf linked to 1"))
        #expect(try shelf.count(in: store) == 40)
    }

    @Test func aSingleRecord_isLookedUp() throws {
        let query = Shelf.query(1).related(\.$books).filter(\.isbn == 5)
        #expect(try query.keys(in: store) == [5])
        #expect(try moves { try query.keys(in: $0) }.total < 20)
        #expect(try explain(Book.filter(.linked(\.$shelf, to: 1) && \.id == 5)).first == "scan Book, 1 range: id == 5")
    }

    @Test func sorted_byAnIndexOrByTheLinks() throws {
        // The index has the order: few of its records are read, each tested by the pair.
        let top = Shelf.query(1).related(\.$books).sorted(by: \.year).limit(3)
        #expect(try explain(top).first == "scan index(year) of Book, all entries")
        #expect(try top.keys(in: store) == [0, 1, 2])
        // With the links that were counted for the choice.
        #expect(try moves { try top.keys(in: $0) }.total < 1_300)
        // 20 links are sorted.
        let few = Shelf.query(2).related(\.$books).sorted(by: \.year.desc).limit(3)
        #expect(try explain(few).first == "walk links Shelf.books of 1 owner")
        #expect(try few.keys(in: store) == [3_000, 3_001, 3_002])
        // No index: the links are sorted in memory.
        let pages = Shelf.query(1).related(\.$books).sorted(by: \.pages.desc).limit(2)
        #expect(try explain(pages).first == "walk links Shelf.books of 1 owner")
        #expect(try pages.keys(in: store) == [6, 13])
        #expect(
            try explain(Shelf.query(2).related(\.$books).order(.descending)).contains("order: keys sorted, backwards"))
        // Links without an order are in key order.
        #expect(
            try explain(Book.filter(.linked(\.$author, to: 7)).order(.descending))
                .contains("order: as stored, backwards"))
        #expect(try Book.filter(.linked(\.$author, to: 7)).order(.descending).keys(in: store) == [3_010, 2_500, 10])
    }

    @Test func underOrAndNot_linksAreTested() throws {
        let any = Book.filter(.linked(\.$author, to: 7) || \.year == 0)
        #expect(try explain(any).first == "scan Book, all records")
        #expect(try any.count(in: store) == 42)
        let none = Book.filter(\.title == "rare").filter(.not(.linked(\.$shelf, to: 1)))
        #expect(try explain(none).first == #"scan index(title,year) of Book, 1 range: title == "rare""#)
        #expect(try none.keys(in: store) == [3_000])
    }

    // MARK: Costs

    @Test func aPageInTheMiddle_readsItsLinksAlone() throws {
        let books = Shelf.query(1).related(\.$books).limit(20)
        let first = try moves { try books.keys(in: $0) }.total
        let middle = try moves { context in
            let keys = try books.after(key: 1_500).keys(in: context)
            #expect(keys == Array((1_480..<1_500).reversed()))
        }.total
        #expect(first < 100)
        #expect(middle < 100)
    }

    @Test func pagesFromSeveralLists_stopEarly() throws {
        let books = Shelf.query().related(\.$books).limit(20)
        #expect(try moves { try books.keys(in: $0) }.total < 120)
        let exists = Shelf.query().related(\.$books).filter(\.pages == 3)
        #expect(try moves { _ = try exists.exists(in: $0) }.total < 150)
    }

    /// Returns the moves of a read's cursors during a closure; none in a release build, which does not count them.
    private func moves<Value>(
        _ body: (ReadContext) throws -> Value
    ) throws -> (seeks: Int, steps: Int, total: Int) {
        try store.read { context in
            _ = try context.table(for: Book.schema)
            #if DEBUG
            context.core.cursorMoves = CursorMoves()
            _ = try body(context)
            let moves = context.core.cursorMoves
            return (moves.seeks, moves.steps, moves.seeks + moves.steps)
            #else
            _ = try body(context)
            return (0, 0, 0)
            #endif
        }
    }
}
