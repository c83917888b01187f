// The order of a query by relevance, as a source of keys.
//
// The text filters that each match must pass are walked: the best hits first. If there are none, as in
// `matches or year == 3`, another plan finds the matches, and they are sorted by their scores.

import LMDB
import TroveCoding

/// The order of a query's matches by relevance.
final class RelevanceSource<Record: IndexKeyRecord>: ScoreSource {
    let order: RelevanceOrder
    /// The texts that add to scores; nil if all scores are 0.
    let texts: ScoreTree?
    /// The positions of the filters that all records with a score pass.
    let places: Set<Int>
    /// The record after which the page begins.
    let start: Query<Record>.Continuation?
    /// The number of matches needed; nil for all.
    let wanted: Int?
    /// Whether other filters may leave out hits, so that more of them are needed.
    let hasOtherFilters: Bool
    let log: ScoreLog?
    /// The source in the last context of its run: each run of a query makes a source of its own.
    private let run = Monitor<OpenRelevance<Record>?>(nil)

    /// - Parameter filters: The parts of the query's normalized filter that must all match.
    init(_ query: Query<Record>, _ order: RelevanceOrder, _ filters: [FilterTree]) {
        self.order = order
        places = Set(filters.indices.filter { filters[$0].isOfTexts })
        hasOtherFilters = places.count < filters.count
        texts = ScoreTree(all: filters)
        start = query.continuation
        wanted = query.limit.map { $0 < .max - query.offset ? $0 + query.offset : .max }
        log = query.scoreLog as? ScoreLog
    }

    /// Whether a walk over the source finds all matches: the matches of the filter have scores.
    var listsMatches: Bool { !places.isEmpty }

    var plan: String { order.text }
    var swift: String { order.swift }
    var share: Double { 0.1 }

    func check() throws {
        try order.check()
        let searched = try (texts?.texts ?? []).map { try $0.declaredIndex() }
        if !searched.isEmpty { try Record.schema.checkTexts(order.weights.keys, in: searched) }
    }

    func open(in context: ReadContext) throws -> any OpenKeySource {
        if let known = run.withLock({ $0 }), known.context === context { return known }
        let open = try OpenRelevance(self, context)
        run.withLock { $0 = open }
        return open
    }
}
