// Snippets and ranges of hits, by example.

import Foundation
import Testing
import TroveTestSupport
import TroveText

@testable import Trove

struct SnippetTests {
    private func store(_ scrolls: [Vellum]) throws -> Store {
        let store = try Store.temporary(records: [Vellum.self])
        try store.insert(contentsOf: scrolls)
        return store
    }

    /// Returns the body with marks around what a query finds.
    private func marked(_ body: String, _ query: TextQuery<Vellum>, index: Int = 0, words: Int = .max) throws -> String
    {
        let store = try store([Vellum(id: 1, title: "other words here", body: body)])
        let hit = try #require(try Vellum.matching(query, index: Vellum.indexNames[index]).hits(in: store).first)
        return hit.snippet(of: \.body, words: words).marked("[", "]", escapesHTML: false)
    }

    // MARK: What is found

    @Test func wordsAreMarkedWhole() throws {
        #expect(try marked("A swift, SWIFT store.", "swift") == "A [swift], [SWIFT] store.")
        #expect(try marked("Swifter than swift", "swif*") == "[Swifter] than [swift]")
        #expect(try marked("Cafe\u{301}s and caf\u{E9}", "CAF\u{C9}") == "Cafe\u{301}s and [caf\u{E9}]")
        #expect(try marked("one cafe\u{301}", "cafe") == "one [cafe\u{301}]")
        #expect(try marked("Große Straße, STRASSE", "strasse") == "Große [Straße], [STRASSE]")
        #expect(try marked("stores of a store", "store", index: 3) == "[stores] of a [store]")
        #expect(try marked("ﬁnd ½ of it", "find", index: 0) == "[ﬁnd] ½ of it")
    }

