// Texts and typed queries of unusual length in a store: linear time, and bounded memory. In quadratic time these tests
// would not end. TROVE_TEXT_MEGABYTES is the size of the longest text, 100 at night; a typed query has a tenth of it.

import Foundation
import LMDB
import Testing
import TroveTestSupport

@testable import Trove

@IndexKeyRecord("id")
private struct Tome: Hashable {
    #FullTextIndex<Tome>(\.title, \.text)

    let id: Int
    var title: String
    var text: String
}

@Suite("Long texts in an index", .serialized) struct LongTextIndexTests {
    private let store: Store

    init() throws {
        store = try Store.temporary(records: [Tome.self])
        try store.insert(contentsOf: [
            Tome(id: 1, title: "swift", text: "an ordered store"), Tome(id: 2, title: "", text: "store of stores"),
        ])
    }

    /// The size of the longest text in bytes, and of a typed query.
    private static let (textSize, typedSize) = {
        let megabytes = ProcessInfo.processInfo.environment["TROVE_TEXT_MEGABYTES"].flatMap { Int($0) }
        return megabytes.map { ($0 << 20, $0 << 20 / 10) } ?? (1 << 20, 1 << 16)
    }()

    @Test func aLongText_isFound_changed_andRemoved() throws {
        var text = ""
        var number = 0
        // Common words, rare words, and words of other lengths.
        while text.utf8.count < Self.textSize {
            text += "word\(number % 1000) common \(number &* 7919) "
            number += 1
        }
        try store.insert(Tome(id: 3, title: "long", text: text + "last of all"))
        #expect(try Tome.matching("\"last of all\"").keys(in: store) == [3])
        #expect(try Tome.matching("common word999 store").keys(in: store) == [])
        #expect(try Tome.matching("\"common 7919\"").keys(in: store) == [3])
        #expect(try store.check() == [])
        try Tome.filter(\.id == 3).update(in: store) { $0.text += " store" }
        #expect(try Tome.matching("store").keys(in: store).sorted() == [1, 2, 3])
        try store.delete(Tome.self, key: 3)
        #expect(try Tome.matching("common").keys(in: store) == [])
        #expect(try store.check() == [])
    }

    @Test func manyRepetitions_areCounted() throws {
        // A million at night.
        let count = max(100_000, Self.textSize / 100)
        try store.insert(Tome(id: 3, title: "", text: String(repeating: "again ", count: count) + "end"))
        #expect(try Tome.matching("again").keys(in: store) == [3])
        let frequency = try store.read { context in
            let name = try #require(context.catalogSnapshot.indexParts(Tome.keyPrefix).keys.min { $0.text < $1.text })
            let parts = try TextParts(
                name, type: "", index: "", fields: 2, keepsOrder: true, verifiesChecksums: true,
                context.keyspace.openTable)
            let reader = TextReader(parts, context.keyspace)
            let number = try #require(try ByteView.with(Array("again".utf8)) { try reader.number(of: $0) })
            let cursor = try #require(try reader.postings(of: number))
            try cursor.next()
            return try cursor.frequency(of: 1)
        }
        #expect(frequency == UInt32(count))
        // Every place is looked at for each word of the phrase, once.
        let words = [String](repeating: "again", count: 100).joined(separator: " ")
        #expect(try Tome.matching("\"\(words)\"").keys(in: store) == [3])
        #expect(try Tome.matching("\"\(words)\"~3").keys(in: store) == [3])
        #expect(try Tome.matching(.near(words + " end", within: 5)).keys(in: store) == [3])
        #expect(try Tome.matching(.phrase(words + " never", slop: 3)).keys(in: store) == [])
        #expect(try Tome.matching(.phrase(words, atStart: true)).keys(in: store) == [3])
        #expect(try store.check() == [])
        try store.insert(Tome(id: 3, title: "", text: "again"))
        #expect(try store.check() == [])
    }

    @Test func longControlCharactersAndMarks_haveNoWords() throws {
        let texts = ["\0", "\u{1}\n", "\u{301}", "\u{200D}", "\u{E000}", "…", "\u{202E}", "\u{FFFD}"]
        for (number, text) in texts.enumerated() {
            try store.insert(Tome(id: 10 + number, title: "t\(number)", text: String(repeating: text, count: 30_000)))
            #expect(try Tome.matching("t\(number)").keys(in: store) == [10 + number])
        }
        #expect(try store.check() == [])
    }

    // MARK: Typed queries

    @Test(arguments: [
        "(", ")", "(a", "(a)", "()", "title:", "x:", ":", "-", "+", "-(", "NOT ", "a OR ", "OR ", "|", "\"", "\"a\"",
        "a",
        "a ", "a.", "漢", "漢 ", "漢字", "~", "a~", "^2", "a^2 ", "* ", "a* ", "\"a*\" ", "\0", "\u{301}", "\u{202E}", "👍",
        "title:(", "title:a ", "AND NOT ", "\\ud800", "store ", "a\"", "title:title:", "((a) ", "a) ",
    ])
    func aLongTypedQuery_findsSomethingOrNothing(_ part: String) throws {
        let typed = String(repeating: part, count: Self.typedSize / part.utf8.count)
        let text = TypedText(typed, fields: ["title", "text"], lastIsPrefix: false)
        #expect(text.tokens.count <= TypedText.signLimit + TypedText.wordLimit)
        let query = TextQuery<Tome>(typed, lastIsPrefix: true)
        _ = try Tome.matching(query).limit(10).resolve(in: store)
        _ = try Tome.matching(query).count(in: store)
    }

    @Test func deepGroups_areIgnored() throws {
        let deep = String(repeating: "(", count: 100_000) + "store" + String(repeating: ")", count: 100_000)
        #expect(try Tome.matching(deep).count(in: store) == 2)
        let group = String(repeating: "(swift OR ", count: 100_000) + "store"
        #expect(try Tome.matching(group).count(in: store) <= 2)
        let excluded = String(repeating: "-(", count: 3_000) + "store" + String(repeating: ")", count: 3_000)
        #expect(try Tome.matching(excluded).count(in: store) <= 2)
    }

    @Test func aLongChainOfQueries_isRun() throws {
        var (all, any, none): (TextQuery<Tome>, TextQuery<Tome>, TextQuery<Tome>) = ("store", "store", "store")
        for number in 0..<5_000 {
            all = .all(all, "store")
            any = .any(any, .word("w\(number)"))
            none = none.excluding(.word("w\(number)"))
        }
        for query in [all, any, none] { #expect(try Tome.matching(query).count(in: store) == 2) }
    }

    /// A call within each other would need a stack without end.
    @Test func aDeepQuery_isATypedError() throws {
        let steps: [(TextQuery<Tome>) -> TextQuery<Tome>] = [
            { .any(.all($0, "store"), "swift") }, { .word("store").excluding($0) }, { .word("a").preferring($0) },
            { $0.within(\.title) }, { $0.boosted(by: 2).excluding("b").preferring("c") },
        ]
        for step in steps {
            var query: TextQuery<Tome> = "store"
            for _ in 0..<20 { query = step(query) }
            _ = try Tome.matching(query).count(in: store)
            for _ in 0..<1_000 { query = step(query) }
            #expect(
                storeError { try Tome.matching(query).count(in: store) }
                    == .text(.textTooDeep(type: "Tome", limit: 100)))
            #expect(query.description.contains("100"))
        }
    }
}
