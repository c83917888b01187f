// Words that are replaced by others.

import Testing
import TroveTestSupport

@testable import TroveText

/// A stemmer that removes a final s.
private struct PluralStemmer: TextStemmer {
    let name = "plurals"
    func stem(_ word: String) -> String { word.hasSuffix("s") ? String(word.dropLast()) : word }
}

@Suite struct ReplacementTests {
    private func terms(_ words: [String: [String]], _ text: String) -> [String] {
        TextAnalyzer.standard.replacing(words).terms(text)
    }

    private func places(_ analyzer: TextAnalyzer, _ text: String) -> [String] {
        analyzer.tokens(of: text).map { "\($0.term)\($0.position)" }
    }

    @Test func aWord_isItsReplacement() {
        let words = ["auto": ["car"], "automobile": ["car"]]
        #expect(terms(words, "my auto, your Automobile and a car") == ["my", "car", "your", "car", "and", "a", "car"])
        let text = "an AUTO here"
        let token = TextAnalyzer.standard.replacing(words).tokens(of: text)[1]
        #expect(text[token.range] == "AUTO" && token.position == 1)
    }

    @Test func bothSides_areFolded() {
        #expect(terms(["ÜBER": ["Ｏｖér"]], "uber über OVER") == ["over", "over", "over"])
        let stemmed = TextAnalyzer.standard.stemmed(by: PluralStemmer()).replacing(["autos": ["Cars"]])
        #expect(stemmed.terms("auto AUTOS cars") == ["car", "car", "car"])
        // The order of the steps does not matter.
        let later = TextAnalyzer.standard.replacing(["autos": ["Cars"]]).stemmed(by: PluralStemmer())
        #expect(later.definition == stemmed.definition)
        #expect(TextAnalyzer.standard.keepingCase().replacing(["US": ["usa"]]).terms("US us") == ["usa", "us"])
    }

    @Test func several_areAtOnePosition() {
        let analyzer = TextAnalyzer.standard.replacing(["dog": ["dog", "animal", "dog"]])
        #expect(places(analyzer, "a dog barks") == ["a0", "dog1", "animal1", "barks2"])
        #expect(places(analyzer, "animal") == ["animal0"])
    }

