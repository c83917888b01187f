// Which way of running a query is taken: the one that costs least.
//
//     cost = rows to be read × cost of a row, and where they have to be sorted, the cost of that
//
// A row of an index leads to its record by a search: that costs as much as reading several records side by
// side. Where what is found comes in the wanted order, a limit ends the walk early: after so many rows as have, by the
// share of those that match, as many records as are wanted.
//
// How many rows ranges have is counted, up to a small number: beyond it, the truth is taken to be in the middle between
// that number and the whole table, as a factor. The pages of a query without `sorted` follow each other in the order of the
// table that is walked, so that all must walk the same: for these it is guessed from the shape of the ranges alone.
//
// Nothing is counted where the number cannot change the choice, as with an index in the wanted order beside the sort of
// a large table.

import LMDB
import TroveCoding

/// What the choice of a plan can go by.
struct CostModel {
    let planner: Planner
    /// The type's tables, that of the records first; some may not be ready.
    let tables: [AccessPath]
    let table: RecordTable
    let keyspace: Keyspace
    /// Whether rows may be counted.
    let counts: Bool
    /// Whether the records that are found are read, rather than their keys alone.
    let readsRecords: Bool

    /// A plan, how many rows its tables have in the ranges, and to how many records these lead.
    private struct Option {
        var plan: QueryPlan
        var rows: Double
        var found: Double
    }

    /// The most rows of a range that are counted.
    private static let countLimit = 100
    /// The cost of following a row of an index to its record, where a step to the next record is 1.
    private static let fetchCost = 4.0
    /// The cost of sorting a record.
    private static let sortCost = 2.0
    /// How many records a table is taken to have where nothing is counted.
    private static let guessedTotal = 1_000_000.0

    /// The plan that costs least; of several that do, the first of those that leave least to be tested.
    ///
    /// - Parameter plans: Those over one table each.
    func best(of plans: [QueryPlan]) throws -> QueryPlan {
        try certainBest(of: plans) ?? countedBest(of: plans)
    }

    /// How many records the table has.
    private func total() throws -> Double {
        counts ? Double(try keyspace.count(table.database)) : Self.guessedTotal
    }

    /// The plan that costs least by the number of rows in the ranges.
    func countedBest(of plans: [QueryPlan]) throws -> QueryPlan {
        let total = try total()
        var options = try (plans + unions()).map { plan in
            let rows = try estimatedRows(of: plan, total)
            return Option(plan: plan, rows: rows, found: min(rows, total))
        }
        if let common = try intersection(&options, total) { options.append(common) }
        // No more records match than the least of the plans leads to.
        let matches = max(1, options.map(\.found).min() ?? 1)
        let costs = options.map { cost(of: $0.plan, rows: $0.rows, found: $0.found, matches: matches) }
        let least = costs.indices.min { left, right in
            (costs[left], options[left].plan.rest.count) < (costs[right], options[right].plan.rest.count)
        }
        return options[least ?? 0].plan
    }

    /// The plan that costs least however many rows there are in the ranges; nil where the number decides.
    ///
    /// A plan's cost grows with its rows; with the records that match, it grows or falls. So the least cost and the
    /// greatest one are at the ends of both.
    func certainBest(of plans: [QueryPlan]) throws -> QueryPlan? {
        if !counts || planner.hasBranches || mayIntersect(plans) { return nil }
        let total = try total()
        let rows = try plans.map { plan in
            if !plan.isWholeTable { return 0...max(Double(Self.countLimit), Self.guess(Self.countLimit, total)) }
            let size = Double(try keyspace.count(table.database(of: plan.table)))
            return size...size
        }
        let matches = max(1, rows.reduce(total) { min($0, $1.upperBound) })
        func cost(_ index: Int, _ rows: Double, _ matches: Double) -> Double {
            self.cost(of: plans[index], rows: rows, found: min(rows, total), matches: matches)
        }
        func least(_ index: Int) -> Double {
            min(cost(index, rows[index].lowerBound, 1), cost(index, rows[index].lowerBound, matches))
        }
        func greatest(_ index: Int) -> Double {
            max(cost(index, rows[index].upperBound, 1), cost(index, rows[index].upperBound, matches))
        }
        guard let best = plans.indices.min(by: { greatest($0) < greatest($1) }) else { return nil }
        let bound = greatest(best)
        return plans.indices.allSatisfy { $0 == best || least($0) > bound } ? plans[best] : nil
    }

