// From a query to the plan by which it is run in a store.

import LMDB
import TroveCoding

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
        var planner = Planner(filter: filter.tree, order: order, keyOrder: keyOrder)
        (planner.keyRanges, planner.limit, planner.offset) = (ranges, limit, offset)
        return planner
    }

    /// The best way to run the query.
    func plan(
        _ planner: Planner, _ table: RecordTable?, _ context: ReadContext, _ need: QueryNeed = .records
    ) throws -> QueryPlan {
        var plans: [QueryPlan] = []
        for candidate in Record.schema.candidates where table?.isUsable(candidate) ?? (candidate.kind == .records) {
            guard let plan = planner.plan(over: candidate, in: Record.schema.name) else { continue }
            if plan.isSingle { return plan }
            plans.append(plan)
        }
        guard let table, !table.indexes.isEmpty, plans.count > 1 || planner.hasBranches else { return plans[0] }
        return try choice(planner, table, context, need).best(of: plans)
    }

    /// The tables that can be walked, that of the records first.
    func usableTables(_ table: RecordTable) -> [AccessPath] { Record.schema.candidates.filter(table.isUsable) }

    func choice(
        _ planner: Planner, _ table: RecordTable, _ context: ReadContext, _ need: QueryNeed
    ) -> CostModel {
        let isPart = continuation != nil || offset > 0 || limit != nil || need == .each
        let isPage = sort.isEmpty && need != .count && isPart
        return CostModel(
            planner: planner, tables: Record.schema.candidates, table: table, keyspace: context.keyspace,
            counts: !isPage, readsRecords: isPage || need == .records || need == .each)
    }
}

extension RecordTable {
    /// Where the entries of a table are.
    func database(of candidate: AccessPath) -> Database {
        switch candidate.kind {
        case .records: database
        case .index(let index): indexes[index].database
        }
    }

    /// Whether a query can rely on a table: it has the entries of all records, made by this very layout.
    func isUsable(_ candidate: AccessPath) -> Bool {
        switch candidate.kind {
        case .records: true
        case .index(let index):
            indexes.indices.contains(index) && indexes[index].isReady
        }
    }
}
