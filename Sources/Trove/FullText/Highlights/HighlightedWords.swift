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
    /// Whether a word begins with a byte.
    private let firstBytes: [Bool]

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

    /// What makes two phrases equal.
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
        var firstBytes = [Bool](repeating: words.contains(where: \.mayBeginDifferently), count: 256)
        for word in words { if let first = word.bytes.first { firstBytes[Int(first)] = true } }
        self.firstBytes = firstBytes
    }

    /// Returns whether any of the words begins with the first byte of a term: almost no term of a text does.
    @inline(__always)
    func mayHave(_ term: ByteView) -> Bool { firstBytes[Int(term[0])] }

    /// Calls a closure with the place of each word that a term of a text is.
    func forEachWord(of term: ByteView, _ body: (Int) -> Void) {
        for place in words.indices where words[place].matches(term) { body(place) }
    }
}
