// A search: the greatest scores of a scorer, or all of its matches.

import TroveCoding

/// A hit of a search.
struct TextMatch: Hashable, Sendable {
    var score: Double
    /// The number of the record.
    var id: UInt64
    /// The bytes that decide between equal scores, if they were needed.
    var tie: [UInt8]?
}

/// A search for the records of a scorer. A scorer never moves back, so it serves a single search.
struct TextSearch {
    let scorer: any TextScorer

    init(_ scorer: any TextScorer) { self.scorer = scorer }

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

    /// The scores at which a search begins.
    struct Start {
        /// No hit has a greater score.
        var score: Double
        /// Whether hits may have the score.
        var isIncluded: Bool
    }

    /// The hits with the greatest scores.
    struct Best {
        /// The hits, the greatest scores first, and equal scores in the order of their numbers. All records with these
        /// scores are among them.
        var hits: [TextMatch] = []
        /// The next lower score, if too many records have it to be among the hits.
        var openScore: Double?
        /// Whether no other record matches.
        var isComplete = false
        /// The number of candidates that were visited.
        var visitedCount: UInt64 = 0
    }

    /// Returns the hits with the greatest scores: as many as a limit, and the others with the least of these scores.
    ///
    /// - Parameters:
    ///   - limit: The number of hits; at least 1.
    ///   - start: The scores at which to begin; nil for the greatest.
    ///   - tieLimit: The number of records with equal scores beside the limit. More of them are not listed.
    func best(_ limit: Int, from start: Start? = nil, tieLimit: Int) throws -> Best {
        var top = TopScores(limit: limit, tieLimit: tieLimit)
        var candidates = Candidates(scorer)
        var atStart: [TextMatch] = []
        while let match = try candidates.next(top.wanted) {
            guard let start, match.score >= start.score else {
                top.add(match)
                continue
            }
            guard start.isIncluded, match.score == start.score else { continue }
            atStart.append(match)
            if atStart.count > tieLimit { return Best(openScore: start.score, visitedCount: candidates.visitedCount) }
        }
        let (hits, openScore) = top.sorted()
        return Best(
            hits: atStart + hits, openScore: openScore, isComplete: !top.isFull, visitedCount: candidates.visitedCount)
    }

    /// Returns the numbers of all records with a score, ascending.
    func numbers(withScore score: Double) throws -> [UInt64] {
        var candidates = Candidates(scorer)
        var ids: [UInt64] = []
        let wanted = WantedScores(minimum: score, isMinimumWanted: true)
        while let match = try candidates.next(wanted) { if match.score == score { ids.append(match.id) } }
        return ids
    }
}

/// The scores that a search still needs.
struct WantedScores {
    var minimum: Double
    var isMinimumWanted: Bool

    /// Returns whether a score, or a score up to a bound, is needed.
    @inline(__always)
    func mayHave(_ bound: Double) -> Bool { isMinimumWanted ? bound >= minimum : bound > minimum }
}

/// The matches of a scorer in the order of their numbers, without matches whose bounds are too low.
private struct Candidates {
    private let scorer: any TextScorer
    private var target: UInt64 = 1
    /// The last record for which the bound of the window holds, and the bound.
    private var windowEnd: UInt64 = 0
    private var windowBound = 0.0
    private(set) var visitedCount: UInt64 = 0

    init(_ scorer: any TextScorer) { self.scorer = scorer }

    /// Returns the next match; nil at the end.
    ///
    /// - Parameter wanted: The scores to look for; nil for all.
    mutating func next(_ wanted: WantedScores?) throws -> TextMatch? {
        while true {
            if let wanted {
                scorer.raise(toScore: wanted.minimum)
                guard try moveToWindow(with: wanted) else { return nil }
            }
            let id = try scorer.seek(target)
            if id == endOfPostings { return nil }
            target = id + 1
            visitedCount += 1
            if let wanted {
                if id > windowEnd { try reach(id) }
                guard wanted.mayHave(windowBound), try wanted.mayHave(scorer.candidateBound()) else { continue }
            }
            if try scorer.isMatch() { return TextMatch(score: try scorer.score(), id: id) }
        }
    }

    /// Moves the target to a window that may have a wanted score. Returns false if there is none.
    private mutating func moveToWindow(with wanted: WantedScores) throws -> Bool {
        while true {
            if target > windowEnd { try reach(target) }
            if wanted.mayHave(windowBound) { return true }
            if windowEnd == endOfPostings { return false }
            target = windowEnd + 1
        }
    }

    private mutating func reach(_ id: UInt64) throws {
        windowEnd = try scorer.reach(id)
        windowBound = scorer.bound
    }
}
