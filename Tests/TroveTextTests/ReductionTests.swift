// The words that a stemmer receives, its stems in the terms, and the cache of reductions.

import Foundation
import Synchronization
import Testing
import TroveTestSupport

@testable import TroveText

/// A stemmer that keeps words, and counts its calls.
private final class CountingStemmer: TextStemmer {
    let name = "counting"
    let words = Mutex<[String]>([])

    func stem(_ word: String) -> String {
        words.withLock { $0.append(word) }
        return word
    }
}

/// A stemmer that cuts words after some letters.
private struct CuttingStemmer: TextStemmer {
    let name = "cutting"
    var probe = ""
    var count = 3
    /// The words that it cuts; nil for all.
    var only: String?

    func stem(_ word: String) -> String { only.map { $0 == word } ?? true ? String(word.prefix(count)) : word }
}

@Suite struct ReductionTests {
    @Test func aStemmer_receivesMarks_andItsStemIsFolded() {
        let stemmer = CountingStemmer()
        let analyzer = TextAnalyzer.standard.stemmed(by: stemmer)
        #expect(
            analyzer.terms("ÉCOLE für Йод E\u{301} Ⅷ ½ كـتَاب") == [
                "ecole", "fur", "иод", "e", "viii", "1", "2", "كتاب",
            ])
        #expect(stemmer.words.withLock { $0 } == ["école", "für", "йод", "é", "viii", "1", "2", "كـتَاب"])
        #expect(TextAnalyzer.standard.stemmed(by: CuttingStemmer(count: 1)).terms("Ärger") == ["a"])
        #expect(
            TextAnalyzer.standard.keepingMarks(on: "ä").stemmed(by: CuttingStemmer()).terms("Ärger Éte") == [
                "ärg", "ete",
            ])
        #expect(TextAnalyzer.standard.keepingCase().stemmed(by: CuttingStemmer()).terms("Étern") == ["Ete"])
        #expect(TextAnalyzer.whole.stemmed(by: CuttingStemmer(count: 5)).terms("Ök é  x") == ["ok e "])
    }

    @Test func aPictographJoinedToATatweel_isAWordOfItsOwn() {
        let analyzer = TextAnalyzer.standard
        #expect(analyzer.terms("\u{640}\u{200D}\u{1F3F4}") == ["\u{1F3F4}"])
        #expect(analyzer.stemmed(by: CountingStemmer()).terms("\u{640}\u{200D}\u{1F3F4}") == ["\u{1F3F4}"])
    }

    /// A stemmer that keeps every word makes no difference, though words are split with their marks, and folded later.
    @Test func theSplitOfMarks_fromWords_losesNothing() throws {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = RandomText(generator: start)
        let plain: [TextAnalyzer] = [
            .standard, .whole, .standard.keepingMarks(), .standard.keepingMarks(on: "åäö"), .standard.keepingCase(),
            .standard.without(.german).without(["东", "e"]),
        ]
        let both = plain.map { ($0, $0.stemmed(by: CountingStemmer())) }
        for round in 0..<100 {
            let text = round == 0 ? Array(TextAnalyzer.probe.utf8) : Array(random.text().utf8)
            for (analyzer, stemmed) in both {
                // Some Arabic signs, such as U+FCF3, are a tatweel with marks.
                let decomposed = String(decoding: text, as: UTF8.self).decomposedStringWithCompatibilityMapping
                if decomposed.unicodeScalars.contains("\u{640}") {
                    // A word of tatweels alone has a position, and no term.
                    #expect(
                        stemmed.visited(text).map(\.term) == analyzer.visited(text).map(\.term),
                        "\(analyzer) of \(text), TROVE_TEST_SEED=\(seed)")
                } else {
                    #expect(
                        stemmed.visited(text) == analyzer.visited(text),
                        "\(analyzer) of \(text), TROVE_TEST_SEED=\(seed)")
                }
            }
        }
    }

    @Test func stopWords_areThoseOfTheFoldedWord() {
        let analyzer = TextAnalyzer.standard.without(["für", "stores"]).stemmed(by: CuttingStemmer())
        let tokens = analyzer.tokens(of: "fur Für stores stored")
        #expect(tokens.map(\.term) == ["sto"])
        #expect(tokens.map(\.position) == [3])
    }

    /// A word is returned as a query has to spell it to have the term.
    @Test func wordsWithATerm_haveItAsQueries() {
        func words(_ term: String, _ text: String, _ analyzer: TextAnalyzer) -> [String] {
            let bytes = Array(text.utf8)
            let words = bytes.withRawSpan(of: 0..<bytes.count) { analyzer.words(withTerm: Array(term.utf8), in: $0) }
            return words.map { String(decoding: $0, as: UTF8.self) }
        }
        let cut = TextAnalyzer.standard.stemmed(by: CuttingStemmer())
        #expect(words("sto", "Stores, stored stores; the stork", cut) == ["stores", "stored", "stork"])
        #expect(words("sto", "Stores", .standard) == [] && cut.reducesWords && !TextAnalyzer.standard.reducesWords)
        // Without its marks, the word has another stem.
        let marked = TextAnalyzer.standard.stemmed(by: CuttingStemmer(count: 2, only: "étés"))
        #expect(words("et", "Étés etes et", marked) == ["étés", "et"])
        let replaced = TextAnalyzer.standard.replacing(["auto": ["car"], "dog": ["dog", "animal"]])
        #expect(words("car", "An auto, a car", replaced) == ["auto", "car"])
        #expect(words("dog", "A dog", replaced) == [], "the word has two terms")
    }

    @Test func aWord_isReducedOnce() {
        let stemmer = CountingStemmer()
        let analyzer = TextAnalyzer.standard.stemmed(by: stemmer)
        let text = (0..<50).map { "word\($0 % 7)" }.joined(separator: " ")
        for _ in 0..<3 { #expect(analyzer.terms(text).count == 50) }
        #expect(stemmer.words.withLock { $0.count } == 7)
        // Longer words are not kept.
        let long = String(repeating: "x", count: ReductionTable.longestWord + 1)
        #expect(analyzer.terms("\(long) \(long)") == [long, long])
        #expect(stemmer.words.withLock { $0.count } == 9)
    }

    @Test func keptReductions_areBounded_andStayRight() {
        var table = ReductionTable()
        let count = ReductionTable.wordLimit + 1_000
        var (greatest, wrong) = (0, 0)
        for number in Array(0..<count) + Array(0..<500) {
            var word = "w\(number)"
            let expected = Array("\(number)".utf8)
            word.withRawSpan { word in
                _ = table.visit(word, reduce: { _ in WordReduction(to: expected) }) { term, offset in
                    if offset != 0 || !term.equals(expected[...]) { wrong += 1 }
                }
            }
            greatest = max(greatest, table.count)
        }
        #expect(wrong == 0)
        #expect(greatest == ReductionTable.wordLimit && table.count < 2_000)
    }

    @Test func threads_shareAnAnalyzer() async {
        let analyzer = TextAnalyzer.standard.stemmed(by: CuttingStemmer()).replacing(["one": ["two words", "three"]])
        let text = (0..<500).map { "word\($0 % 97) one" }.joined(separator: " ")
        let expected = analyzer.terms(text)
        let same = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 { group.addTask { (0..<20).allSatisfy { _ in analyzer.terms(text) == expected } } }
            return await group.reduce(true) { $0 && $1 }
        }
        #expect(same)
    }

    @Test func fingerprints_dependOnTheProbeOfTheStemmer() {
        func fingerprint(_ probe: String, _ only: String) -> String {
            TextAnalyzer.standard.stemmed(by: CuttingStemmer(probe: probe, only: only)).fingerprint
        }
        let words = ["zzyzzyva", "qwertyuiop"]
        #expect(!words.contains { TextAnalyzer.probe.contains($0) })
        // The words are not in the text of all fingerprints, so that only their own probe tells the stemmers apart.
        #expect(fingerprint("", words[0]) == fingerprint("", words[1]))
        let probe = words.joined(separator: " ")
        #expect(fingerprint(probe, words[0]) != fingerprint(probe, words[1]))
        #expect(fingerprint(probe, words[0]) == fingerprint(probe, words[0]))
        #expect(TextAnalyzer.standard.stemmed(by: CuttingStemmer()).description == "standard/1+cutting")
    }
}
