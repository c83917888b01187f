// The fingerprints that indexes store.

import Testing

@testable import TroveText

@Suite struct FingerprintTests {
    /// A changed fingerprint makes all indexes of the analyzer again: the analyzer gets a new version with it.
    @Test func builtInFingerprints_neverChange() {
        let analyzers: [TextAnalyzer] = [
            .standard, .trigrams, .whole, .standard.keepingMarks(), .standard.keepingMarks(on: "åäö"),
            .standard.keepingCase(),
        ]
        let lists = StopWords.builtIn.map { TextAnalyzer.standard.without($0) }
        let expected = [
            "standard/1#80d7806776790f72",
            "trigrams/1#85a9cd422f8b5f22",
            "whole/1#c6f8ac5d545615cd",
            "standard/1+marks#a53e7a6976059992",
            "standard/1+marks(äåö)#9ce02ad775fb48fc",
            "standard/1+case#d8d941fc9d2addcc",
            "standard/1+without-english#2d1e8f00e04070e8",
            "standard/1+without-german#829780c647271673",
            "standard/1+without-french#7e382b8c34e406a9",
            "standard/1+without-spanish#01d544d8135085ee",
            "standard/1+without-italian#193e8f68aa5ebaa8",
            "standard/1+without-portuguese#ca89e7189d12d6f1",
            "standard/1+without-dutch#32a659af1c384e6a",
            "standard/1+without-swedish#8363c55c125bcb6d",
            "standard/1+without-danish#bacb6bd0ce5c363e",
            "standard/1+without-norwegian#04da3ad8b7805a3e",
            "standard/1+without-russian#677d6a7d13e4c783",
            "standard/1+without-arabic#b70f42b21de5ac2f",
            "standard/1+without-armenian#e9846e5b9a67f084",
            "standard/1+without-basque#dbd740dc03bde8b1",
            "standard/1+without-catalan#f8b7918828ad2eb4",
            "standard/1+without-finnish#4bec44cf2f017057",
            "standard/1+without-greek#1f9ea5f56a7f2558",
            "standard/1+without-hindi#270cc2f90f7945ba",
            "standard/1+without-hungarian#e175006a8b47a380",
            "standard/1+without-indonesian#ba6eb7bfe49f1a22",
            "standard/1+without-irish#c5d10904784345cd",
            "standard/1+without-lithuanian#ac99c7aaf71caeaa",
            "standard/1+without-nepali#02ffe4b4cb933045",
            "standard/1+without-romanian#68550b9521602ae2",
            "standard/1+without-serbian#d1fd7132df230d59",
            "standard/1+without-tamil#467c8114f11f004f",
            "standard/1+without-turkish#a30098a173c3963d",
            "standard/1+without-yiddish#9d879e75f30375ae",
        ]
        #expect((analyzers + lists).map(\.definition) == expected)
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
