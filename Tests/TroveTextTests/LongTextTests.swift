// Texts and words of unusual length: linear time, and memory for the longest word.

import Testing

@testable import TroveText

@Suite struct LongTextTests {
    private static let analyzers: [TextAnalyzer] = [.standard, .standard.keepingMarks(), .trigrams, .whole]

    @Test(arguments: [
        "A", "é", "e\u{301}", "Я", "漢", "ก\u{E49}", "ア", "한", "👍🏽", "🇸🇪", "\u{301}", "\u{200D}", "ـ", "½", "ﷺ", "\u{378}",
        "\u{FFFD}",
    ])
    func repetitions_areSplit(_ part: String) {
        let text = Array(String(repeating: part, count: 200_000 / part.utf8.count).utf8)
        for analyzer in Self.analyzers {
            var count = 0
            text.withRawSpan(of: 0..<text.count) { bytes in
                let positions = analyzer.visitTokens(in: bytes) { term, place in
                    count += 1
                    if term.isEmpty { Issue.record("an empty term") }
                }
                #expect(positions == count)
            }
        }
    }

    @Test func longWord_isOneWord() {
        let word = String(repeating: "AbC1", count: 250_000)
        #expect(TextAnalyzer.standard.terms(word) == [word.lowercased()])
        #expect(TextAnalyzer.standard.terms(word + "é") == [word.lowercased() + "e"])
    }

    @Test func longRun_isPairs() {
        let count = 30_000
        let terms = TextAnalyzer.standard.terms(String(repeating: "漢字", count: count / 2))
        #expect(terms.count == count && terms.last == "字")
        #expect(Set(terms) == ["漢字", "字漢", "字"])
    }
}
