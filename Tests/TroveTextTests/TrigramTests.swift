// The analyzer `trigrams`.

import Testing
import TroveTestSupport

@testable import TroveText

@Suite struct TrigramTests {
    private static func scalars(_ texts: [String]) -> [[UInt32]] { texts.map { $0.unicodeScalars.map(\.value) } }

    @Test func trigrams_areScalarsInARow() {
        #expect(TextAnalyzer.trigrams.terms("Ab cD") == ["ab ", "b c", " cd"])
        #expect(TextAnalyzer.trigrams.terms("ab") == [])
        #expect(TextAnalyzer.trigrams.terms("") == [])
        #expect(TextAnalyzer.trigrams.terms("Maß") == ["mas", "ass"])
        #expect(Self.scalars(TextAnalyzer.trigrams.terms("e\u{301}É")) == [[0x65, 0x301, 0xE9]])
        #expect(TextAnalyzer.trigrams.terms("東京都庁") == ["東京都", "京都庁"])
    }

    @Test func trigrams_haveRangesAndPositions() {
        let text = "aßb€"
        let tokens = TextAnalyzer.trigrams.tokens(of: text)
        #expect(tokens.map(\.term) == ["ass", "ssb", "sb€"])
        #expect(tokens.map { text[$0.range] } == ["aß", "ßb", "ßb€"])
        #expect(tokens.map(\.position) == [0, 1, 2])
    }

    @Test func lowercaseLetters_foldAsTheirOriginals() {
        for value in 0...0x10FFFF as ClosedRange<UInt32> {
            guard let scalar = Unicode.Scalar(value), scalar.isKnown else { continue }
            // Three times, to have trigrams.
            let text = String(repeating: String(scalar), count: 3)
            let lower = String(repeating: scalar.properties.lowercaseMapping, count: 3)
            guard text != lower else { continue }
            #expect(Self.scalars(TextAnalyzer.trigrams.terms(text)) == Self.scalars(TextAnalyzer.trigrams.terms(lower)))
        }
    }

    @Test func containedTexts_haveTrigramsOfTheText() {
        let (generator, seed) = SeededGenerator.fromEnvironment()
        var random = RandomText(generator: generator)
        for _ in 0..<1_000 {
            let parts = [random.text(upTo: 10, where: \.isKnown), random.text(upTo: 10, where: \.isKnown)]
            let part = random.text(upTo: 10, where: \.isKnown)
            let text = parts[0] + part.uppercased() + parts[1]
            guard Self.isKnown(part) else { continue }
            guard text.lowercased().unicodeScalars.contains(part.lowercased().unicodeScalars) else { continue }
            let all = Set(Self.scalars(TextAnalyzer.trigrams.terms(text)))
            #expect(
                all.isSuperset(of: Self.scalars(TextAnalyzer.trigrams.terms(part))),
                "\(Self.scalars(parts + [part])), seed \(seed)")
        }
    }

    private static func isKnown(_ text: String) -> Bool {
        var text = text
        return text.withRawSpan { TextAnalyzer.knowsCases(of: $0) }
    }

    @Test func unknownCases_areReported() {
        #expect(Self.isKnown("") && Self.isKnown("abc é 東京 👩🏽‍💻 \u{E000}"))
        #expect(!Self.isKnown("ab\u{378}") && !Self.isKnown("\u{10D50}"))
    }

    /// Unicode 16 gave the old letter U+0264 an upper case, U+A7CB. Where Swift knows it, a text with U+A7CB contains
    /// U+0264 in this sense, and does not have its trigrams.
    @Test func newCasesOfKnownScalars_areReported() throws {
        let new = try #require(Unicode.Scalar(0xA7CB as UInt32))
        #expect(Self.isKnown("\u{264}") == (new.properties.lowercaseMapping != "\u{264}"))
    }
}
