// The functions of an analyzer, and the analyzers of an application.

import Testing

@testable import TroveText

/// A stemmer that removes an English ending.
private struct EndingStemmer: TextStemmer {
    let name: String
    var endings = ["ing", "ed", "s"]

    func stem(_ word: String) -> String {
        for ending in endings where word.hasSuffix(ending) { return String(word.dropLast(ending.count)) }
        return word
    }
}

@Suite struct TextAnalyzerTests {
    private static let codes = TextAnalyzer("codes", version: 2) { text, tokens in
        for code in text.split(separator: "-", omittingEmptySubsequences: false) {
            tokens.append(code.uppercased(), at: code.startIndex..<code.endIndex)
        }
    }

    @Test func keepingMarks_keepsAll() {
        let analyzer = TextAnalyzer.standard.keepingMarks()
        #expect(analyzer.terms("Été e\u{301} ÅÄÖ τῷ כּ") == ["été", "é", "åäö", "τῷ", "כּ"])
        #expect(analyzer.terms("كـــتَاب") == ["كـــتَاب"])
    }

    @Test func keepingMarks_onLetters() {
        let analyzer = TextAnalyzer.standard.keepingMarks(on: "åäö")
        #expect(analyzer.terms("Åsa ätit créme BLÖT o\u{308} ǟ ǻ") == ["åsa", "ätit", "creme", "blöt", "ö", "ä", "å"])
        #expect(TextAnalyzer.standard.keepingMarks(on: "Йё").terms("йод Ёлка ЙОД ї") == ["йод", "ёлка", "йод", "і"])
        #expect(analyzer.keepingCase().terms("Åsa ÉTÉ ö") == ["Åsa", "ETE", "ö"])
        #expect(TextAnalyzer.standard.keepingMarks(on: "ế").terms("tiếng tiéng tiêng") == ["tiếng", "tieng", "tieng"])
        #expect(TextAnalyzer.whole.keepingMarks(on: "åäö").terms("Åsa é") == ["åsa e"])
    }

    @Test func keepingCase_keepsLetters() {
        let analyzer = TextAnalyzer.standard.keepingCase()
        #expect(analyzer.terms("iOS Straße ＡＢＣ ÉTÉ ⅷ 東京") == ["iOS", "Straße", "ABC", "ETE", "viii", "東京", "京"])
        #expect(TextAnalyzer.trigrams.keepingCase().terms("AbCd") == ["AbC", "bCd"])
        #expect(TextAnalyzer.whole.keepingCase().terms("New York") == ["New York"])
    }

    @Test func whole_isASingleWord() {
        #expect(TextAnalyzer.whole.terms("New  Yörk, N.Y. ½ ❤️") == ["new  york, n.y. 1⁄2 ❤"])
        #expect(TextAnalyzer.whole.terms("") == [])
        #expect(TextAnalyzer.whole.terms("\u{AD}\u{200F}") == [])
        #expect(TextAnalyzer.whole.terms(" ") == [" "])
        #expect(TextAnalyzer.whole.terms("\u{301}a") == ["\u{301}a"])
        let text = "Ab c"
        #expect(TextAnalyzer.whole.tokens(of: text).map { text[$0.range] } == ["Ab c"])
    }

    @Test func stopWords_leaveTheirPositionsEmpty() {
        let tokens = TextAnalyzer.standard.without(.english).tokens(of: "The cat and THE dog")
        #expect(tokens.map(\.term) == ["cat", "dog"])
        #expect(tokens.map(\.position) == [1, 4])
        var text = "cat and the"
        let end = text.withRawSpan { TextAnalyzer.standard.without(.english).visitTokens(in: $0) { _, _ in } }
        #expect(end == 3)
    }

    @Test func stopWords_areFolded() {
        let analyzer = TextAnalyzer.standard.without(["Été", "can't", "東京", ""]).without(.german)
        #expect(analyzer.terms("ete ÉTÉ für can cat t 東京都") == ["cat", "京都", "都"])
        #expect(TextAnalyzer.standard.without(["The"]).keepingCase().terms("the The") == ["the"])
        #expect(TextAnalyzer.standard.keepingMarks().without(.german).terms("fur für") == ["fur"])
        #expect(TextAnalyzer.whole.without(["n/a"]).terms("N/A") == [])
    }

    @Test func builtInStopWords_areFound() {
        for list in StopWords.builtIn {
            #expect(list.words.count >= 30 && list.names.count == 1)
            let text = list.words.joined(separator: " ")
            #expect(TextAnalyzer.standard.without(list).terms(text) == [])
        }
        #expect(Set(StopWords.builtIn.flatMap(\.names)).count == StopWords.builtIn.count)
    }

    @Test func stems_replaceWords() {
        let analyzer = TextAnalyzer.standard.without(["stored"]).stemmed(by: EndingStemmer(name: "endings"))
        let tokens = analyzer.tokens(of: "Stores stored STORING ing store")
        #expect(tokens.map(\.term) == ["store", "stor", "store"])
        #expect(tokens.map(\.position) == [0, 2, 4])
    }

    @Test func ownAnalyzer_hasItsTokens() {
        let text = "ab-é--x"
        let tokens = Self.codes.tokens(of: text)
        #expect(tokens.map(\.term) == ["AB", "É", "X"])
        #expect(tokens.map(\.position) == [0, 1, 3])
        #expect(tokens.map { text[$0.range] } == ["ab", "é", "x"])
        #expect(Self.codes.without(["Ab"]).stemmed(by: EndingStemmer(name: "e", endings: ["É"])).terms(text) == ["X"])
    }

    @Test func ownAnalyzer_mayBeWrong() {
        let other = "another and longer text"
        let wrong = TextAnalyzer("wrong", version: 1) { text, tokens in
            tokens.append("beyond", at: other.endIndex..<other.endIndex)
            tokens.append("wide", at: other.startIndex..<other.endIndex)
            tokens.skip(-5)
            tokens.skip(.max)
            tokens.skip(.max)
            tokens.append("last", at: text.startIndex..<text.startIndex)
            tokens.append("later", at: text.startIndex..<text.startIndex)
        }
        let tokens = wrong.tokens(of: "short")
        #expect(tokens.map(\.term) == ["beyond", "wide", "last", "later"])
        #expect(tokens.map(\.position) == [0, 1, Int(Int32.max), Int(Int32.max)])
        #expect("short"[tokens[1].range] == "short")
    }

    @Test func descriptions_nameAllChanges() {
        #expect("\(TextAnalyzer.standard)" == "standard/1")
        #expect("\(TextAnalyzer.trigrams)" == "trigrams/1")
        #expect("\(TextAnalyzer.whole.keepingCase())" == "whole/1+case")
        #expect("\(Self.codes)" == "codes/2")
        let analyzer = TextAnalyzer.standard.stemmed(by: EndingStemmer(name: "endings-en")).without(["a", "b"])
            .without(.german).without(.english).keepingMarks(on: "ÖäöÅxå")
        #expect("\(analyzer)" == "standard/1+marks(äåö)+without-english+without-german+without(2)+endings-en")
        #expect("\(TextAnalyzer.standard.keepingMarks())" == "standard/1+marks")
        #expect(TextAnalyzer.standard.definition == "standard/1#\(TextAnalyzer.standard.fingerprint)")
    }
}
