// Indexes of trigrams that keep the order of their terms: the texts of the records do not have these terms.

import Testing
import TroveTestSupport
import TroveText

@testable import Trove

/// A record with trigrams of which one is replaced.
@IndexKeyRecord("id")
private struct Etching {
    #FullTextIndex<Etching>(\.text, analyzer: .trigrams.replacing(["ana": ["xyz"]]))
    #FullTextIndex<Etching>(\.text, analyzer: .trigrams.without(["nan"]))

    let id: Int
    var text: String
    static let gap = "fullText(text by trigrams/1+without(1))"
}

/// A record with the trigrams of gathered text.
@IndexKeyRecord("id")
private struct Postmark {
    #FullTextIndex<Postmark>(
        "Letters", analyzer: .trigrams,
        gathering: { keys, context in
            var texts: [Int: String] = [:]
            for postmark in try context.get(Postmark.self, keys: keys) { texts[postmark.id] = postmark.text }
            return texts
        })

    let id: Int
    var text: String
}

@Suite("Indexes of trigrams with other rules") struct TrigramRuleTests {
    private static let texts = ["a banana", "xyzzy", "anas", "ban nab"]

    /// The string filters have the trigrams of texts, and such an index has others.
    @Test func replacedTrigrams_changeNoStringFilter() throws {
        let store = try Store.temporary(records: [Etching.self])
        try store.insert(contentsOf: Self.texts.enumerated().map { Etching(id: $0.offset, text: $0.element) })
        #expect(try Etching.filter(.string(\.text, matches: "ana")).keys(in: store).sorted() == [0, 2])
        #expect(try Etching.filter(.string(\.text, matches: "nan")).keys(in: store) == [0])
        #expect(try Etching.filter(.string(\.text, contains: "ana")).keys(in: store) == [0, 2])
        #expect(try Etching.filter(.string(\.text, contains: "xyz")).keys(in: store) == [1])
    }

    @Test func searches_findReplacedTrigrams_andGaps() throws {
        let store = try Store.temporary(records: [Etching.self])
        try store.insert(contentsOf: Self.texts.enumerated().map { Etching(id: $0.offset, text: $0.element) })
        #expect(try Etching.matching("banana").keys(in: store) == [0])
        #expect(try Etching.matching("ana").keys(in: store).sorted() == [0, 1, 2])
        #expect(try Etching.matching("banana", index: Etching.gap).keys(in: store) == [0])
        #expect(try Etching.matching("anas", index: Etching.gap).keys(in: store) == [2])
        #expect(try store.check() == [])
    }

    /// The records do not have the text, so the index keeps the order of its trigrams.
    @Test func partsOfGatheredText_areFound() throws {
        let store = try Store.temporary(records: [Postmark.self])
        try store.insert(contentsOf: Self.texts.enumerated().map { Postmark(id: $0.offset, text: $0.element) })
        #expect(try Postmark.matching("nana").keys(in: store) == [0])
        #expect(try Postmark.matching("anan", index: "Letters").hits(in: store).allSatisfy { $0.score > 0 })
        #expect(try Postmark.matching("banab").keys(in: store) == [])
        #expect(try Postmark.matching("\"n na\" OR zzy").keys(in: store).sorted() == [1, 3])
        #expect(try Postmark.filter(.string(\.text, contains: "nana")).keys(in: store) == [0])
        let type = try #require(try store.read { try $0.storedTypes() }.first { $0.name.hasSuffix("Postmark") })
        #expect(try store.read { try $0.storedHits(of: type, matching: "nana", limit: 9) }.count == 1)
        #expect(try store.check(gathering: true) == [])
    }
}
