// The words of a query that are looked for in a text.

import LMDB
import TroveText

/// The words and phrases of a query that count, and the analyzer of their index.
final class HighlightedWords {
    let analyzer: TextAnalyzer
    /// The words and phrases, each once.
    let parts: [Part]
    /// The different words.
    let words: [ScoredWords.Word]
    /// The sizes of the words that are the single sign of a beginning; 0 for others.
    let signSizes: [Int]
    /// The places of the words that may have a term, by the term's first byte.
    private let placesByFirstByte: [[Int]]

    /// A word or a phrase.
    struct Part {
        /// The places of the words among the different words.
        let words: [Int]
        /// The rule of the phrase; nil for a word, which counts in all of its places.
        let phrase: PhraseMatcher?
        /// The weight in the choice of a window.
        fileprivate(set) var weight: Double

        fileprivate init(_ words: [Int], _ scored: ScoredWords) {
            self.words = words
            phrase =
                scored.isPhrase
                ? PhraseMatcher(
                    words.map { .word(UInt64($0)) }, offsets: scored.offsets, scored.arrangement,
                    atStart: scored.atStart) : nil
            weight = scored.factor
        }
    }

    /// The parts of a phrase by which two phrases are equal.
    private struct Phrase: Hashable {
        let words: [Int]
        let offsets: [Int]
        let arrangement: PhraseMatcher.Arrangement
        let atStart: Bool
    }

    init(_ analyzer: TextAnalyzer, _ counted: [ScoredWords]) {
        self.analyzer = analyzer
        var (words, parts): ([ScoredWords.Word], [Part]) = ([], [])
        var places: [ScoredWords.Word: Int] = [:]
        var known: [Phrase: Int] = [:]
        for scored in counted {
            let numbers = scored.words.map { word in
                // The number of records does not make another word.
                let word = ScoredWords.Word(bytes: word.bytes, form: word.form, count: 0)
                if let place = places[word] { return place }
                places[word] = words.count
                words.append(word)
                return words.count - 1
            }
            let phrase = Phrase(
                words: numbers, offsets: scored.offsets, arrangement: scored.arrangement, atStart: scored.atStart)
            if let place = known[phrase] {
                parts[place].weight += scored.factor
                continue
            }
            known[phrase] = parts.count
            parts.append(Part(numbers, scored))
        }
        (self.words, self.parts) = (words, parts)
        signSizes = words.map { word in
            word.form == .prefix && String(decoding: word.bytes, as: UTF8.self).count == 1 ? word.bytes.count : 0
        }
        var byFirstByte = [[Int]](repeating: [], count: 256)
        for (place, word) in words.enumerated() {
            if word.mayBeginDifferently {
                for byte in byFirstByte.indices { byFirstByte[byte].append(place) }
            } else if let first = word.bytes.first {
                byFirstByte[Int(first)].append(place)
            }
        }
        placesByFirstByte = byFirstByte
    }

    /// Returns whether any of the words may have a term: almost no term of a text does.
    @inline(__always)
    func mayHave(_ term: ByteView) -> Bool { !placesByFirstByte[Int(term[0])].isEmpty }

    /// Calls a closure with the place of each word that a term of a text is.
    @inline(__always)
    func forEachWord(of term: ByteView, _ body: (Int) -> Void) {
        for place in placesByFirstByte[Int(term[0])] where words[place].matches(term) { body(place) }
    }
}
