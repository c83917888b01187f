// Searches for words with typing errors: the order of the hits, plans and explanations.

import LMDB
import Testing
import TroveTestSupport

@testable import Trove

@IndexKeyRecord("id")
private struct Gazette: Hashable {
    #FullTextIndex<Gazette>(\.title, \.body)

    let id: Int
    var title: String
    var body: String = ""
}

struct FuzzySearchTests {
    private func store(_ pages: [Gazette]) throws -> Store {
        let store = try Store.temporary(records: [Gazette.self])
        try store.insert(contentsOf: pages)
        return store
    }

    /// A word as it is written is first, in however long a text and however rare the misspelling.
    @Test func fewerEdits_comeFirst() throws {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        let words = ["database", "databases", "datbase", "databasees", "databaseses", "other"]
        let pages = (0..<150).map { id in
            let count = Int.random(in: 0...(id % 10 == 0 ? 3_000 : 4), using: &random)
            let text = (0..<Int.random(in: 1...4, using: &random)).map { _ in words.randomElement(using: &random)! }
            return Gazette(
                id: id, title: text.joined(separator: " "), body: String(repeating: "filler ", count: count))
        }
        let store = try store(pages)
        func edits(_ page: Gazette) -> Int? {
            page.title.split(separator: " ").compactMap { word in
                SlowEdits.edits(of: String(word), from: "database", edits: 2, anyFirstLetter: false)
            }.min()
        }
        for order: Relevance<Gazette> in [.relevance, .relevance(k1: 0, b: 1), .relevance(k1: 100, b: 1)] {
            let hits = try Gazette.matching("database~").sorted(by: order).hits(in: store)
            let found = hits.map { edits($0.record) ?? 9 }
            #expect(found == found.sorted() && Set(found) == [0, 1, 2], "seed \(seed)")
            #expect(hits.count == pages.count { edits($0) != nil }, "seed \(seed)")
            let best = try Gazette.matching("database~").sorted(by: order).limit(7).hits(in: store)
            #expect(best.map(\.record.id) == hits.prefix(7).map(\.record.id), "seed \(seed)")
            #expect(best.map(\.score) == hits.prefix(7).map(\.score), "seed \(seed)")
        }
        // What is scored in memory has the same score.
        for hit in try Gazette.matching("database~ OR other").hits(in: store) {
            let sum = hit.scoreParts.reduce(0) { $0 + $1.score }
            #expect(abs(sum - hit.score) < 1e-12, "\(hit.explanation) seed \(seed)")
        }
    }

    @Test func plansAndExplanations_nameTheFoundWords() throws {
        let store = try store(
            [Gazette(id: 1, title: "database"), Gazette(id: 2, title: "the databases"), Gazette(id: 3, title: "Date")]
                + (10..<30).map { Gazette(id: $0, title: "datebase\($0)") })
        #expect(try Gazette.matching("databse~2").keys(in: store).prefix(2) == [1, 2])
        #expect(
            try Gazette.matching("databse~").explain(in: store).contains("words: databse~ 1 record (database 1)"))
        let plan = try Gazette.matching("datebase~2").explain(in: store)
        #expect(plan.contains(" more)"), "\(plan)")
        #expect(try Gazette.matching("dtabase~ zzzz~").explain(in: store).contains("zzzz~ 0"))
        let hit = try #require(try Gazette.matching("databse~").hits(in: store).first)
        #expect(hit.explanation.contains("databse~ (database): \(hit.score), in 1 records; 1 × title"))
    }

    @Test func words_areFoundUnderEveryCombination() throws {
        let store = try store([
            Gazette(id: 1, title: "ordered store", body: "swift"), Gazette(id: 2, title: "store", body: "ordered"),
            Gazette(id: 3, title: "stork", body: "ordinary swift"),
        ])
        func keys(_ query: TextQuery<Gazette>) throws -> [Int] { try Gazette.matching(query).keys(in: store).sorted() }
        #expect(try keys("stroe~") == [1, 2])
        #expect(try keys("store~") == [1, 2, 3])
        #expect(try keys("swift -stroe~") == [3])
        #expect(try keys("title:(ordred~ stroe~)") == [1])
        #expect(try keys("ordred~ OR stork") == [1, 2, 3])
        #expect(try keys(.fuzzy("ordred stroe")) == [1])
        #expect(try keys(.fuzzy("stroe ordred")) == [])
        #expect(try keys(.fuzzy("stroe", edits: 0)) == [])
        #expect(try keys(.fuzzy("tsore", edits: 2)) == [])
        #expect(try keys(.fuzzy("tsore", edits: 1, anyFirstLetter: true)) == [1, 2])
        #expect(try keys(.word("swift").preferring(.fuzzy("stroe"))) == [1, 3])
        #expect(try Gazette.matching(.word("swift").preferring(.fuzzy("stroe"))).keys(in: store) == [1, 3])
        #expect(try Gazette.matching("stroe~").count(in: store) == 2)
        #expect(try Gazette.matching("stroe~").exists(in: store))
        #expect(try Gazette.matching("xxxxx~").count(in: store) == 0)
        let (plain, boosted) = (
            try Gazette.matching("stroe~").hits(in: store), try Gazette.matching("stroe~^3").hits(in: store)
        )
        for (plain, boosted) in zip(plain, boosted) { #expect(abs(3 * plain.score - boosted.score) < 1e-12) }
        try store.write { context throws in
            try context.insert(Gazette(id: 4, title: "strode"))
            #expect(try Gazette.matching("stroe~").count(in: context) == 3)
        }
    }

    #if DEBUG  // Cursor moves are counted only in debug builds.
    /// A word that a query has twice is looked for once.
    @Test func wordsOfAQuery_areLookedForOnce() throws {
        let letters = "abcdefghijklmnopqrstuvwxyz".map { String($0) }
        let words = letters.flatMap { ["stro\($0)", "str\($0)e", "st\($0)oe", "s\($0)roe"] }
        let store = try store(words.enumerated().map { Gazette(id: $0, title: "\($1) swift") })
        func moves(_ query: TextQuery<Gazette>) throws -> Int {
            try store.read { context in
                context.core.cursorMoves = CursorMoves()
                let count = try Gazette.matching(query).count(in: context)
                #expect(count == words.count)
                return context.core.cursorMoves.seeks + context.core.cursorMoves.steps
            }
        }
        let once = try moves("stroe~")
        #expect(once > 80, "all of the words are walked over")
        let twice = try moves("stroe~ OR (stroe~ swift)")
        #expect(twice < once + 50)
        let phrase = TextQuery<Gazette>.fuzzy("stroe swift")
        let oncePhrase = try moves(phrase)
        let twicePhrase = try moves(.any(phrase, .all(phrase, .word("swift"))))
        #expect(twicePhrase < oncePhrase + 50)
    }
    #endif
}
