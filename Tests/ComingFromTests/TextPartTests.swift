// Filters on the texts of properties: the string filters of SwiftletModel that its full-text index answers.

import Testing
import Trove
import TroveSpellings

enum PamphletStatus: String, Codable, RecordValue {
    case draft, published
}

/// An article with a full-text index of two properties, for `contains`, `hasPrefix`, `hasSuffix` and `matches`.
@EntityModel
struct Pamphlet: Codable {
    #FullTextIndex<Pamphlet>(\.title, \.content, analyzer: .trigrams)

    let id: String
    var title: String
    var content: String
    var status: PamphletStatus
}

@Suite("Coming from SwiftletModel: parts of texts")
struct TextPartTests {
    private func store() throws -> Store {
        let store = try Store.temporary(records: [Pamphlet.self])
        try [
            Pamphlet(id: "1", title: "Swift", content: "Search terms of a database.", status: .published),
            Pamphlet(id: "2", title: "Rivers", content: "A swift stream, and a long term.", status: .draft),
            Pamphlet(id: "3", title: "Databases", content: "In swiftly written code.", status: .published),
            Pamphlet(id: "4", title: "Bread", content: "Flour and salt.", status: .published),
        ].save(to: store)
        return store
    }

    @Test func matches_ofAProperty_findSimilarWords() throws {
        try store().read { context in
            let results = try Pamphlet.filter(.string(\.content, matches: "search terms"), in: context).resolve()
            #expect(results.map(\.id) == ["1", "2"])
            #expect(try Pamphlet.filter(.string(\.content, matches: "bt"), in: context).resolve().isEmpty)
        }
    }

    @Test func matches_ofSeveralProperties_areRanked() throws {
        try store().read { context in
            let results = try Pamphlet.filter(.string(\.title, \.content, matches: "search terms"), in: context)
                .resolve()
            #expect(results.map(\.id) == ["1", "2"])
            let articles =
                try Pamphlet
                .filter(.string(\.title, \.content, matches: "swift database"), in: context)
                .filter(\.status == .published)
                .resolve()
            #expect(articles.map(\.id).sorted() == ["1", "3"])
            let queried = try Pamphlet.query(in: context)
                .filter(.string(\.title, \.content, matches: "swift database"))
                .resolve()
            #expect(queried.first?.id == "1" && Set(queried.map(\.id)) == ["1", "2", "3"])
        }
    }

    @Test func parts_areAnsweredByTheIndex_inEitherCase() throws {
        let store = try store()
        func keys(_ filter: Filter<Pamphlet>) throws -> [String] { try Pamphlet.filter(filter).keys(in: store) }
        #expect(try keys(.string(\.content, contains: "SWIFT")) == ["2", "3"])
        #expect(try keys(.string(\.title, \.content, contains: "swift")) == ["1", "2", "3"])
        #expect(try keys(.string(\.title, \.content, contains: "Swift", caseSensitive: true)) == ["1"])
        #expect(try keys(.string(\.title, \.content, hasPrefix: "data")) == ["3"])
        #expect(try keys(.string(\.title, \.content, hasSuffix: "term.")) == ["2"])
        #expect(try keys(.string(\.title, \.content, notContains: "swift")) == ["4"])
        let plan = try Pamphlet.filter(.string(\.content, matches: "search")).explain(in: store)
        #expect(plan.hasPrefix("search fullText(title,content by trigrams/1) of Pamphlet"))
    }
}
