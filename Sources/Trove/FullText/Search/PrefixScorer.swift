// The records with any of the words of a common beginning, as if they were a single word.

import TroveCoding

/// The records with any of several words, whose frequencies count together.
final class PrefixScorer: PhrasePart {
    private(set) var id: UInt64 = 0
    private let postings: SummedPostings
    private let words: ScoredWords
    private let fields: ScoredFields
    private let factor: Double
    private let scoring: TextScoring
    private let lengths: TextLengths
    /// The place of the current page among the pages.
    private var page = 0

    init(_ postings: SummedPostings, _ words: ScoredWords, _ lengths: TextLengths) {
        self.postings = postings
        self.words = words
        (fields, factor, scoring) = (words.fields, words.factor, words.scoring)
        self.lengths = lengths
    }

    var cost: UInt64 { postings.count }

    var clause: ScoredClause { .words(words) }

    func seek(_ target: UInt64) throws -> UInt64 {
        guard id < target else { return id }
        let (size, numbers) = (SummedPostings.pageSize, postings.pageNumbers)
        while page < numbers.count {
            let number = numbers[page]
            let start = target <= number * size ? 0 : Int(min(target - number * size, size))
            if let place = postings.first(inPage: number, from: start) {
                id = number * size + UInt64(place)
                return id
            }
            page += 1
        }
        id = endOfPostings
        return id
    }

    func score() throws -> Double {
        let sum = try fields.sum { try frequency(of: $0) }
        return factor * scoring.saturation(sum, length: try lengths.length(of: id))
    }

    func reach(_ target: UInt64) throws -> UInt64 { endOfPostings }

    var bound: Double {
        guard id != endOfPostings else { return 0 }
        return factor * scoring.saturationBound(fields.sum { frequencyBound(of: $0) }, leastLength: 0)
    }

    // MARK: In a phrase

    func frequency(of field: Int) throws -> Double {
        postings.fields.firstIndex(of: field).map { Double(postings.frequency(of: id, at: $0)) } ?? 0
    }

    func frequencyBound(of field: Int) -> Double {
        postings.fields.firstIndex(of: field).map { Double(postings.greatest[$0]) } ?? 0
    }

    var leastLength: UInt64 { 0 }
}
