// Hostile texts: snippets are bounded, ranges are those of characters, and nothing takes more than linear time.

import Testing
import TroveCoding
import TroveText

@testable import Trove

struct SnippetEdgeTests {
    /// Returns a hit without a store.
    private func hit(_ body: String, _ words: [String], index: Int = 0) -> TextHit<Vellum> {
        let fields = ScoredFields([0, 1, 2], BM25(fields: 3))
        let scoring = TextScoring(BM25(fields: 3), TextStatistics(fields: 3))
        let clauses = words.map { word in
            let scored = ScoredWords.Word(bytes: Array(word.utf8), form: word.count == 1 ? .prefix : .word, count: 1)
            return ScoredClause.words(
                ScoredWords(
                    index: Vellum.indexNames[index], word: scored, fields: fields, factor: 1, scoring: scoring))
        }
        return TextHit(Vellum(id: 1, title: nil, body: body), score: 1, of: .any(clauses))
    }

    private func expectBounded(_ snippet: Snippet, words: Int) {
        #expect(snippet.text.utf8.count <= (words + 1) * TextUnits.sizeLimit)
    }

    @Test func textsWithoutWords_haveBeginnings() {
        for text in ["", "\u{0}", " \n\t ", "\u{1}\u{2}\u{7F}", "…", "\u{301}", "\u{200D}"] {
            for index in Vellum.analyzers.indices {
                let hit = hit(text, ["swift"], index: index)
                #expect(hit.ranges(in: \.body).isEmpty)
                #expect(
                    hit.snippet(of: \.body) == Snippet(text: text, ranges: [], isCutAtStart: false, isCutAtEnd: false))
            }
        }
        let snippet = hit(String(repeating: "\u{0} \r\n", count: 5_000), ["swift"]).snippet(of: \.body)
        #expect(snippet.isCutAtEnd && !snippet.isCutAtStart)
        expectBounded(snippet, words: 24)
    }

    @Test func longTexts_haveBoundedSnippets() {
        let count = 8_000
        let same = hit(String(repeating: "swift ", count: count), ["swift"])
        #expect(same.ranges(in: \.body).count == count)
        let snippet = same.snippet(of: \.body)
        #expect(snippet.ranges.count == 24 && snippet.isCutAtEnd && !snippet.isCutAtStart)
        #expect(same.snippet(of: \.body, words: .max).ranges.count == count)
        #expect(same.snippet(of: \.body, words: .min).marked() == "<b>swift</b>…")

        let late = hit(String(repeating: "other. ", count: count) + "a swift end", ["swift"])
        #expect(late.snippet(of: \.body, words: 3).marked() == "…a <b>swift</b> end")

        // A word without an end.
        let word = String(repeating: "x", count: 4 * count)
        for text in [word, word + " swift", "swift " + word, word + "\u{301} swift " + word] {
            let found = hit(text, ["swift", word]).snippet(of: \.body, words: 8)
            expectBounded(found, words: 8)
            #expect(!found.ranges.isEmpty)
            #expect(hit(text, ["swift"]).snippet(of: \.body, words: 8).ranges.count == (text == word ? 0 : 1))
        }
        #expect(hit(word, [word]).ranges(in: \.body).map { word[$0].count } == [word.count])
    }

    @Test func scriptsAndSigns_withoutSpaces() {
        let count = 5_000
        let signs = String(repeating: "東京都", count: count)
        let found = hit(signs, ["京都"])
        #expect(found.ranges(in: \.body).count == count)
        #expect(found.snippet(of: \.body, words: 4).marked() == "東<b>京都</b>東…")
        #expect(hit(signs, ["東", "京", "都"]).ranges(in: \.body) == [signs.startIndex..<signs.endIndex])

        let emoji = String(repeating: "👨‍👩‍👧👍🏽🇸🇪🇳🇴", count: 2_000)
        let hands = hit(emoji, ["👍"])
        #expect(hands.ranges(in: \.body).count == 2_000)
        #expect(hands.ranges(in: \.body).allSatisfy { emoji[$0] == "👍🏽" })
        #expect(hands.snippet(of: \.body, words: 2).text.allSatisfy { "👨‍👩‍👧👍🏽🇸🇪🇳🇴".contains($0) })
    }

    /// Characters of thousands of scalars are never cut, and each is looked at once.
    @Test func longCharacters_areWhole() {
        let marks = String(repeating: "\u{301}", count: 8_000)
        let text = "a \(marks)b swift\(marks) c swift"
        let found = hit(text, ["swift"])
        #expect(found.ranges(in: \.body).map { text[$0].unicodeScalars.count } == [8_005, 5])
        let snippet = found.snippet(of: \.body, words: 1)
        #expect(snippet.text.count == 5 && snippet.isCutAtStart)

        // A single character, with a trigram of the query at each fourth scalar.
        let family = "👨" + String(repeating: "\u{200D}👩\u{200D}👧\u{200D}👦", count: 2_000)
        #expect(family.count == 1)
        #expect(
            hit(family, ["\u{200D}👧\u{200D}"], index: 2).ranges(in: \.body) == [family.startIndex..<family.endIndex])
        let flags = String(repeating: "\u{1F1F8}\u{1F1EA}", count: 5_000)
        #expect(hit(flags, ["🇸🇪"]).ranges(in: \.body) == [flags.startIndex..<flags.endIndex])
    }

    @Test func manyWords_areFoundOnce() {
        // The same word many times in a query, and many beginnings of a word.
        let text = String(repeating: "aaaaaaaa ", count: 2_000)
        let words = (0..<64).map { _ in "aaaaaaaa" } + (0..<64).map { _ in "a" }
        let found = hit(text, words)
        #expect(found.ranges(in: \.body).count == 2_000)
        #expect(found.snippet(of: \.body, words: 3).marked("[", "]") == "[aaaaaaaa] [aaaaaaaa] [aaaaaaaa]…")
        let empty = TextHit(Vellum(id: 1, title: nil, body: "swift"), score: 0, of: nil)
        #expect(empty.snippet(of: \.body).marked() == "swift" && empty.ranges(in: \.body).isEmpty)
    }

    /// Text that is not stored as UTF-8: its ranges are those of the given string.
    @Test func substringsAndAppendedTexts_haveTheirOwnRanges() {
        var text = String("xx swift store"[...].dropFirst(3))
        text += " and é"
        let ranges = hit(text, ["store", "e"]).ranges(in: \.body)
        #expect(ranges.map { text[$0] } == ["store", "é"])
    }
}
