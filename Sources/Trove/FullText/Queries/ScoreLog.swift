// The scores that a search has found, kept for the hits made of its records.

import LMDB

/// The scores of the last records that a search by relevance has returned, by their keys.
final class ScoreLog: Sendable {
    private let scores = Monitor<[[UInt8]: Double]>([:])

    /// Replaces the scores.
    func replace(with scores: [[UInt8]: Double]) { self.scores.withLock { $0 = scores } }

    /// Returns the score of a record; nil if it is not among the last.
    func score(of key: [UInt8]) -> Double? { scores.withLock { $0[key] } }
}
