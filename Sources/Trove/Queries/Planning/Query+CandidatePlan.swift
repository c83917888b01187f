// Chooses between the plan of a query and the candidates that an index lists for filters of another kind, such as the
// records with the trigrams of a part of a string.
//
// A scan of the records tests each of them. The candidates are found by reading the index, sorted by key, looked up and
// tested. So both return the records in the same order, and a page may begin where a page of the other plan ended.

import LMDB
import TroveCoding

/// The rule of an index that lists candidates for some filters.
protocol CandidateRule: IndexRule {
    /// Returns the source of the candidates, which are all matches in the index and others; nil if the index does not
    /// help.
    ///
    /// - Parameters:
    ///   - filters: The parts of the filter that must all match.
    ///   - ordinal: The position of the index among the indexes of the type.
    func candidates(for filters: [FilterTree], by ordinal: Int, of schema: RecordSchema) -> (any KeySource)?
}

/// A source of candidates in a transaction, which finds them in steps.
protocol OpenCandidates: OpenKeySource {
    /// Returns a bound of the number of candidates, without finding them.
    func countBound() throws -> Int

    /// Returns the number of candidates, guessed from the candidates found so far.
    func guessedCount(among recordCount: Double) -> Double
}

extension Planner {
    /// Returns the walks over candidates by the indexes of a type.
    ///
    /// - Parameter isOrderedBySource: Whether a source orders the result.
    func candidateWalks(
        of schema: RecordSchema, table: RecordTable, in context: ReadContext, isOrderedBySource: Bool
    ) throws -> [SourceWalk] {
        guard hasPatterns else { return [] }
        return try schema.indexes.enumerated().compactMap { ordinal, index in
            guard let rule = index.kindRule as? any CandidateRule, table.indexes.indices.contains(ordinal),
                table.indexes[ordinal].isReady, hasAll(fulfilling: schema.conditions[ordinal]),
                let source = rule.candidates(for: filters, by: ordinal, of: schema)
            else { return nil }
            let open = try source.open(in: context)
            let order: SourceScan.Order? = isOrderedBySource ? .any : candidateOrder(schema)
            return SourceWalk(plan: plan(over: source, open, order, at: [], schema), open: open)
        }
    }

    /// Returns whether an index with a condition has each matching record.
    private func hasAll(fulfilling condition: PathCondition?) -> Bool {
        guard let condition else { return true }
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
    /// Returns the plan over the candidates by an index, if it costs less than another plan.
    ///
    /// The pages of a query without `sorted` have the order of their access path. Candidates have the order of the
    /// keys, so they can replace a scan of the records alone.
    ///
    /// - Parameter plan: A plan over access paths.
    func plan(
        byCandidatesOr plan: QueryPlan, planner: Planner, table: RecordTable, in context: ReadContext,
        for need: QueryNeed
    ) throws -> QueryPlan {
        guard !plan.isExact, !plan.isSingle else { return plan }
        var model = choice(by: planner, table: table, in: context, for: need)
        guard model.counts || plan.path.kind == .records else { return plan }
        model.counts = true
        return try translatingErrors {
            let walks = try planner.candidateWalks(
                of: Record.schema, table: table, in: context, isOrderedBySource: false)
            return walks.isEmpty ? plan : try model.best(of: plan, or: walks)
        }
    }
}

extension CostModel {
    /// The cost of a candidate of the rarest part, such as a trigram.
    private static let seekCost = 0.1

    /// Returns the plan with the least cost: a scan of an access path, or a walk over candidates.
    fileprivate func best(of plan: QueryPlan, or walks: [SourceWalk]) throws -> QueryPlan {
        let total = try total()
        let entries = try estimatedEntries(of: plan, total, countingUpTo: Self.sourceCountLimit)
        var best = (plan: plan, entries: entries)
        for walk in walks {
            guard let candidates = walk.open as? any OpenCandidates else { continue }
            let greatest = cost(of: best.plan, entries: best.entries, found: min(best.entries, total), matches: 1)
            guard Self.seekCost * Double(try candidates.countBound()) < greatest else { continue }
            if let count = try count(of: candidates, walk.plan, ifCheaperThan: best, total) {
                best = (walk.plan, count)
            }
        }
        return best.plan
    }

    /// Returns the number of candidates; nil if another plan costs less.
    ///
    /// The more candidates there are, the more a walk over them costs, and the less a scan that ends at a limit. So
    /// they are found in steps, until one of the plans costs less. For such a scan, their number is guessed from the
    /// candidates found first: a wrong guess would cost a scan at most.
    private func count(
        of open: any OpenCandidates, _ walk: QueryPlan, ifCheaperThan other: (plan: QueryPlan, entries: Double),
        _ total: Double
    ) throws -> Double? {
        let found = min(other.entries, total)
        let endsEarly = other.plan.wanted != nil && !other.plan.sorts
        var limit = 16
        while true {
            let count = try open.entryCount(atMost: limit)
            let candidates = endsEarly && count == limit ? open.guessedCount(among: total) : Double(count)
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

extension FilterTree {
    /// Whether a string is to be found in a property.
    var hasPatterns: Bool {
        switch self {
        case .condition(let condition): condition.pattern != nil
        case .keys, .closure: false
        case .and(let parts), .or(let parts): parts.all.contains(where: \.hasPatterns)
        case .not(let part): part.hasPatterns
        }
    }
}
