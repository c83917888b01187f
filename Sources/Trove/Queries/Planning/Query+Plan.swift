// Chooses the plan of a query in a store.

import LMDB
import TroveCoding

extension Query {
    /// Returns the planner for the query's filter and order.
    ///
    /// - Throws: The query's error.
    func planner() throws -> Planner {
        try check()
        var order: [QueryPlan.SortOrder] = []
        for term in sort {
            let property = try term.property()
            if order.contains(where: { $0.property == property }) { continue }
            order.append(QueryPlan.SortOrder(property: property, isDescending: term.isDescending))
        }
        var planner = Planner(filter: conditions, order: order, keyOrder: keyOrder)
        (planner.limit, planner.offset) = (limit, offset)
        planner.isContinued = continuation != nil
        setKeys(of: &planner)
        return planner
    }

    /// Sets the keys that the query's range of keys allows.
    func setKeys(of planner: inout Planner) {
        planner.keyRanges = ranges
        // Many keys are compared faster than sought one by one.
        let isOfUse = Record.schema.candidates.count > 1 || !planner.order.isEmpty
        guard isOfUse, !ranges.isEverything, ranges.count <= 100 else { return }
        planner.keyFilters = ranges.conditions(on: Record.schema) ?? []
    }

    /// Returns the ranges of the keys of all matches.
    func recordRanges(by planner: Planner) -> [KeyRange] {
        KeyRange.common(IndexBounds(planner.filters, Record.schema.candidates[0]).ranges, ranges)
    }

    /// Returns the plan with the least cost, or the first plan that finds a single entry or is short.
    func plan(
        by planner: Planner, table: RecordTable?, in context: ReadContext, for need: QueryNeed = .records
    ) throws -> QueryPlan {
        guard orderingClosure != nil else {
            return try planUnsorted(by: planner, table: table, in: context, for: need)
        }
        // The matches are sorted, and then the page is cut.
        var unlimited = planner
        (unlimited.limit, unlimited.offset) = (nil, 0)
        var plan = try planUnsorted(by: unlimited, table: table, in: context, for: need)
        (plan.sorts, plan.isSortedByClosure) = (true, true)
        (plan.limit, plan.offset) = (planner.limit, planner.offset)
        return plan
    }

    /// Returns the plan apart from a sort by a closure.
    private func planUnsorted(
        by planner: Planner, table: RecordTable?, in context: ReadContext, for need: QueryNeed
    ) throws -> QueryPlan {
        if let table, isOrderedBySource || planner.hasSources {
            return try plan(overSources: planner, table: table, in: context, for: need)
        }
        return try plan(overPaths: planner, table: table, in: context, for: need)
    }

    /// Returns the plan with the least cost for a query without sources.
    func plan(
        overPaths planner: Planner, table: RecordTable?, in context: ReadContext, for need: QueryNeed
    ) throws -> QueryPlan {
        let plan = try plan(overColumns: planner, table: table, in: context, for: need)
        guard planner.hasPatterns, let table else { return plan }
        return try self.plan(byCandidatesOr: plan, planner: planner, table: table, in: context, for: need)
    }

    /// Returns the plan that scans access paths with the least cost.
    private func plan(
        overColumns planner: Planner, table: RecordTable?, in context: ReadContext, for need: QueryNeed
    ) throws -> QueryPlan {
        let (type, candidates) = (Record.schema.name, Record.schema.candidates)
        guard let table, !table.indexes.isEmpty else { return planner.plan(overRecords: candidates[0], in: type) }
        var plans: [QueryPlan] = []
        if planner.filtersKey {
            plans.append(planner.plan(overRecords: candidates[0], in: type))
            if plans[0].isSingle { return plans[0] }
        }
        for candidate in candidates.dropFirst() where table.isUsable(candidate) {
            let first = plans.count
            planner.addPlans(over: candidate, candidates[0], in: type, to: &plans)
            // A ranked index of the key has the order of the records, which cost no lookup.
            if candidate.isRanked, offset == 0, plans[first...].contains(where: \.isShort) {
                let records = planner.plan(overRecords: candidates[0], in: type)
                if records.isShort { return records }
            }
            if let plan = plans[first...].first(where: { $0.isSingle || $0.isShort }) { return plan }
        }
        if !planner.filtersKey { plans.insert(planner.plan(overRecords: candidates[0], in: type), at: 0) }
        guard plans.count > 1 || planner.hasBranches else { return plans[0] }
        return try choice(by: planner, table: table, in: context, for: need).best(of: plans)
    }

    func choice(
        by planner: Planner, table: RecordTable, in context: ReadContext, for need: QueryNeed
    ) -> CostModel {
        let isPart = continuation != nil || offset > 0 || limit != nil || need == .each
        // The order of a source or of a closure does not depend on the plan.
        let isPage = sort.isEmpty && need != .count && isPart && !isOrderedBySource && orderingClosure == nil
        return CostModel(
            planner: planner, paths: Record.schema.candidates, table: table, keyspace: context.keyspace,
            counts: !isPage, readsRecords: isPage || need == .records || need == .each,
            isRank: need == .rank || need == .count && limit == nil)
    }
}

extension RecordTable {
    /// Returns the database of an access path.
    func database(of candidate: AccessPath) -> Database {
        switch candidate.kind {
        case .records: database
        case .index(let index): indexes[index].database
        }
    }

    /// Returns whether a query can use an access path. An index must hold the entries of all records, built by the
    /// current layout.
    func isUsable(_ candidate: AccessPath) -> Bool {
        switch candidate.kind {
        case .records: true
        case .index(let index):
            indexes.indices.contains(index) && indexes[index].isReady
        }
    }
}
