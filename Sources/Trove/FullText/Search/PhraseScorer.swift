// The records with a phrase. Its words lead to candidates, which are searched for the phrase: their documents or, for a
// part of a text, the texts themselves.

import LMDB
import TroveCoding

/// The words of a phrase, as the scorers of their records.
protocol PhrasePart: TextScorer {
    /// Returns the number of occurrences in a field of the current record.
    func frequency(of field: Int) throws -> Double

    /// A bound of the frequencies in a field within the window; infinity for no bound.
    func frequencyBound(of field: Int) -> Double

    /// The least length of a record in the window.
    var leastLength: UInt64 { get }
}

/// The records with a phrase in some fields.
final class PhraseScorer: TextScorer {
    private let matcher: PhraseMatcher
    private let occurrences: any PhraseOccurrences
    private let parts: [any PhrasePart]
    private let all: AllScorer
    private let words: ScoredWords
    private let fields: ScoredFields
    private let factor: Double
    private let scoring: TextScoring
    private let lengths: TextLengths
    /// The last record whose document was searched, and its occurrences.
    private var searched: (id: UInt64, frequency: Double, isMatch: Bool) = (0, 0, false)

    /// - Parameters:
    ///   - occurrences: The occurrences of the phrase in records.
    ///   - parts: The records of the matcher's words, in its order.
    ///   - words: The phrase.
    init(
        _ matcher: PhraseMatcher, occurrences: any PhraseOccurrences, parts: [any PhrasePart], words: ScoredWords,
        lengths: TextLengths
    ) {
        self.matcher = matcher
        self.occurrences = occurrences
        self.parts = parts
        self.words = words
        (fields, factor, scoring) = (words.fields, words.factor, words.scoring)
        self.lengths = lengths
        all = AllScorer(parts)
    }

    var id: UInt64 { all.id }
    var cost: UInt64 { all.cost }

    var clause: ScoredClause { .words(words) }

    func seek(_ target: UInt64) throws -> UInt64 { try all.seek(target) }

    func isMatch() throws -> Bool {
        if searched.id != id { try search() }
        return searched.isMatch
    }

    private func search() throws {
        var sum = 0.0
        var isMatch = false
        try occurrences.forEachCount(in: id, fields.fields) { index, count in
            isMatch = isMatch || count > 0
            sum += fields.weights[index] * Double(count)
        }
        searched = (id, sum, isMatch)
    }

    func score() throws -> Double {
        guard try isMatch() else { return 0 }
        return factor * scoring.saturation(searched.frequency, length: try lengths.length(of: id))
    }

    // MARK: Bounds

    func reach(_ target: UInt64) throws -> UInt64 { try all.reach(target) }

    var bound: Double {
        let frequency = fields.sum { field in matcher.countBound { parts[$0].frequencyBound(of: field) } }
        let leastLength = parts.reduce(0) { max($0, $1.leastLength) }
        return factor * scoring.saturation(frequency, length: leastLength)
    }

    func candidateBound() throws -> Double {
        let frequency = try fields.sum { field in try matcher.countBound { try parts[$0].frequency(of: field) } }
        return factor * scoring.saturation(frequency, length: try lengths.length(of: id))
    }
}

extension WordScorer: PhrasePart {
    func frequency(of field: Int) throws -> Double { Double(try cursor.frequency(of: field)) }

    func frequencyBound(of field: Int) -> Double {
        let bound = cursor.greatestFrequency(of: field)
        return bound == .max ? .infinity : Double(bound)
    }

    var leastLength: UInt64 { LengthClass.leastLength(of: cursor.leastLengthClass) }
}
