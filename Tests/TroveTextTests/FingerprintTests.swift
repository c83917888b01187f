// The fingerprints that indexes store.

import Testing

@testable import TroveText

@Suite struct FingerprintTests {
    /// A changed fingerprint makes all indexes of the analyzer again: the analyzer gets a new version with it.
    @Test(arguments: [
        (TextAnalyzer.standard, "0"),
        (TextAnalyzer.trigrams, "0"),
        (TextAnalyzer.whole, "0"),
        (TextAnalyzer.standard.keepingMarks(), "0"),
        (TextAnalyzer.standard.keepingMarks(on: "åäö"), "0"),
        (TextAnalyzer.standard.keepingCase(), "0"),
    ])
    func builtInFingerprints_areStored(_ analyzer: TextAnalyzer, _ fingerprint: String) {
        #expect(analyzer.fingerprint == fingerprint, "\(analyzer)")
    }

    @Test(arguments: zip(StopWords.builtIn, ["0"]))
    func stopWordFingerprints_areStored(_ words: StopWords, _ fingerprint: String) {
        #expect(TextAnalyzer.standard.without(words).fingerprint == fingerprint, "\(words.names)")
    }

    @Test func fingerprints_tellRulesApart() {
        func own(_ separator: Character) -> TextAnalyzer {
            TextAnalyzer("own", version: 1) { text, tokens in
                for word in text.split(separator: separator) {
                    tokens.append(String(word), at: word.startIndex..<word.endIndex)
                }
            }
        }
        #expect(own(" ").fingerprint == own(" ").fingerprint)
        #expect(own(" ").fingerprint != own("-").fingerprint)
        let words = TextAnalyzer.standard.without(["thiswordisnotinthetext"]).fingerprint
        #expect(words != TextAnalyzer.standard.fingerprint)
        #expect(words != TextAnalyzer.standard.without(["norisanother"]).fingerprint)
        #expect(words.count == 16 && words.allSatisfy(\.isHexDigit))
    }

    @Test func probe_hasTwelveScripts() {
        let letters = TextAnalyzer.probe.unicodeScalars.map { ScalarProperties(of: $0.value).scalarClass }
        #expect(Set(letters.map(\.rawValue)).count == 14, "each class of scalars occurs")
        #expect(TextAnalyzer.standard.terms(TextAnalyzer.probe).count > 500)
    }
}
