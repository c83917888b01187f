// Chooses between the plan of a query and the candidates of its string filters by an index of trigrams.
//
// A scan of the records tests each of them. The candidates are found by reading postings, sorted by key, looked up and
// tested. So both return the records in the same order, and a page may begin where a page of the other plan ended.

import LMDB
import TroveCoding

extension Planner {
    /// Returns the walks over candidates by the indexes of trigrams.
    ///
    /// - Parameter isOrderedBySource: Whether a source orders the result.
    func trigramWalks(
        _ schema: RecordSchema, _ table: RecordTable, _ context: ReadContext, _ isOrderedBySource: Bool
    ) throws -> [SourceWalk] {
        guard hasPatterns else { return [] }
        return try schema.trigramPaths.compactMap { path in
            guard table.indexes.indices.contains(path.place), table.indexes[path.place].isReady, hasAll(path),
                let filter = TrigramFilter(all: filters, path), filter.patternCount <= TrigramFilter.patternLimit
            else { return nil }
            let source = TrigramSource(schema, path, filter)
            let open = try source.open(in: context)
            let order: SourceScan.Order? = isOrderedBySource ? .any : candidateOrder(schema)
            return SourceWalk(plan: plan(over: source, open, order, at: [], schema), open: open)
        }
    }

    /// Returns whether an index of trigrams has each matching record.
    private func hasAll(_ path: TrigramPath) -> Bool {
        guard let condition = path.condition else { return true }
        return condition.filters?.allSatisfy { Self.implies(filters, $0) } ?? false
    }

    /// Returns the order in which candidates are looked up, the order of a scan of the records; nil if the result must
    /// be sorted.
    private func candidateOrder(_ schema: RecordSchema) -> SourceScan.Order? {
        switch scanOrder(over: schema.candidates[0]) {
        case .ascending?: .keys(isDescending: false)
        case .descending?: .keys(isDescending: true)
        case .groups?, .ties?, nil: nil
        }
    }
}

extension Query {
    /// Returns the plan over the candidates by an index of trigrams, if it costs less than another plan.
    ///
    /// The pages of a query without `sorted` have the order of their access path. Candidates have the order of the
    /// keys, so they can replace a scan of the records alone.
    ///
    /// - Parameter plan: A plan over access paths.
    func plan(
        byTrigramsOr plan: QueryPlan, _ planner: Planner, _ table: RecordTable, _ context: ReadContext,
        _ need: QueryNeed
    ) throws -> QueryPlan {
        guard !plan.isExact, !plan.isSingle else { return plan }
        var model = choice(planner, table, context, need)
        guard model.counts || plan.path.kind == .records else { return plan }
        model.counts = true
        return try translatingErrors {
            let walks = try planner.trigramWalks(Record.schema, table, context, false)
            return walks.isEmpty ? plan : try model.best(of: plan, or: walks)
        }
    }
}

extension CostModel {
    /// The cost of a candidate of the rarest trigram.
    private static let seekCost = 0.1

    /// Returns the plan with the least cost: a scan of an access path, or a walk over candidates.
    fileprivate func best(of plan: QueryPlan, or walks: [SourceWalk]) throws -> QueryPlan {
        let total = try total()
        let entries = try estimatedEntries(of: plan, total, countingUpTo: Self.sourceCountLimit)
        var best = (plan: plan, entries: entries)
        for walk in walks {
            guard let trigrams = walk.open as? OpenTrigrams else { continue }
            let greatest = cost(of: best.plan, entries: best.entries, found: min(best.entries, total), matches: 1)
            guard Self.seekCost * Double(try trigrams.countBound()) < greatest else { continue }
            if let count = try count(of: trigrams, walk.plan, ifCheaperThan: best, total) { best = (walk.plan, count) }
        }
        return best.plan
    }

    /// Returns the number of candidates; nil if another plan costs less.
    ///
    /// The more candidates there are, the more a walk over them costs, and the less a scan that ends at a limit. So
    /// they are found in steps, until one of the plans costs less. For such a scan, their number is guessed from the
    /// candidates found first: a wrong guess would cost a scan at most.
    private func count(
        of trigrams: OpenTrigrams, _ walk: QueryPlan, ifCheaperThan other: (plan: QueryPlan, entries: Double),
        _ total: Double
    ) throws -> Double? {
        let found = min(other.entries, total)
        let endsEarly = other.plan.wanted != nil && !other.plan.sorts
        var limit = 16
        while true {
            let count = try trigrams.entryCount(atMost: limit)
            let candidates = endsEarly && count == limit ? trigrams.guessedCount(among: total) : Double(count)
            let matches = max(1, min(found, candidates))
            let least = cost(of: walk, entries: candidates, found: candidates, matches: matches)
            guard least < cost(of: other.plan, entries: other.entries, found: found, matches: matches) else {
                return nil
            }
            if count < limit { return Double(count) }
            limit *= 2
        }
    }
}
