// The hits of a query in their order: the greatest scores first, and equal scores by a tie order.
//
//     search           the hits with the greatest scores: as many as are wanted first, then four times as many
//     └ TieGroup       the hits with one of these scores, in their order
//
// The next search begins below the scores of the last. Once searches have visited half as many candidates as a search
// for all hits does, the next search is for all. So a filter that leaves out most hits costs two searches at most.

/// The hits of a query, in their order.
final class RankedHits {
    private static let leastPage = 16
    private static let greatestPage = 16_384

    private let order: TieOrder
    /// Returns a new scorer; nil if no record matches.
    private let scorer: () throws -> (any TextScorer)?
    /// The hit after which to begin; nil for the first hit.
    private let start: TextMatch?
    /// The scores at which the next search begins; nil for the greatest.
    private var next: TextSearch.Start?
    private var page: Int
    private var visitedCount: UInt64 = 0
    /// Found hits, in the order of their scores.
    private var hits: ArraySlice<TextMatch> = []
    /// The score after the found hits, if many records have it.
    private var openScore: Double?
    /// The hits with the current score.
    private var group: TieGroup?
    private var isComplete = false

    /// - Parameters:
    ///   - wanted: The number of hits to find first; nil for all.
    ///   - start: The hit after which to begin, with its tie; nil for the first hit.
    init(
        _ wanted: Int?, after start: TextMatch? = nil, _ order: TieOrder,
        scorer: @escaping () throws -> (any TextScorer)?
    ) {
        self.order = order
        self.scorer = scorer
        self.start = start
        next = start.map { TextSearch.Start(score: $0.score, isIncluded: true) }
        page = max(Self.leastPage, wanted ?? .max)
    }

    /// Returns the next hit; nil after the last.
    func popFirst() throws -> TextMatch? {
        while true {
            if let hit = try group?.next() { return hit }
            group = nil
            if let first = hits.first {
                let end = hits.firstIndex { $0.score != first.score } ?? hits.endIndex
                if end == hits.startIndex + 1, first.score != start?.score { return hits.removeFirst() }
                group = try makeGroup(of: first.score, hits[..<end].map(\.id))
                hits = hits[end...]
            } else if let score = openScore {
                openScore = nil
                group = try makeGroup(of: score, nil)
            } else if isComplete {
                return nil
            } else {
                try search()
            }
        }
    }

    /// Returns the next hits, up to a limit.
    func popFirst(_ limit: Int) throws -> [TextMatch] {
        var found: [TextMatch] = []
        while found.count < limit, let hit = try popFirst() { found.append(hit) }
        return found
    }

    private func makeGroup(of score: Double, _ ids: [UInt64]?) throws -> TieGroup {
        try TieGroup(
            score: score, ids: ids, after: score == start?.score ? start?.tie : nil, order: order, scorer: scorer)
    }

    private func search() throws {
        guard let scorer = try scorer() else { return isComplete = true }
        let isLast = page > Self.greatestPage || visitedCount >= max(1, scorer.cost / 2)
        let best = try TextSearch(scorer).best(isLast ? .max : page, from: next, tieLimit: order.sortedLimit)
        visitedCount += best.visitedCount
        page = isLast ? .max : 4 * page
        (hits, openScore, isComplete) = (best.hits[...], best.openScore, best.isComplete)
        if let score = best.openScore ?? best.hits.last?.score {
            next = TextSearch.Start(score: score, isIncluded: false)
        }
    }
}
