// Chooses the plan of a query with sources: walk one of them, or scan an access path and test them.
//
//     linked(\.$author, to: "1") and isRead == false     walk the links, test the property
//     … and number == 7, with an index on the number     follow the smaller side, test the other
//
// The entries of both sides are counted, up to a limit. The records of the smaller side are looked up; each of them is
// tested by a lookup in the table of the other side.

import LMDB
import TroveCoding

/// The source of a query's records.
struct QuerySource: Sendable {
    let keys: any KeySource
    /// Whether the result has the order of the source, unless it is sorted.
    var isOrdered = true
}

extension Planner {
    /// Returns the planner whose sources keep the results of planning.
    func planningSources(in context: ReadContext) throws -> Planner {
        try replacing(filters.map { try $0.planningSources(in: context) })
    }

    /// The sources among the parts of the filter, by their positions.
    fileprivate var sources: [(place: Int, source: any KeySource)] {
        guard hasKeyConditions else { return [] }
        return filters.enumerated().compactMap { place, filter in
            filter.keyCondition?.source.map { (place, $0) }
        }
    }

    /// Whether a part of the filter is a source.
    var hasSources: Bool { !sources.isEmpty }
}

extension Query {
    /// Returns the plan with the least cost for a query with sources.
    func plan(
        overSources planner: Planner, table: RecordTable, in context: ReadContext, for need: QueryNeed
    ) throws -> QueryPlan {
        let planner = try planner.planningSources(in: context)
        let plans = try sourcePlans(planner, table, context)
        var walks = plans.walks
        let (scans, own) = (plans.scans, plans.own)
        if let single = walks.first(where: { $0.plan.isSingle })?.plan ?? scans.first(where: \.isSingle) {
            return ordered(single, own, planner)
        }
        guard let first = walks.first?.plan ?? scans.first else {
            let plan = try plan(overPaths: plans.others, table: table, in: context, for: .keys)
            return ordered(plan, own, planner)
        }
        let model = choice(by: planner, table: table, in: context, for: need)
        if model.counts {
            walks += try plans.others.candidateWalks(
                of: Record.schema, table: table, in: context, isOrderedBySource: isOrderedBySource)
        }
        guard walks.count + scans.count > 1 else { return ordered(first, own, planner) }
        let isOrdered = walks.first.map { $0.open === own?.open } == true && isOrderedBySource
        return try translatingErrors {
            try model.best(of: walks, scans, isOrdered: isOrdered) { ordered($0, own, planner) }
        }
    }

    /// Returns the walks over sources and the scans of access paths.
    func sourcePlans(_ planner: Planner, _ table: RecordTable, _ context: ReadContext) throws -> SourcePlans {
        let scores = scoreOrder?.source(of: self, planner.filters)
        var others = planner
        // The matches of another plan get the order of a source, and then the page is cut.
        if isOrderedBySource { (others.limit, others.offset) = (nil, 0) }
        var walks = try planner.sources.compactMap { place, source -> SourceWalk? in
            // An order by scores walks all of its conditions at once.
            if scores?.places.contains(place) == true { return nil }
            let isOwn = place == 0 && isOrderedByOwnSource
            let open = try source.open(in: context)
            let order = walkOrder(of: open, isOrdering: isOwn, planner)
            let plan = (isOwn ? planner : others).plan(over: source, open, order, at: [place], Record.schema)
            return SourceWalk(plan: plan, open: open)
        }
        let own = try orderingWalk(scores, planner, context) ?? walks.first
        if let own, scores?.listsMatches ?? (otherOrder != nil) { walks.insert(own, at: 0) }
        return SourcePlans(walks: walks, scans: scanPlans(others, table), own: own, others: others)
    }

    /// Returns the walk over a source that is no condition and orders the result; nil if there is none.
    private func orderingWalk(
        _ scores: (any ScoreSource)?, _ planner: Planner, _ context: ReadContext
    ) throws -> SourceWalk? {
        if case .source(let order)? = otherOrder { return try walk(over: order, planner, context) }
        guard let scores else { return nil }
        let open = try scores.open(in: context)
        return SourceWalk(
            plan: planner.plan(
                over: scores, open, .walk(isDescending: false), at: scores.places, Record.schema),
            open: open)
    }

    /// Returns the walk over a source that orders the result. If another source of the filter can be walked in this
    /// order, it is walked instead: it lists fewer keys.
    private func walk(over source: any KeySource, _ planner: Planner, _ context: ReadContext) throws -> SourceWalk {
        var (place, source) = (nil as Int?, source)
        for part in planner.sources {
            guard let narrowed = source.ordering(part.source) else { continue }
            (place, source) = (part.place, narrowed)
            break
        }
        let open = try source.open(in: context)
        return SourceWalk(
            plan: planner.plan(
                over: source, open, .walk(isDescending: false), at: place.map { [$0] } ?? [], Record.schema),
            open: open)
    }

    /// Returns a plan whose matches have the order of a source, if the query has such an order.
    ///
    /// - Parameter own: The walk over that source.
    func ordered(_ plan: QueryPlan, _ own: SourceWalk?, _ planner: Planner) -> QueryPlan {
        guard isOrderedBySource, let own, let scan = own.plan.source, plan.source?.source !== scan.source else {
            return plan
        }
        var (plan, ordered) = (plan, own.plan)
        // The places say which of the matches the source lists.
        if own.open.preparesPlaces {
            plan.rest.removeAll { !own.plan.rest.contains($0) }
            plan.filter = planner.filter.parts(plan.rest)
        }
        ordered.source = SourceScan(scan.source, own.open, .matches(plan))
        ordered.filter = .everything
        ordered.rest = []
        return ordered
    }

