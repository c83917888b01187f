// The fingerprints of the analyzers of languages, with the algorithms of libstemmer 2.2.

import Testing

@testable import TroveStemming
@testable import TroveText

@Suite struct StemmingFingerprintTests {
    /// Another version of libstemmer may have other algorithms: its indexes are made again, and these fingerprints are
    /// those of another version of the library.
    @Test func fingerprints_areThoseOfTheLibrary() {
        let expected: [String] = []
        let analyzers = SnowballStemmer.languages.map {
            TextAnalyzer.standard.stemmed(by: SnowballStemmer(orUnchanged: $0))
        }
        #expect(analyzers.map(\.definition) == expected)
        #expect(Set(analyzers.map(\.fingerprint)).count == analyzers.count)
    }

    /// The words of a stemmer's probe: each has another stem than another word of its language would need.
    @Test func probes_haveManyEndings() {
        for language in SnowballStemmer.languages {
            let stemmer = SnowballStemmer(orUnchanged: language)
            let words = stemmer.probe.split(separator: " ").map(String.init)
            let changed = words.filter { stemmer.stem($0) != $0 }
            #expect(changed.count * 2 >= words.count, "\(language): \(changed)")
            #expect(Set(words.map(stemmer.stem)).count > words.count / 4, "\(language)")
        }
    }
}
