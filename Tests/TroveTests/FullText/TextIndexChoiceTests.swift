// Which of several full-text indexes a search takes.

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
}
