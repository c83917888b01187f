// A search: the best hits of a scorer, or all of them.

import TroveCoding

/// A search for the records of a scorer.
struct TextSearch {
    let scorer: any TextScorer
    /// Returns the bytes of a record that decide between equal scores.
    let tie: (UInt64) throws -> [UInt8]

    init(_ scorer: any TextScorer, tie: @escaping (UInt64) throws -> [UInt8]) {
        self.scorer = scorer
        self.tie = tie
    }

    /// Calls a closure with each match, in the order of the record numbers, until it returns false.
    ///
    /// - Parameter scores: Whether the closure needs scores; otherwise they are 0.
    func forEach(scores: Bool, _ body: (TextMatch) throws -> Bool) throws {
        var id = try scorer.seek(1)
        while id != endOfPostings {
            if try scorer.isMatch() {
                let score = scores ? try scorer.score() : 0
                guard try body(TextMatch(score: score, id: id)) else { return }
            }
            id = try scorer.seek(id + 1)
        }
    }

    /// Returns the best hits, the best first.
    ///
    /// - Parameters:
    ///   - limit: The number of hits; at least 1.
    ///   - last: The hit after which to begin; nil for the best hits.
    ///   - passes: Whether windows without such hits are passed over. The hits are the same.
    ///   - accepts: Whether a record may be a hit.
    func best(
        _ limit: Int, after last: TextMatch? = nil, passes: Bool = true, where accepts: (UInt64) throws -> Bool
    ) throws -> [TextMatch] {
        var top = TopHits(limit: limit, tie: tie)
        var window = Window()
        var target: UInt64 = 1
        while true {
            if top.isFull, passes {
                scorer.raise(toScore: top.minimum)
                guard let next = try window.firstWanted(target, scorer, top.minimum) else { break }
                target = next
            }
            let id = try scorer.seek(target)
            if id == endOfPostings { break }
            target = id + 1
            if top.isFull, passes {
                if try !window.mayHave(id, scorer, top.minimum) { continue }
                if try scorer.candidateBound() < top.minimum { continue }
            }
            guard try scorer.isMatch() else { continue }
            let match = TextMatch(score: try scorer.score(), id: id)
            guard match.score >= top.minimum, try isAfter(last, match), try accepts(id) else { continue }
            try top.add(match)
        }
        return try top.sorted()
    }

    /// Returns whether a match comes after a hit in the order of hits.
    private func isAfter(_ last: TextMatch?, _ match: TextMatch) throws -> Bool {
        guard let last else { return true }
        if match.score != last.score { return match.score < last.score }
        return try (last.tie ?? tie(last.id)).lexicographicallyPrecedes(tie(match.id))
    }

    /// The window of records for which a bound holds.
    private struct Window {
        var end: UInt64 = 0
        var bound = 0.0

        mutating func reach(_ target: UInt64, _ scorer: any TextScorer) throws {
            end = try scorer.reach(target)
            bound = scorer.bound
        }

        /// Returns the first record at or after a record whose window may have a hit; nil if there is none.
        mutating func firstWanted(_ target: UInt64, _ scorer: any TextScorer, _ minimum: Double) throws -> UInt64? {
            var target = target
            while true {
                if target > end { try reach(target, scorer) }
                if bound >= minimum { return target }
                if end == endOfPostings { return nil }
                target = end + 1
            }
        }

        /// Returns whether a record's window may have a hit.
        mutating func mayHave(_ id: UInt64, _ scorer: any TextScorer, _ minimum: Double) throws -> Bool {
            if id > end { try reach(id, scorer) }
            return bound >= minimum
        }
    }
}