    private func cost(of plan: QueryPlan, rows: Double, found: Double, matches: Double) -> Double {
        let isFetched = plan.scansIndexes && (readsRecords || !plan.isExact || plan.sorts)
        let foundCost = isFetched ? Self.fetchCost : 1
        // Keys that are merged are all known before the first record is looked up.
        let gathering = plan.merged == nil ? 0 : rows
        if plan.sorts { return gathering + found * foundCost + matches * Self.sortCost }
        let walked = plan.wanted.map { min(found, Double($0) * max(1, found / matches)) } ?? found
        guard case .ties = plan.scanOrder else { return gathering + walked * foundCost }
        // How many rows a group has is not known: the truth is taken to be in the middle here too.
        return min(found, walked + found.squareRoot()) + walked * foundCost
    }

    // MARK: Joins

    /// The plans by an `or` whose branches have tables of their own.
    func unions() throws -> [QueryPlan] {
        guard planner.hasBranches else { return [] }
        return try planner.unions(over: tables.filter(table.isUsable), in: table.schema.name) { plans in
            let rows = try plans.map { try estimatedRows(of: $0, Self.guessedTotal) }
            return plans[rows.indices.min { rows[$0] < rows[$1] } ?? 0]
        }
    }

    /// Whether keys that two ranges have in common may be a plan.
    private func mayIntersect(_ plans: some Collection<QueryPlan>) -> Bool {
        plans.count { !$0.isWholeTable && $0.merged == nil } > 1
            && (readsRecords || !plans.contains(where: \.isExact))
            && plans.allSatisfy { $0.wanted == nil || $0.sorts }
    }

    /// The plan by the keys that two ranges have in common, where it may pay: neither is small, and none is much larger
    /// than the other. They are counted side by side, until the smaller one is known; following its rows would cost
    /// far more. Where the rows of one are what is wanted, and no record, they are counted or walked at once.
    private func intersection(_ options: inout [Option], _ total: Double) throws -> Option? {
        let places = options.indices.filter { !options[$0].plan.isWholeTable && options[$0].plan.merged == nil }
        guard counts, mayIntersect(options.lazy.map(\.plan)),
            places.allSatisfy({ options[$0].rows >= Double(Self.countLimit) })
        else { return nil }
        var limit = Self.countLimit
        var sizes: [Int] = []
        repeat {
            limit *= 4
            sizes = try places.map { try rows(of: options[$0].plan, atMost: limit) }
        } while sizes.allSatisfy { $0 == limit } && limit < Int(total)
        for (place, size) in zip(places, sizes) where size < limit {
            (options[place].rows, options[place].found) = (Double(size), Double(size))
        }
        let sorted = zip(places, sizes).sorted { $0.1 < $1.1 }
        let (first, smaller) = sorted[0]
        for (second, _) in sorted.dropFirst() {
            let larger = try rows(of: options[second].plan, atMost: 3 * smaller)
            guard larger < 3 * smaller,
                let plan = planner.intersection(options[first].plan, options[second].plan, tables[0])
            else { continue }
            return Option(
                plan: plan, rows: Double(smaller + larger), found: Double(smaller) * Double(larger) / total)
        }
        return nil
    }

    // MARK: Rows

    private func estimatedRows(of plan: QueryPlan, _ total: Double) throws -> Double {
        guard counts else { return total * plan.share }
        if let merged = plan.merged { return try merged.parts.reduce(0) { try $0 + estimatedRows(of: $1, total) } }
        if plan.isWholeTable { return Double(try keyspace.count(table.database(of: plan.table))) }
        let counted = Double(try rows(of: plan, atMost: Self.countLimit))
        guard counted == Double(Self.countLimit) else { return counted }
        return max(counted, Self.guess(Self.countLimit, total))
    }

    /// How many rows of a table there are in ranges that have more than were counted.
    private static func guess(_ counted: Int, _ total: Double) -> Double { (Double(counted) * total).squareRoot() }

    /// How many rows the ranges of a plan have, up to a limit.
    func rows(of plan: QueryPlan, atMost limit: Int) throws -> Int {
        if let merged = plan.merged {
            return try merged.parts.reduce(0) { try $0 + rows(of: $1, atMost: limit - min($0, limit)) }
        }
        let database = table.database(of: plan.table)
        return try translatingErrors {
            if plan.isWholeTable { return min(limit, try keyspace.count(database)) }
            var count = 0
            for range in plan.ranges where count < limit {
                let range = ScanRange(from: range.lower, upTo: range.upper)
                count += try keyspace.count(database, range, atMost: limit - count)
            }
            return count
        }
    }
}
