// The words of a query that are looked for in a text.

import LMDB
import TroveText

/// The words and phrases of a query that count, and the analyzer of their index.
struct HighlightedWords {
    let analyzer: TextAnalyzer
    /// The words and phrases, each once.
    private(set) var parts: [Part] = []
    /// The different words.
    private(set) var words: [ScoredWords.Word] = []
    /// The words by their first byte.
    private var byFirstByte = [[Int]](repeating: [], count: 256)

    /// A word or a phrase.
    struct Part {
        /// The places of the words among the different words.
        let words: [Int]
        /// The rule of the phrase; nil for a word that counts wherever it stands.
        let phrase: PhraseMatcher?
        /// The weight in the choice of a window.
        fileprivate(set) var weight: Double
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
        var places: [ScoredWords.Word: Int] = [:]
        var known: [Phrase: Int] = [:]
        for scored in counted {
            let words = scored.words.map { word in
                // The number of records does not make another word.
                let word = ScoredWords.Word(bytes: word.bytes, isPrefix: word.isPrefix, count: 0)
                if let place = places[word] { return place }
                places[word] = places.count
                add(word)
                return places.count - 1
            }
            let phrase = Phrase(
                words: words, offsets: scored.offsets, arrangement: scored.arrangement, atStart: scored.atStart)
            if let place = known[phrase] {
                parts[place].weight += scored.factor
            } else {
                known[phrase] = parts.count
                let matcher = PhraseMatcher(
                    words.map { .word(UInt64($0)) }, offsets: scored.offsets, scored.arrangement,
                    atStart: scored.atStart)
                parts.append(Part(words: words, phrase: scored.isPhrase ? matcher : nil, weight: scored.factor))
            }
        }
    }

    private mutating func add(_ word: ScoredWords.Word) {
        if let first = word.bytes.first { byFirstByte[Int(first)].append(words.count) }
        words.append(word)
    }

    /// Calls a closure with the place of each word that a term of a text is.
    @inline(__always)
    func forEachWord(of term: ByteView, _ body: (Int) -> Void) {
        for place in byFirstByte[Int(term[0])] where words[place].matches(term) { body(place) }
    }
}
