// The records with a word.

import LMDB
import TroveCoding

/// The fields to look into, and their weights.
struct ScoredFields: Sendable {
    /// The numbers of the fields, ascending.
    let fields: [Int]
    let weights: [Double]

    init(_ fields: [Int], _ parameters: BM25) {
        self.fields = fields
        weights = fields.map { parameters.weights[$0] }
    }

    /// Returns the sum of weighted frequencies.
    ///
    /// - Parameter frequency: Returns the frequency of a field.
    @inline(__always)
    func sum(_ frequency: (_ field: Int) throws -> Double) rethrows -> Double {
        var sum = 0.0
        for index in fields.indices where weights[index] > 0 { sum += weights[index] * (try frequency(fields[index])) }
        return sum
    }

    /// Returns the sum of weighted bounds, of which 255 means any frequency.
    func sumOfBounds(_ bound: (_ field: Int) -> UInt8) -> Double {
        sum { field in
            let bound = bound(field)
            return bound == .max ? .infinity : Double(bound)
        }
    }
}

/// The records with a word in some fields.
final class WordScorer: TextScorer {
    private(set) var id: UInt64 = 0
    let cursor: PostingCursor
    /// Whether each posting counts: all fields are looked into.
    private let takesAll: Bool
    private let words: ScoredWords
    private let fields: ScoredFields
    private let factor: Double
    private let scoring: TextScoring
    private let lengths: TextLengths
    private var scored: (id: UInt64, score: Double) = (0, 0)

    init(_ cursor: PostingCursor, _ words: ScoredWords, of fieldCount: Int, _ lengths: TextLengths) {
        self.cursor = cursor
        self.words = words
        (fields, factor, scoring) = (words.fields, words.factor, words.scoring)
        self.lengths = lengths
        takesAll = fields.fields.count == fieldCount
    }

    var cost: UInt64 { cursor.counts.all }

    var clause: ScoredClause { .words(words) }

    func seek(_ target: UInt64) throws -> UInt64 {
        guard id < target else { return id }
        id = try cursor.seek(target)
        if takesAll { return id }
        while id != endOfPostings, try !isInFields() { id = try cursor.next() }
        return id
    }

    private func isInFields() throws -> Bool {
        for field in fields.fields where try cursor.frequency(of: field) > 0 { return true }
        return false
    }

    func score() throws -> Double {
        if scored.id == id { return scored.score }
        let frequency = try fields.sum { Double(try cursor.frequency(of: $0)) }
        scored = (id, factor * scoring.saturation(frequency, length: try lengths.length(of: id)))
        return scored.score
    }

    func reach(_ target: UInt64) throws -> UInt64 { try cursor.reach(target) }

    var bound: Double {
        if id == endOfPostings { return 0 }
        let frequency = fields.sumOfBounds { cursor.greatestFrequency(of: $0) }
        let length = LengthClass.leastLength(of: cursor.leastLengthClass)
        return factor * scoring.saturation(frequency, length: length)
    }
}
