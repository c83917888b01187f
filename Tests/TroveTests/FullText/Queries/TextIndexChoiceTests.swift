// The choice of a search between several full-text indexes.

import Testing
import TroveTestSupport

@testable import Trove

@IndexKeyRecord("id")
private struct Sonnet {
    #FullTextIndex<Sonnet>(\.text, analyzer: .trigrams)
    #FullTextIndex<Sonnet>(\.text, where: { $0.year > 1600 })
    #FullTextIndex<Sonnet>(\.text)
    #FullTextIndex<Sonnet>(\.note, where: { $0.year > 1600 })

    let id: Int
    var text: String
    var note: String
    var year: Int
}

struct TextIndexChoiceTests {
    private let store: Store

    init() throws {
        store = try Store.temporary(records: [Sonnet.self])
        try store.insert(contentsOf: [
            Sonnet(id: 1, text: "a rose", note: "first", year: 1590),
            Sonnet(id: 2, text: "a rose", note: "first", year: 1609),
            Sonnet(id: 3, text: "the roses", note: "first", year: 1609),
        ])
    }

    @Test func aSearch_takesTheIndexWithAllWords() throws {
        #expect(try Sonnet.matching("rose").keys(in: store).sorted() == [1, 2])
        #expect(try Sonnet.matching("text:rose").keys(in: store).sorted() == [1, 2])
        try store.read { context in
            let type = try #require(try context.storedTypes().first { $0.name.hasSuffix("Sonnet") })
            let hits = try context.storedHits(of: type, matching: "rose", limit: 10)
            #expect(hits.map(\.key.description) == ["1", "2"] || hits.map(\.key.description) == ["id: 1", "id: 2"])
        }
    }

    @Test func aPartialIndex_isSearchedWhereNoOtherHasTheProperty() throws {
        #expect(try Sonnet.matching("note:first").keys(in: store).sorted() == [2, 3])
    }

    /// Any typed text is a query: a name that no index has is text, as in 10:30.
    @Test func typedNames_areThoseOfAnIndex() throws {
        try store.insert(Sonnet(id: 4, text: "id 5, year 1609: note first", note: "id 5", year: 1700))
        for typed in ["id:5", "year:1609", "id:5 year:1609", "zzz:x OR text:id", "text:note note:first"] {
            #expect(try Sonnet.matching(typed).keys(in: store) == [4], "\(typed)")
        }
        let whole = try #require(Sonnet.schema.indexes.first { $0.hasAllWords }).text
        for typed in ["note:first", "id:5", "note:first text:id"] {
            #expect(try Sonnet.matching(typed, index: whole).keys(in: store) == [4], "\(typed)")
            #expect(try Sonnet.matching(TextQuery(typed), index: whole).keys(in: store) == [4], "\(typed)")
            let query: TextQuery<Sonnet> = .any(TextQuery(typed), "zzz")
            #expect(try Sonnet.matching(typed).count(in: store) <= Sonnet.matching(query).count(in: store))
        }
        try store.read { context in
            let type = try #require(try context.storedTypes().first { $0.name.hasSuffix("Sonnet") })
            for (typed, index) in [("id:5", nil), ("text:note note:first", nil), ("note:first", whole)] {
                let hits = try context.storedHits(of: type, matching: typed, index: index, limit: 10)
                #expect(hits.map { $0.record["id"] } == [.integer(4)], "\(typed)")
            }
        }
        // A property in code is one of the index.
        #expect(throws: StoreError.text(.notInTextIndex(type: "Sonnet", properties: ["note"], searched: [whole]))) {
            try Sonnet.matching(.word("first").within(\.note), index: whole).count(in: store)
        }
    }
}