    @Test func phrases_takeTheirPositions() {
        let analyzer = TextAnalyzer.standard.replacing(["nyc": ["new york city"]])
        #expect(
            places(analyzer, "in NYC now, NYC") == ["in0", "new1", "york2", "city3", "now4", "new5", "york6", "city7"])
        let several = TextAnalyzer.standard.replacing(["nyc": ["new york city", "nyc", "new amsterdam"]])
        #expect(
            places(several, "in nyc now") == ["in0", "new1", "nyc1", "york2", "amsterdam2", "city3", "now4"]
                || places(several, "in nyc now") == ["in0", "nyc1", "new1", "york2", "amsterdam2", "city3", "now4"])
        var text = "nyc nyc"
        #expect(text.withRawSpan { several.visitTokens(in: $0) { _, _ in } } == 6)
        // A stop word of a replacement leaves its gap, as it does in a text.
        let gap = TextAnalyzer.standard.without(["of", "the"]).replacing(["sota": ["state of the art"]])
        #expect(places(gap, "sota now") == places(gap, "state of the art now"))
    }

    /// Whatever the table, a word has all that its replacements have: so a search for either finds both.
    @Test func chainsAndCircles_leadToTheSameWords() throws {
        #expect(terms(["a": ["b"], "b": ["c"]], "a b c") == ["c", "c", "c"])
        #expect(Set(terms(["a": ["b"], "b": ["a"]], "a")) == ["a", "b"])
        #expect(Set(terms(["a": ["b"], "b": ["a"]], "b")) == ["a", "b"])
        #expect(terms(["a": ["a"]], "a") == ["a"])
        #expect(Set(terms(["a": ["b"], "b": ["c", "a"]], "a")) == ["a", "b", "c"])
        #expect(terms(["a": ["b c"], "c": ["d"]], "a") == ["b", "d"])
        #expect(terms(["a": ["a b"]], "a") == ["a", "b"])
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        for _ in 0..<300 {
            let letters = ["a", "b", "c", "d", "e", "f"]
            var table: [String: [String]] = [:]
            for _ in 0..<Int.random(in: 0...8, using: &random) {
                guard let word = letters.randomElement(using: &random),
                    let other = letters.randomElement(using: &random)
                else { continue }
                table[word, default: []].append(other)
            }
            let analyzer = TextAnalyzer.standard.replacing(table)
            for (word, others) in table {
                let own = Set(analyzer.terms(word))
                #expect(!own.isEmpty)
                for other in others {
                    #expect(own.isSuperset(of: analyzer.terms(other)), "\(table), TROVE_TEST_SEED=\(seed)")
                }
            }
        }
    }

    /// A circle was walked around again for each pair of its words, which took cubic time.
    @Test func longCircle_makesAllOfItsWordsOfEach() {
        let count = 500
        let table = Dictionary(uniqueKeysWithValues: (0..<count).map { ("w\($0)", ["w\(($0 + 1) % count)"]) })
        let analyzer = TextAnalyzer.standard.replacing(table)
        for word in [0, 250, 499] {
            // The nearest are first.
            #expect(analyzer.terms("w\(word)") == (1...count).map { "w\((word + $0) % count)" })
        }
    }

    @Test func wordsInsideAReplacement_areReplacedBySingleWords() {
        let analyzer = TextAnalyzer.standard.replacing(["a": ["b c"], "c": ["d e"], "f": ["g h"], "h": ["i j", "k"]])
        #expect(places(analyzer, "a") == ["b0", "c1"])
        #expect(places(analyzer, "f") == ["g0", "k1"])
        #expect(places(analyzer, "b c") == ["b0", "d1", "e2"])
    }

    @Test func replacementOfSeveralWords_makesSixteenSpellings() {
        let analyzer = TextAnalyzer.standard.replacing([
            "a": ["b c d"], "b": ["b1", "b2", "b3", "b4"], "c": ["c1", "c2", "c3", "c4"],
            "d": ["d1", "d2", "d3", "d4"],
        ])
        let spellings = analyzer.queryWords(of: "a").flatMap(\.spellings)
        let words = spellings.map { $0.map { String(decoding: $0.bytes, as: UTF8.self) } }
        let expected = ["c1", "c2", "c3", "c4"].flatMap { c in ["d1", "d2", "d3", "d4"].map { ["b1", c, $0] } }
        #expect(words == expected)
    }

    @Test func whatHasNoWord_hasNoEffect() {
        let words = ["a": [], "b": ["", "!!"], "two words": ["c"], "": ["d"], "東京": ["e"], "京": ["f"], "g": ["the"]]
        let analyzer = TextAnalyzer.standard.without(["the"]).replacing(words)
        let text = "a b two words 東京 京 g the"
        #expect(analyzer.terms(text) == TextAnalyzer.standard.without(["the"]).terms(text))
        #expect(analyzer.reducer == nil)
    }

    @Test func calls_addUp() {
        let analyzer = TextAnalyzer.standard.replacing(["a": ["b"]]).replacing(["c": ["d"], "a": ["e"]])
        #expect(analyzer.terms("a c") == ["b", "e", "d"])
    }

    @Test func definitions_haveTheReplacements() {
        func definition(_ words: [String: [String]]) -> String { TextAnalyzer.standard.replacing(words).definition }
        let one = definition(["zzyzzyva": ["weevil"]])
        #expect(one.hasPrefix("standard/1+replacing(1)#"))
        #expect(one == definition(["zzyzzyva": ["weevil"]]))
        #expect(one != definition(["zzyzzyva": ["beetle"]]))
        #expect(one != definition(["zzyzzyvas": ["weevil"]]))
        #expect(definition(["q": ["x y"]]) != definition(["q": ["x", "y"]]))
        // The order of a dictionary, which changes from process to process, does not matter.
        let many = Dictionary(uniqueKeysWithValues: (0..<100).map { ("w\($0)", ["v\($0 % 10)", "u"]) })
        #expect(definition(many) == "standard/1+replacing(100)#\(TextAnalyzer.standard.replacing(many).fingerprint)")
        let folded = ["Auto": ["x"], "auto": ["y"], "AUTO": ["z"]]
        #expect(terms(folded, "auto") == ["z", "x", "y"])
        #expect(TextAnalyzer(definition: one) == nil)
    }

    @Test func wordsOfQueries_haveTheirSpellings() throws {
        let analyzer = TextAnalyzer.standard.without(["the"]).stemmed(by: PluralStemmer())
            .replacing(["nyc": ["new york", "metropolis"]])
        let words = analyzer.queryWords(of: "the NYCs cärs")
        #expect(words.map(\.position) == [0, 1, 2])
        #expect(words.map { String(decoding: $0.folded, as: UTF8.self) } == ["the", "nycs", "cars"])
        #expect(words[0].spellings.isEmpty && words[2].spellings.count == 1)
        let spellings = words[1].spellings.map { $0.map { String(decoding: $0.bytes, as: UTF8.self) } }
        #expect(Set(spellings) == [["new", "york"], ["metropoli"]])
        #expect(Set(words[1].spans) == [1, 2])
        #expect(analyzer.queryWords(of: "a b c", limit: 2).count == 2)
    }

    @Test func randomTexts_neverTrap_andPositionsAscend() {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = RandomText(generator: start)
        let analyzer = TextAnalyzer.standard.replacing(["a": ["b c", "d"], "e": ["f"], "1": ["2 3 4"]])
        for _ in 0..<300 {
            let places = analyzer.visited(Array(random.asciiText().utf8)).map(\.place)
            let isSorted = zip(places, places.dropFirst()).allSatisfy { $0.position <= $1.position }
            #expect(isSorted, "TROVE_TEST_SEED=\(seed)")
        }
    }
}
