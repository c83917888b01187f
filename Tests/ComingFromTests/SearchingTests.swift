// Searches for words: full-text indexes of SwiftletModel, and the patterns of GRDB's FTS5.

import Testing
import Trove
import TroveSpellings

@EntityModel
struct Guide: Codable {
    #FullTextIndex<Guide>(\.title, \.content)
    #Index<Guide>(\.pages)

    let id: String
    var title: String
    var content: String
    var pages: Int
    @Relationship(inverse: \.guides) var authors: [GuideAuthor]?
}

@EntityModel
struct GuideAuthor: Codable {
    let id: String
    @Relationship(inverse: \.authors) var guides: [Guide]?
}

@Suite("Coming from SwiftletModel and GRDB: searches")
struct SearchingTests {
    private func store() throws -> Store {
        let store = try Store.temporary(records: [Guide.self])
        try [
            Guide(
                id: "1", title: "The ridge in autumn", content: "Crampons above the hut.", pages: 40,
                authors: .relation([GuideAuthor(id: "ines")])),
            Guide(id: "2", title: "Huts", content: "Every hut on the ridge, hut by hut.", pages: 200),
            Guide(id: "3", title: "Lakes", content: "Where to swim.", pages: 90),
        ].save(to: store)
        return store
    }

    @Test func matches_comeByRelevance() throws {
        let store = try store()
        #expect(try Guide.matching("hut").keys(in: store) == ["2", "1"])
        #expect(try Guide.filter(.matches("hut")).filter(\.pages < 100).keys(in: store) == ["1"])
        #expect(try Guide.filter(.matches("hut")).sorted(by: \.pages).limit(1).keys(in: store) == ["1"])
        let hits = try Guide.matching("ridge OR swim").hits(in: store)
        #expect(hits.map(\.record.id) == ["3", "1", "2"] && hits[0].score > hits[2].score)
    }

    @Test func matches_followRelations() throws {
        let store = try store()
        let found = try GuideAuthor.query("ines").related(\.$guides).filter(.matches("hut")).keys(in: store)
        #expect(found == ["1"])
    }

    @Test func patterns_areTextQueries() throws {
        let store = try store()
        func keys(_ query: TextQuery<Guide>) throws -> [String] { try Guide.matching(query).keys(in: store).sorted() }
        // matchingAllTokensIn, matchingAnyTokenIn, matchingPhrase, matchingAllPrefixesIn
        #expect(try keys(TextQuery("ridge hut")) == ["1", "2"])
        #expect(try keys(TextQuery("swim autumn", joining: .any)) == ["1", "3"])
        #expect(try keys(.phrase("the ridge")) == ["1", "2"])
        #expect(try keys(TextQuery("cramp* aut", lastIsPrefix: true)) == ["1"])
        // title : hut, NEAR(hut ridge, 3), ^huts, and a pattern with a wrong syntax
        #expect(try keys("title:huts") == ["2"])
        #expect(try keys(.near("ridge hut", within: 3)) == ["2"])
        #expect(try keys(.phrase("huts", atStart: true)) == ["2"])
        #expect(try keys("(hut") == ["1", "2"])
    }

    @Test func aSave_isFoundByItsTransaction() throws {
        let store = try store()
        try store.write { context in
            var guide = try #require(try Guide.get(in: context, id: "3"))
            guide.content = "A hut at the lake."
            try guide.save(to: context)
            #expect(try Guide.matching("hut lake").keys(in: context) == ["3"])
            #expect(try Guide.matching("swim").count(in: context) == 0)
        }
    }

    // MARK: Strings

    @Test func strings_areFoundByTheirParts() throws {
        let store = try store()
        func keys(_ filter: Filter<Guide>) throws -> [String] {
            try store.read { context in try Guide.filter(filter, in: context).resolve().map(\.id) }
        }
        #expect(try keys(.string(\.content, contains: "HUT")) == ["1", "2"])
        #expect(try keys(.string(\.content, contains: "HUT", caseSensitive: true)) == [])
        #expect(try keys(.string(\.content, hasPrefix: "every")) == ["2"])
        #expect(try keys(.string(\.content, hasSuffix: "the hut.")) == ["1"])
        #expect(try keys(.string(\.title, hasPrefix: "The", caseSensitive: true)) == ["1"])
    }

    /// A filter by words beside other filters, in a read of the caller.
    @Test func words_standBesideOtherFilters() throws {
        let store = try store()
        try store.read { context in
            let guides = try Guide.filter(.matches("ridge"), in: context).filter(\.pages >= 100).resolve()
            #expect(guides.map(\.id) == ["2"])
            let either = try Guide.filter(.matches("swim"), in: context).or(.filter(\.pages < 50, in: context))
                .resolve()
            #expect(Set(either.map(\.id)) == ["1", "3"])
        }
    }
}
