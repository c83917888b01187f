// Plans that merge the record keys of several index scans.
//
//     age == 30 or email == "a"         the keys found by either index scan
//     age == 30 and city == "Oslo"      the keys found by both index scans

import TroveCoding

extension Planner {
    /// Whether a part of the filter is an `or`.
    var hasBranches: Bool { filters.contains { if case .or = $0 { true } else { false } } }

    /// Returns the plans for an `or` whose branches use different access paths.
    ///
    /// - Parameter choose: Returns the best of the plans of a branch.
    func unions(
        over paths: [AccessPath], in type: String, choosing choose: ([QueryPlan]) throws -> QueryPlan
    ) rethrows -> [QueryPlan] {
        try filters.indices.compactMap { place in
            guard case .or(let branches) = filters[place] else { return nil }
            var parts: [QueryPlan] = []
            for branch in branches.all {
                let planner = Planner(filter: branch)
                let plans = paths.flatMap { planner.rawPlans(over: $0, in: type) }.filter { !$0.usedFilters.isEmpty }
                guard !plans.isEmpty else { return nil }
                parts.append(try choose(plans))
            }
            guard Set(parts.map(\.path.kind)).count > 1 else { return nil }
            let isReplaced = parts.allSatisfy(\.isExact)
            return merge(parts, isUnion: true, rest: filters.indices.filter { $0 != place || !isReplaced }, paths[0])
        }
    }

    /// Returns the plan that looks up the keys common to two plans; nil if either plan already covers all filters of
    /// the other.
    func intersection(_ first: QueryPlan, _ second: QueryPlan, _ records: AccessPath) -> QueryPlan? {
        let rest = first.rest.filter(Set(second.rest).contains)
        guard rest.count < first.rest.count, rest.count < second.rest.count else { return nil }
        return merge([first, second], isUnion: false, rest: rest, records)
    }

    /// Returns the plan that looks up the keys found by a plan, each once.
    func union(of plan: QueryPlan, _ records: AccessPath) -> QueryPlan {
        merge([plan], isUnion: true, rest: plan.rest, records)
    }

    private func merge(_ parts: [QueryPlan], isUnion: Bool, rest: [Int], _ records: AccessPath) -> QueryPlan {
        // The merged keys are in memory, in order, and can be read in either direction.
        var scanOrder = scanOrder(over: records)
        if case .groups = scanOrder { scanOrder = nil }
        let parts = parts.map { part in
            var part = part
            part.filter = .everything
            part.keyRanges = .everything
            part.order = []
            part.sorts = false
            part.scanOrder = .ascending
            part.repeatsRecords = false
            (part.limit, part.offset) = (nil, 0)
            return part
        }
        return QueryPlan(
            type: parts[0].type, path: records, merged: QueryPlan.MergedScan(isUnion: isUnion, parts: parts),
            ranges: [], keyRanges: keyRanges, usedFilters: [], filter: filter.parts(rest), rest: rest,
            scanOrder: scanOrder ?? .ascending,
            order: order, sorts: scanOrder == nil && !order.isEmpty, limit: limit, offset: offset,
            share: isUnion
                ? min(1, parts.reduce(0) { $0 + $1.share }) : parts.reduce(1) { $0 * $1.share },
            isSingle: false)
    }
}
