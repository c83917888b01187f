// The words that are suggested in place of terms.
//
//     typed     term    words of the texts     suggested
//     horsse    hors    horse, horses          horse
//
// A suggestion is a query, whose words become terms again. The stem of a stem is often another: the stem of *horse* is
// *hors*, and the stem of *hors* is *hor*. So a suggestion has a word of the texts, which has the term.

import LMDB
import TroveCoding
import TroveText

/// The words that are suggested in place of terms of an index. Each is looked for once.
struct TermSpellings {
    /// The number of records whose texts are read for a term.
    private static let recordLimit = 16
    /// The greatest number of edits that differs from all greater ones.
    private static let editLimit = 16

    private let analyzer: TextAnalyzer
    private let vocabulary: Vocabulary
    private var spellings: [Place: String?] = [:]

    /// A term in place of a typed word.
    private struct Place: Hashable {
        var number: UInt64
        var typed: [UInt8]
    }

    init(_ analyzer: TextAnalyzer, _ vocabulary: Vocabulary) {
        self.analyzer = analyzer
        self.vocabulary = vocabulary
    }

    /// Returns the word that is nearest to a typed word among the words with a term; nil if there is none.
    ///
    /// - Parameter typed: The folded typed word.
    mutating func spelling(of term: FuzzyWord, typed: [UInt8]) throws -> String? {
        guard analyzer.reducesWords else { return String(decoding: term.word, as: UTF8.self) }
        let place = Place(number: term.number, typed: typed)
        if let known = spellings[place] { return known }
        let word = try nearestWord(of: term, to: typed) ?? ownWord(of: term)
        let spelling = word.map { String(decoding: $0, as: UTF8.self) }
        spellings[place] = .some(spelling)
        return spelling
    }

    /// Returns a term that is a word with the same term; nil for another term.
    private func ownWord(of term: FuzzyWord) -> [UInt8]? {
        analyzer.isWord(term.word, withTerm: term.word) ? term.word : nil
    }

    /// Returns the word with the fewest edits of a typed word, among the words of the first records with a term; of
    /// several, the first. Nil if the index does not have the texts of its records.
    private func nearestWord(of term: FuzzyWord, to typed: [UInt8]) throws -> [UInt8]? {
        guard let texts = vocabulary.texts, let postings = try vocabulary.text.postings(of: term.number) else {
            return nil
        }
        let letters = FuzzyPattern.Form.letters(of: typed)
        var nearest: (word: [UInt8], edits: Int)?
        for _ in 0..<Self.recordLimit {
            // A word an edit away is near enough.
            if let nearest, nearest.edits <= 1 { break }
            guard try postings.next() != endOfPostings else { break }
            try texts.withTexts(postings.id) { columns in
                forEachText(columns) { text in
                    for word in text.withSpan({ analyzer.words(withTerm: term.word, in: $0) }) {
                        let edits = Self.edits(from: letters, to: word)
                        if let known = nearest, known.edits <= edits { continue }
                        nearest = (word, edits)
                    }
                }
            }
        }
        return nearest?.word
    }

    /// Calls a closure with each text of a record.
    private func forEachText(_ columns: ByteView, _ body: (ByteView) -> Void) {
        var offset = 0
        for _ in 0..<vocabulary.text.fields { TextColumn.forEachText(columns, from: &offset, body) }
    }

    /// Returns the number of edits between a word and another, or a greater number than the limit.
    private static func edits(from letters: [UInt32], to word: [UInt8]) -> Int {
        var table = EditTable(letters, edits: editLimit)
        for letter in FuzzyPattern.Form.letters(of: word) {
            guard table.append(letter) else { return editLimit + 1 }
        }
        return table.distance ?? editLimit + 1
    }
}