    /// Returns the order in which a source is read.
    ///
    /// - Parameter isOrdering: Whether the result has the order of the source.
    private func walkOrder(of open: any OpenKeySource, isOrdering: Bool, _ planner: Planner) -> SourceScan.Order? {
        let isPart = limit != nil || offset > 0 || continuation != nil
        if isOrderedBySource { return isOrdering ? .walk(isDescending: false) : .any }
        guard planner.order.isEmpty && keyOrder == nil else {
            switch planner.scanOrder(over: Record.schema.candidates[0]) {
            case .ascending?: return open.isInKeyOrder ? .walk(isDescending: false) : .keys(isDescending: false)
            case .descending?: return open.isInKeyOrder ? .walk(isDescending: true) : .keys(isDescending: true)
            default: return nil
            }
        }
        return isPart ? .walk(isDescending: false) : .any
    }

    /// Returns the scans of access paths that read less than the whole table.
    private func scanPlans(_ planner: Planner, _ table: RecordTable) -> [QueryPlan] {
        let (type, candidates) = (Record.schema.name, Record.schema.candidates)
        var plans = [planner.plan(overRecords: candidates[0], in: type)]
        for candidate in candidates.dropFirst() where table.isUsable(candidate) {
            planner.addPlans(over: candidate, candidates[0], in: type, to: &plans)
        }
        let hasOrder = !planner.order.isEmpty || keyOrder != nil
        return plans.filter { plan in
            !plan.usedFilters.isEmpty || plan.merged != nil || !plan.ranges.isEverything
                || hasOrder && !plan.sorts && plan.wanted != nil
        }
    }
}

/// The plans of a query with sources.
struct SourcePlans {
    /// The walks over sources. The walk over the source that orders the result is the first, if it finds all matches.
    var walks: [SourceWalk]
    /// The scans of access paths.
    var scans: [QueryPlan]
    /// The walk over the source that orders the result.
    var own: SourceWalk?
    /// The planner of the scans.
    var others: Planner
}

/// A plan that walks a source, and the source.
struct SourceWalk {
    let plan: QueryPlan
    let open: any OpenKeySource
}

extension Planner {
    /// Returns the plan that walks a source.
    ///
    /// - Parameters:
    ///   - order: The order of the walk; nil if the result must be sorted.
    ///   - places: The positions of the filters that all keys of the source pass.
    func plan(
        over source: any KeySource, _ open: any OpenKeySource, _ order: SourceScan.Order?, at places: Set<Int>,
        _ schema: RecordSchema
    ) -> QueryPlan {
        let rest = filters.indices.filter { !places.contains($0) }
        return QueryPlan(
            type: schema.name, path: schema.candidates[0], source: SourceScan(source, open, order ?? .any), ranges: [],
            keyRanges: keyRanges, usedFilters: [], filter: filter.parts(rest), rest: rest, scanOrder: .ascending,
            order: self.order, sorts: order == nil && !self.order.isEmpty, limit: limit, offset: offset,
            share: source.share, isSingle: open.isSingle)
    }
}

extension CostModel {
    /// The maximum number of entries of a source to count.
    static let sourceCountLimit = 1_000

    /// Returns the plan with the least cost: a walk of a source, or a scan of an access path.
    ///
    /// - Parameters:
    ///   - walks: The walks. The first is the walk of the source whose order the result has, if it has such an order.
    ///   - isOrdered: Whether the result has the order of a source.
    ///   - ordered: Returns a plan with this order.
    func best(
        of walks: [SourceWalk], _ scans: [QueryPlan], isOrdered: Bool, ordered: (QueryPlan) -> QueryPlan
    ) throws -> QueryPlan {
        let total = try total()
        let entries =
            try walks.map { try estimatedEntries(of: $0, total) }
            + scans.map { try estimatedEntries(of: $0, total, countingUpTo: Self.sourceCountLimit) }
        let plans = walks.map(\.plan) + scans
        let found = entries.map { min($0, total) }
        let matches = max(1, found.min() ?? 1)
        let costs = plans.indices.map { index in
            let cost = cost(of: plans[index], entries: entries[index], found: found[index], matches: matches)
            return isOrdered && index > 0 ? cost + matches * (Self.sortCost + 2 * Self.fetchCost) : cost
        }
        let least = costs.indices.min { costs[$0] < costs[$1] } ?? 0
        return ordered(plans[least])
    }

    private func estimatedEntries(of walk: SourceWalk, _ total: Double) throws -> Double {
        guard counts else { return total * walk.plan.share }
        let limit = walk.open.isCounted ? .max : Self.sourceCountLimit
        let count = try walk.open.entryCount(atMost: limit)
        return count < limit
            ? Double(count) : max(Double(Self.sourceCountLimit), Self.guess(Self.sourceCountLimit, total))
    }
}

extension FilterTree {
    /// Returns the filter whose sources keep the results of planning.
    fileprivate func planningSources(in context: ReadContext) throws -> FilterTree {
        guard hasKeyConditions else { return self }
        switch self {
        case .keys: return try keyCondition?.source.map { .keys(try $0.planned(in: context)) } ?? self
        case .and(let parts): return .and(FilterParts(try parts.all.map { try $0.planningSources(in: context) }))
        case .or(let parts): return .or(FilterParts(try parts.all.map { try $0.planningSources(in: context) }))
        case .not(let part): return .not(try part.planningSources(in: context))
        case .condition, .closure: return self
        }
    }
}
