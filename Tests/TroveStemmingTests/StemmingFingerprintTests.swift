// The fingerprints of the analyzers of languages, with the algorithms of libstemmer 2.2.

import Testing

@testable import TroveStemming
@testable import TroveText

@Suite struct StemmingFingerprintTests {
    /// Another version of libstemmer may have other algorithms: its indexes are made again, and these fingerprints are
    /// those of another version of the library.
    @Test func fingerprints_areThoseOfTheLibrary() {
        let expected: [String] = [
            "standard/1+snowball-arabic#2747c4f2b73e50fe",
            "standard/1+snowball-armenian#896e7d569e570c7a",
            "standard/1+snowball-basque#2cb75cc488779356",
            "standard/1+snowball-catalan#338ab96def2d929c",
            "standard/1+snowball-danish#d6603857ede81294",
            "standard/1+snowball-dutch#d175a02ff26a179f",
            "standard/1+snowball-english#8538459c7fc3a2bc",
            "standard/1+snowball-finnish#74fbb17006ac50f3",
            "standard/1+snowball-french#d97cfbe4a4657a28",
            "standard/1+snowball-german#9999bbbed28dc398",
            "standard/1+snowball-greek#dc0ad5e60099e3c4",
            "standard/1+snowball-hindi#21502784c926e96c",
            "standard/1+snowball-hungarian#eb973434f21f903e",
            "standard/1+snowball-indonesian#6938bc22eff5d172",
            "standard/1+snowball-irish#dd2d2598563f8737",
            "standard/1+snowball-italian#e407defe13a50748",
            "standard/1+snowball-lithuanian#eb8ba1a8ee7d636a",
            "standard/1+snowball-nepali#1a844629ed212109",
            "standard/1+snowball-norwegian#625a993e142df4e5",
            "standard/1+snowball-porter#330ef5bb1a413229",
            "standard/1+snowball-portuguese#e0ae23be4f9cc8fc",
            "standard/1+snowball-romanian#39644bf9a8838a52",
            "standard/1+snowball-russian#30424d9110b09f3c",
            "standard/1+snowball-serbian#08f70ee5ef97b599",
            "standard/1+snowball-spanish#c236b692e498e3af",
            "standard/1+snowball-swedish#c6575fa72744e71d",
            "standard/1+snowball-tamil#8537b9ccc5c22dfe",
            "standard/1+snowball-turkish#ed344090879285cf",
            "standard/1+snowball-yiddish#bb2ddccb0f5b6126",
        ]
        let analyzers = SnowballStemmer.languages.map {
            TextAnalyzer.standard.stemmed(by: SnowballStemmer(orUnchanged: $0))
        }
        #expect(analyzers.map(\.definition) == expected)
        #expect(Set(analyzers.map(\.fingerprint)).count == analyzers.count)
    }

    /// The algorithms of languages that a newer library adds are noticed by the words of the others.
    @Test func languagesWithoutWords_haveThoseOfAll() throws {
        let words = Set(SnowballStemmer(orUnchanged: "klingon").probe.split(separator: " "))
        for language in SnowballStemmer.languages {
            let own = SnowballStemmer(orUnchanged: language).probe.split(separator: " ")
            #expect(words.isSuperset(of: own), "\(language)")
        }
    }

    /// The words of a stemmer's probe: each has another stem than another word of its language would need.
    @Test func probes_haveManyEndings() {
        for language in SnowballStemmer.languages {
            let stemmer = SnowballStemmer(orUnchanged: language)
            let words = stemmer.probe.split(separator: " ").map(String.init)
            let changed = words.filter { stemmer.stem($0) != $0 }
            #expect(changed.count * 4 >= words.count, "\(language): \(changed)")
            #expect(Set(words.map(stemmer.stem)).count > words.count / 4, "\(language)")
        }
    }
}
