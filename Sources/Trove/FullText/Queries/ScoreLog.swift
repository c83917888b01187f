// The scores that a search has found, kept for the hits of its records.

import LMDB

/// The query as a search by relevance has run it, and the scores of the last records that it has returned.
final class ScoreLog: Sendable {
    private struct State {
        var scores: [[UInt8]: Double] = [:]
        var clause: ScoredClause?
    }

    private let state = Monitor(State())

    /// The query; nil if no search has run.
    var clause: ScoredClause? {
        get { state.withLock { $0.clause } }
        set { state.withLock { $0.clause = newValue } }
    }

    /// Replaces the scores, by the keys of the records.
    func replace(with scores: [[UInt8]: Double]) { state.withLock { $0.scores = scores } }

    /// Returns the score of a record; nil if it is not among the last.
    func score(of key: [UInt8]) -> Double? { state.withLock { $0.scores[key] } }
}
