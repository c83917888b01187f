// Which of its tables a query walks: the one that costs least.
//
//     cost = rows to be read × cost of a row, and where they have to be sorted, the cost of that
//
// A row of a secondary table leads to its record by a search: that costs as much as reading several records side by
// side. Where what is found comes in the wanted order, a limit ends the walk early: after so many rows as have, by the
// share of those that match, as many records as are wanted.
//
// How many rows ranges have is counted, up to a small number: beyond it, the truth is taken to be in the middle between
// that number and the whole table, as a factor. The pages of a query without `sorted` follow each other in the order of the
// table that is walked, so that all must walk the same: for these it is guessed from the shape of the ranges alone.

import LMDB
import TroveCoding

/// What the choice of a plan can go by.
struct PlanChoice {
    let table: RecordTable
    let keyspace: Keyspace
    /// Whether rows may be counted.
    let counts: Bool

    /// The most rows of a range that are counted.
    private static let countLimit = 100
    /// The cost of following a row of a secondary table to its record, where a step to the next record is 1.
    private static let fetchCost = 4.0
    /// The cost of sorting a record.
    private static let sortCost = 2.0
    /// How many records a table is taken to have where nothing is counted.
    private static let guessedTotal = 1_000_000.0

    /// The plan that costs least; of several that do, the first of those that leave least to be tested.
    func best(of plans: [QueryPlan]) throws -> QueryPlan {
        if let single = plans.first(where: \.isSingle) { return single }
        let total = counts ? Double(try keyspace.count(table.database)) : Self.guessedTotal
        let rows = try plans.map { try counts ? estimatedRows(of: $0, total) : total * $0.share }
        // No more records match than the least of the tables has rows in its ranges.
        let matches = max(1, rows.min() ?? 1)
        let costs = zip(plans, rows).map { plan, rows in Self.cost(of: plan, rows: rows, matches: matches) }
        let least = costs.indices.min { left, right in
            (costs[left], plans[left].filter.conjuncts.count) < (costs[right], plans[right].filter.conjuncts.count)
        }
        return plans[least ?? 0]
    }

    private static func cost(of plan: QueryPlan, rows: Double, matches: Double) -> Double {
        let rowCost = plan.table.kind == .records ? 1 : fetchCost
        if plan.sorts { return rows * rowCost + matches * sortCost }
        guard let wanted = plan.wanted else { return rows * rowCost }
        return min(rows, Double(wanted) * max(1, rows / matches)) * rowCost
    }

    private func estimatedRows(of plan: QueryPlan, _ total: Double) throws -> Double {
        if plan.ranges == [.all] { return Double(try keyspace.count(table.database(of: plan.table))) }
        let counted = Double(try rows(of: plan, atMost: Self.countLimit))
        guard counted == Double(Self.countLimit) else { return counted }
        return max(counted, (counted * total).squareRoot())
    }

    /// How many rows the ranges of a plan have, up to a limit.
    func rows(of plan: QueryPlan, atMost limit: Int) throws -> Int {
        let database = table.database(of: plan.table)
        return try translatingErrors {
            if plan.ranges == [.all] { return min(limit, try keyspace.count(database)) }
            var count = 0
            for range in plan.ranges where count < limit {
                let range = ScanRange(from: range.lower, upTo: range.upper)
                count += try keyspace.count(database, range, atMost: limit - count)
            }
            return count
        }
    }
}

extension RecordTable {
    /// Where the entries of a table are.
    func database(of candidate: CandidateTable) -> Database {
        switch candidate.kind {
        case .records: database
        case .secondary(let index): secondaryTables[index].database
        }
    }

    /// Whether a query can rely on a table: it has the entries of all records, made by this very layout.
    func isUsable(_ candidate: CandidateTable) -> Bool {
        switch candidate.kind {
        case .records: true
        case .secondary(let index):
            isUpToDate && secondaryTables.indices.contains(index) && secondaryTables[index].isReady
        }
    }
}

extension Query {
    /// What turns the query into ranges.
    ///
    /// - Throws: What is wrong with the query.
    func planner() throws -> Planner {
        try check()
        let order = try sort.reduce(into: [QueryPlan.SortOrder]()) { order, key in
            let property = try key.property()
            guard !order.contains(where: { $0.property == property }) else { return }
            order.append(QueryPlan.SortOrder(property: property, isDescending: key.isDescending))
        }
        return Planner(filter: filter.tree, order: order, keyOrder: keyOrder)
    }

    /// The ways to run the query: that over the records first, and those over other tables that are of use to it.
    func plans(_ planner: Planner, _ table: RecordTable?) -> [QueryPlan] {
        Record.schema.candidates.compactMap { candidate in
            guard candidate.kind == .records || table?.isUsable(candidate) == true,
                var plan = planner.plan(over: candidate, in: Record.schema.name)
            else { return nil }
            if candidate.kind == .records {
                plan.ranges = KeyRange.common(plan.ranges, ranges)
            } else {
                plan.keyRanges = ranges
            }
            plan.limit = limit
            plan.offset = offset
            return plan
        }
    }

    /// The best way to run the query.
    func plan(
        _ planner: Planner, _ table: RecordTable?, _ context: ReadContext, _ need: QueryNeed = .records
    ) throws -> QueryPlan {
        let plans = plans(planner, table)
        guard plans.count > 1, let table else { return plans[0] }
        let isPage = sort.isEmpty && (continuation != nil || limit != nil && need != .count)
        return try PlanChoice(table: table, keyspace: context.keyspace, counts: !isPage).best(of: plans)
    }
}
