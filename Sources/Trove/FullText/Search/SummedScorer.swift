// The records with any of several words, such as words with a common beginning, as if they were a single word.

import TroveCoding

/// The records with any of several words, whose frequencies count together.
final class SummedScorer: PhrasePart {
    private(set) var id: UInt64 = 0
    private let postings: SummedPostings
    private let words: ScoredWords
    private let fields: ScoredFields
    private let lengths: TextLengths
    private var scored: (id: UInt64, score: Double) = (0, 0)

    init(_ postings: SummedPostings, _ words: ScoredWords, _ lengths: TextLengths) {
        self.postings = postings
        self.words = words
        fields = words.fields
        self.lengths = lengths
    }

    var cost: UInt64 { postings.count }

    var clause: ScoredClause { .words(words) }

    func seek(_ target: UInt64) throws -> UInt64 {
        guard id < target else { return id }
        id = target == endOfPostings ? target : postings.first(from: target) ?? endOfPostings
        return id
    }

    func score() throws -> Double {
        if scored.id == id { return scored.score }
        let sum = try fields.sum { try frequency(of: $0) }
        scored = (id, words.score(sum, length: try lengths.length(of: id)))
        return scored.score
    }

    /// The length of the record is not read for a bound.
    func candidateBound() throws -> Double {
        scored.id == id ? scored.score : words.bound(try fields.sum { try frequency(of: $0) }, leastLength: leastLength)
    }

    func reach(_ target: UInt64) throws -> UInt64 { endOfPostings }

    var bound: Double {
        id == endOfPostings ? 0 : words.bound(fields.sum { frequencyBound(of: $0) }, leastLength: leastLength)
    }

    // MARK: In a phrase

    func frequency(of field: Int) throws -> Double {
        postings.fields.firstIndex(of: field).map { Double(postings.frequency(of: id, at: $0)) } ?? 0
    }

    func frequencyBound(of field: Int) -> Double {
        postings.fields.firstIndex(of: field).map { Double(postings.greatest[$0]) } ?? 0
    }

    var leastLength: UInt64 { LengthClass.leastLength(of: postings.leastLengthClass) }
}
