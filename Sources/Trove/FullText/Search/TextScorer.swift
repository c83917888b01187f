// The parts of a running text query. Each finds its records in the order of their numbers, and scores them.
//
//     seek       moves to the next candidate; a candidate may turn out to be no match
//     isMatch    whether the candidate matches: it may read more, such as the words of the record in their order
//     score      of a match
//     reach      moves to a window of records, without unpacking their postings; `bound` holds for the window
//
// A search for the best hits passes windows whose bound is less than the score of its worst hit. Sums are made in the
// order of the clauses, so that results are the same with and without this shortcut.

import LMDB
import TroveCoding

/// A part of a running text query. It never moves back.
protocol TextScorer: AnyObject {
    /// The current candidate; 0 before the first seek, ``PostingCursor/end`` after the last candidate.
    var id: UInt64 { get }
    /// A bound of the number of candidates.
    var cost: UInt64 { get }

    /// The part as a value, which scores texts in memory.
    var clause: ScoredClause { get }

    /// Moves to the first candidate with at least a number. Returns it.
    func seek(_ target: UInt64) throws -> UInt64

    /// Returns whether the current candidate matches.
    func isMatch() throws -> Bool

    /// Returns the score of the current match.
    func score() throws -> Double

    /// Moves to a window that begins with a record, not before the current candidate. Returns the window's last record.
    func reach(_ target: UInt64) throws -> UInt64

    /// A bound of the scores in the window.
    var bound: Double { get }

    /// Returns a bound of the score of the current candidate.
    func candidateBound() throws -> Double

    /// Notes that candidates with a lower score need not be found.
    func raise(toScore minimum: Double)
}

extension TextScorer {
    var clause: ScoredClause { .everything }
    func isMatch() throws -> Bool { true }
    func candidateBound() throws -> Double { try score() }
    func raise(toScore minimum: Double) {}
}

/// The end of all candidates.
let endOfPostings = PostingCursor.end