    @Test func phrasesAreMarkedWhereTheyAre() throws {
        #expect(try marked("a b, b a, a. b", "\"a b\"") == "[a b], b a, [a. b]")
        #expect(try marked("e-mail, e mail, mail", "e-mail") == "[e-mail], [e mail], mail")
        #expect(try marked("a x b and a x y b", "\"a b\"~1") == "[a] x [b] and a x y b")
        #expect(try marked("b x a. b", .near("a b", within: 0)) == "b x [a]. [b]")
        #expect(try marked("a b. a b", .phrase("a", atStart: true)) == "[a] b. a b")
        // A word that is left out keeps its place.
        #expect(
            try marked("state of art, state the art, state art", "\"state of art\"", index: 1)
                == "[state of art], [state the art], state art")
    }

    @Test func signsAreMarkedThatTheQueryHas() throws {
        #expect(try marked("東京都と京都", "東京") == "[東京]都と京都")
        #expect(try marked("東京都と京都", "東京都") == "[東京都]と京都")
        #expect(try marked("東京都と京都", "京都") == "東[京都]と[京都]")
        #expect(try marked("東京都と京都", "京") == "東[京]都と[京]都")
        #expect(try marked("東京都と京都", "東京 OR 京都") == "[東京都]と[京都]")
        #expect(try marked("👨‍👩‍👧👍🏽🇸🇪🇳🇴", "👍") == "👨‍👩‍👧[👍🏽]🇸🇪🇳🇴")
        #expect(try marked("👨‍👩‍👧👍🏽🇸🇪🇳🇴", "🇳🇴") == "👨‍👩‍👧👍🏽🇸🇪[🇳🇴]")
        #expect(try marked("각 \u{1100}\u{1161}\u{11A8}", "각") == "[각] [\u{1100}\u{1161}\u{11A8}]")
        #expect(try marked("Pineapples, APPLE", "apple", index: 2) == "Pine[apple]s, [APPLE]")
        #expect(try marked("e\u{301}tude", "tud", index: 2) == "e\u{301}[tud]e")
        #expect(try marked("x e\u{301}tude", "\u{301}tu", index: 2) == "x [e\u{301}tu]de")
    }

    /// The vowels of a word are marked with it. Controls of the direction are on either side of a mark.
    @Test func wordsFromRightToLeft_areMarkedWhole() throws {
        func marked(_ body: String, _ query: TextQuery<Vellum>, words: Int = .max) throws -> String {
            let marked = try self.marked(body, query, words: words)
            return String(
                String.UnicodeScalarView(marked.unicodeScalars.filter { !$0.properties.isBidiControl }))
        }
        let (peace, world) = ("שָׁלוֹם", "עוֹלָם")
        #expect(try marked("\u{202B}\(peace) \(world)\u{202C}", "שלום") == "[\(peace)] \(world)")
        #expect(try marked("\(peace) \(world)", "\"שלום עולם\"") == "[\(peace) \(world)]")
        #expect(try marked("שלום עולם\u{200F}!", .word(world)) == "שלום [עולם]!")
        #expect(try marked("\(world) \(peace)\u{200F} \(world)", "שלום", words: 1) == "…[\(peace)]…")
        let name = "مُحَمَّدٌ"
        #expect(try marked("\u{2067}قال \(name)\u{2069} swift", "محمد swift") == "قال [\(name)] [swift]")
        #expect(try marked("قال مـــحمد", .word(name)) == "قال [مـــحمد]")
    }

    @Test func wordsThatDoNotCount_areNotMarked() throws {
        #expect(try marked("swift and store", "swift -java") == "[swift] and store")
        #expect(try marked("a c and d", "(a b) OR c") == "a [c] and d")
        #expect(try marked("a c and d", "a OR b OR c") == "[a] [c] and d")
        #expect(try marked("a c and d", .word("a").preferring("\"c d\" OR and")) == "[a] c [and] d")
        #expect(try marked("swift words", .all(.word("swift"), .word("words").within(\.title))) == "[swift] words")
        let store = try store([Vellum(id: 1, title: "a b", body: "b a"), Vellum(id: 2, title: nil, body: "a")])
        let either = Vellum.filter(.matches("a b") || \.id == 2)
        let hits = try either.hits(in: store).sorted { $0.record.id < $1.record.id }
        #expect(hits.map { $0.ranges(in: \.body).count } == [2, 0])
        let negated = try Vellum.filter(!.matches("b") && .matches("a")).hits(in: store)
        #expect(negated.map { $0.snippet(of: \.body).marked() } == ["<b>a</b>"])
        let two = try Vellum.filter(.matches("a") && .matches("b", index: Vellum.indexNames[3])).hits(in: store)
        #expect(two.map { $0.snippet(of: \.title).marked() } == ["<b>a</b> <b>b</b>"])
    }

    @Test func propertiesHaveTheirOwnRanges() throws {
        let store = try store([Vellum(id: 1, title: nil, body: "x", notes: ["x y", "", "y x y. z", "y"])])
        let hit = try #require(try Vellum.matching("y z*").hits(in: store).first)
        #expect(hit.ranges(in: \.title).isEmpty && hit.ranges(in: \.body).isEmpty)
        #expect(hit.snippet(of: \.title) == Snippet(text: "", ranges: [], isCutAtStart: false, isCutAtEnd: false))
        let notes = hit.record.notes
        #expect(
            zip(notes, hit.ranges(in: \.notes)).map { note, ranges in ranges.map { note[$0] } }
                == [["y"], [], ["y", "y", "z"], ["y"]])
        // The element with the best window.
        #expect(hit.snippet(of: \.notes).marked() == "<b>y</b> x <b>y</b>. <b>z</b>")
        #expect(hit.snippet(of: \.notes, words: 2).marked() == "…<b>y</b>. <b>z</b>")
        // Any text, and a property that is not stored.
        let text = "Z and y"
        #expect(hit.ranges(inText: text).map { text[$0] } == ["Z", "y"])
        #expect(hit.snippet(ofText: text, words: 1).marked() == "<b>Z</b>…")
        #expect(hit.ranges(in: \.first).isEmpty && hit.snippet(of: \.first).text == "x y")
        // A phrase does not cross elements.
        let phrase = try Vellum.matching("\"x y\"").hits(in: store)
        #expect(phrase.first?.ranges(in: \.notes).map(\.count) == [1, 0, 1, 0])
        try store.close()
        #expect(hit.ranges(in: \.notes).map(\.count) == [1, 0, 3, 1])
    }

    // MARK: Windows

    private static let story = """
        There was once a miller, who had a mill. He had a cat and three sons. The sons had nothing but the mill, \
        the cat and an ass. "A cat is nothing," said one; but the cat, who had boots, said nothing of the kind.
        """

    @Test func aSnippet_hasTheBestWindow() throws {
        // Two words of the query are better than one of them twice.
        #expect(try marked(Self.story, "cat ass", words: 6) == "…[cat] and an [ass]. \"A [cat]…")
        #expect(try marked(Self.story, "boots", words: 5) == "…who had [boots], said nothing…")
        // A window begins with a sentence.
        #expect(try marked(Self.story, "sons", words: 9) == "…He had a cat and three [sons]. The [sons]…")
        #expect(try marked(Self.story, "miller", words: 6) == "There was once a [miller], who…")
        #expect(try marked(Self.story, "kind", words: 4) == "…nothing of the [kind].")
        #expect(try marked(Self.story, "\"nothing of the kind\"", words: 2) == "…[nothing of]…")
        #expect(try marked(Self.story, .word("here").within(\.title), words: 4) == "There was once a…")
        #expect(try marked("a b c", "a", words: -7) == "[a]…")
        #expect(try marked("東京都と京都です", "京都", words: 3) == "東[京都]…")
    }

    @Test func rareWords_goBeforeFrequentOnes() throws {
        let texts = ["common one common common two three four five six seven rare"] + (0..<8).map { "common \($0)" }
        let store = try store(texts.enumerated().map { Vellum(id: $0, title: nil, body: $1) })
        let hit = try #require(try Vellum.matching("common OR rare").hits(in: store).first { $0.record.id == 0 })
        #expect(hit.snippet(of: \.body, words: 4).marked() == "…five six seven <b>rare</b>")
        let boosted = try Vellum.matching("common^100 OR rare").hits(in: store).first { $0.record.id == 0 }
        #expect(boosted?.snippet(of: \.body, words: 4).marked() == "<b>common</b> one <b>common</b> <b>common</b>…")
    }

    // MARK: Marks

    @Test func marks_areSafeInHTML() throws {
        let store = try store([Vellum(id: 1, title: nil, body: "<script> & \"q\" 'x' <\u{338}b>")])
        let hit = try #require(try Vellum.matching("script b").hits(in: store).first)
        let snippet = hit.snippet(of: \.body)
        #expect(
            snippet.marked()
                == "&lt;<b>script</b>&gt; &amp; &quot;q&quot; &#39;x&#39; &lt;\u{338}<b>b</b>&gt;")
        #expect(
            snippet.marked("<i>", "</i>", escapesHTML: false)
                == "<<i>script</i>> & \"q\" 'x' <\u{338}<i>b</i>>")
        let cut = hit.snippet(of: \.body, words: 1)
        #expect(cut.marked("«", "»", ellipsis: "[…]", escapesHTML: false) == "<«script»[…]")
        #expect(cut.isCutAtEnd && !cut.isCutAtStart)
    }

    /// The laws of all snippets.
    @Test func anySnippet_isAPartOfItsText() throws {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var source = ScrollSource(random: start)
        let scrolls = (0..<40).map { source.scroll($0) }
        let store = try store(scrolls)
        var count = 0
        for round in 0..<60 {
            let index = round % Vellum.analyzers.count
            source.asksForOrder = Vellum.keepsOrder(of: index)
            let clause = source.clause(1, scrolls)
            let query = Vellum.matching(TextQuery(clause), index: Vellum.indexNames[index])
            for hit in try query.limit(4).hits(in: store) {
                let words = Int.random(in: 0...12, using: &source.random)
                let snippet = hit.snippet(of: \.body, words: words)
                let note = "round \(round), TROVE_TEST_SEED=\(seed): \(clause) in \(hit.record.body)"
                expectLaws(of: snippet, of: hit.record.body, hit.ranges(in: \.body), note)
                count += 1
            }
        }
        #expect(count > 20)
    }

    private func expectLaws(of snippet: Snippet, of body: String, _ ranges: [Range<String.Index>], _ note: String) {
        let (text, whole) = (Array(snippet.text.utf8), Array(body.utf8))
        let bounds = Set(body.indices).union([body.endIndex]).map { body.utf8.distance(from: body.startIndex, to: $0) }
        let places = bounds.filter { whole[$0...].starts(with: text) && bounds.contains($0 + text.count) }
        // Of several places, one has the marks.
        let marks = snippet.ranges.map { range in
            body.utf8.distance(
                from: snippet.text.startIndex, to: range.lowerBound)..<body.utf8.distance(
                    from: snippet.text.startIndex, to: range.upperBound)
        }
        let offsets = ranges.map { range in
            body.utf8.distance(
                from: body.startIndex, to: range.lowerBound)..<body.utf8.distance(
                    from: body.startIndex, to: range.upperBound)
        }
        #expect(
            places.contains { place in
                let part = place..<place + text.count
                return marks.map { $0.lowerBound + place..<$0.upperBound + place }
                    == offsets.map { $0.clamped(to: part) }.filter { !$0.isEmpty }
                    && snippet.isCutAtStart == (place > 0) && snippet.isCutAtEnd == (part.upperBound < whole.count)
            }, "\(note): \(snippet)")
        let characters = Set(snippet.text.indices).union([snippet.text.endIndex])
        for range in snippet.ranges {
            #expect(characters.contains(range.lowerBound) && characters.contains(range.upperBound), "\(note)")
        }
        let marked = snippet.marked("\u{E000}", "\u{E001}", ellipsis: "", escapesHTML: false)
        let bare = String(
            String.UnicodeScalarView(marked.unicodeScalars.filter { !(0xE000...0xE001).contains($0.value) }))
        #expect(Array(bare.utf8) == text, "\(note)")
        #expect(marked.unicodeScalars.count { $0.value == 0xE000 } == snippet.ranges.count, "\(note)")
    }
}

extension Vellum {
    /// A property that is not stored.
    fileprivate var first: String { notes.first ?? "" }
}
