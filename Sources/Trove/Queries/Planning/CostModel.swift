// Chooses the plan with the least cost.
//
//     cost = entries to read × cost of an entry, plus the cost of a sort, if needed
//
// An index entry leads to its record by a lookup, at the cost of reading several adjacent records. If the access path
// has the requested order, a limit ends the scan early. The number of entries to read is then the limit divided by the
// share of matching entries.
//
// The entries in ranges are counted up to a small number. If there are more, the estimate is the geometric mean of that
// number and the size of the whole table. If the cheapest plan would then look up the records of all its entries, the
// entries are counted up to the number from which on a scan of the records costs less. Counting an entry takes about a
// hundredth of the time of its lookup.
//
// The pages of a query without `sorted` continue in the order of the access path, so all pages must use the same access
// path. For these, the estimate depends on the shape of the ranges alone.

import LMDB
import TroveCoding

/// The data for the choice of a plan.
struct CostModel {
    let planner: Planner
    /// The usable access paths, the records' own table first.
    let paths: [AccessPath]
    let table: RecordTable
    let keyspace: Keyspace
    /// Whether entries may be counted.
    var counts: Bool
    /// Whether the query reads records, not only their keys.
    let readsRecords: Bool
    /// Whether the counts of a ranked index answer the query.
    let isRank: Bool

    /// A plan, with estimates of the entries in its ranges and of the records found by them.
    private struct Option {
        var plan: QueryPlan
        var entries: Double
        var found: Double
    }

    /// The maximum number of entries to count in a range.
    static let countLimit = 100
    /// The cost of a lookup from an index entry to its record. A step to the next record costs 1.
    static let fetchCost = 4.0
    /// The cost of finding a string in a record.
    static let patternCost = 4.0
    /// The cost of sorting a record.
    static let sortCost = 2.0
    /// The cost of finding a position by the counts of a ranked index.
    static let rankCost = 100.0
    /// The assumed number of records in a table, if nothing is counted.
    private static let guessedTotal = 1_000_000.0

    /// Returns the plan with the least cost. Among equal costs, it returns the first plan with the shortest remaining
    /// filter.
    ///
    /// - Parameter plans: The plans over a single access path each.
    func best(of plans: [QueryPlan]) throws -> QueryPlan {
        try certainBest(of: plans) ?? countedBest(of: plans)
    }

    /// Returns the number of records in the table.
    func total() throws -> Double {
        counts ? Double(try keyspace.count(table.database)) : Self.guessedTotal
    }

    /// Returns the plan with the least cost by the number of entries in the ranges.
    func countedBest(of plans: [QueryPlan]) throws -> QueryPlan {
        let total = try total()
        var options = try (plans + unions()).map { plan in
            let entries = try estimatedEntries(of: plan, total)
            return Option(plan: plan, entries: entries, found: min(entries, total))
        }
        if let common = try intersection(&options, total) { options.append(common) }
        var counted: Set<Int> = []
        while true {
            let least = cheapest(of: options)
            let plan = options[least].plan
            let limit = countLimit(of: plan, total)
            // The plan of a guess is chosen only after more of its entries were counted.
            guard counts, limit > Self.countLimit, counted.insert(least).inserted else { return plan }
            let entries = try estimatedEntries(of: plan, total, countingUpTo: limit)
            (options[least].entries, options[least].found) = (entries, min(entries, total))
        }
    }

    private func cheapest(of options: [Option]) -> Int {
        // At most as many records match as the most selective plan finds.
        let matches = max(1, options.map(\.found).min() ?? 1)
        let costs = options.map { cost(of: $0.plan, entries: $0.entries, found: $0.found, matches: matches) }
        let least = costs.indices.min { left, right in
            (costs[left], options[left].plan.rest.count) < (costs[right], options[right].plan.rest.count)
        }
        return least ?? 0
    }

    /// Returns the plan with the least cost, whatever the number of entries in the ranges; nil if the choice depends on
    /// that number.
    ///
    /// A plan's cost grows with its entries. It grows or falls with the number of matching records. So its least and
    /// its greatest cost are at the ends of both.
    func certainBest(of plans: [QueryPlan]) throws -> QueryPlan? {
        if !counts || planner.hasBranches || mayIntersect(plans) { return nil }
        let total = try total()
        let entries = try plans.map { plan in
            if !plan.isWholePath {
                let limit = countLimit(of: plan, total)
                return 0...max(Double(limit), Self.guess(limit, total))
            }
            let size = Double(try keyspace.count(table.database(of: plan.path)))
            return size...size
        }
        let matches = max(1, entries.reduce(total) { min($0, $1.upperBound) })
        func cost(_ index: Int, _ entries: Double, _ matches: Double) -> Double {
            self.cost(of: plans[index], entries: entries, found: min(entries, total), matches: matches)
        }
        func least(_ index: Int) -> Double {
            min(cost(index, entries[index].lowerBound, 1), cost(index, entries[index].lowerBound, matches))
        }
        func greatest(_ index: Int) -> Double {
            max(cost(index, entries[index].upperBound, 1), cost(index, entries[index].upperBound, matches))
        }
        guard let best = plans.indices.min(by: { greatest($0) < greatest($1) }) else { return nil }
        let bound = greatest(best)
        return plans.indices.allSatisfy { $0 == best || least($0) > bound } ? plans[best] : nil
    }

    func cost(of plan: QueryPlan, entries: Double, found: Double, matches: Double) -> Double {
        if isRank, plan.hasRanks { return min(entries, Self.rankCost) }
        var foundCost = looksUpRecords(plan) ? Self.fetchCost : 1
        if planner.hasKeyConditions { foundCost += Double(plan.filter.keyConditionCount) * Self.fetchCost }
        if planner.hasPatterns, !plan.isExact { foundCost += Self.patternCost }
        // All keys of a merge are collected before the first lookup.
        let collected = plan.merged == nil && plan.source?.collectsKeys != true ? 0 : entries
        if plan.sorts { return collected + found * foundCost + matches * Self.sortCost }
        let scanned = plan.scanned.map { min(found, Double($0) * max(1, found / matches)) } ?? found
        guard case .ties = plan.scanOrder else { return collected + scanned * foundCost }
        // The size of a group is unknown. The estimate is the geometric mean of 1 and the number of records found.
        return min(found, scanned + found.squareRoot()) + scanned * foundCost
    }

    /// Returns whether a plan looks up the records of its entries.
    private func looksUpRecords(_ plan: QueryPlan) -> Bool {
        plan.source != nil || plan.scansIndexes && (readsRecords || !plan.isExact || plan.sorts)
    }

    // MARK: Merges

    /// Returns the plans for an `or` whose branches use different access paths.
    func unions() throws -> [QueryPlan] {
        guard planner.hasBranches else { return [] }
        return try planner.unions(over: paths.filter(table.isUsable), in: table.schema.name) { plans in
            let entries = try plans.map { try estimatedEntries(of: $0, Self.guessedTotal) }
            return plans[entries.indices.min { entries[$0] < entries[$1] } ?? 0]
        }
    }

    /// Returns whether the intersection of two ranges may be a plan.
    private func mayIntersect(_ plans: some Collection<QueryPlan>) -> Bool {
        plans.count { !$0.isWholePath && $0.merged == nil } > 1
            && (readsRecords || !plans.contains(where: \.isExact))
            && plans.allSatisfy { $0.wanted == nil || $0.sorts }
    }

    /// Returns the plan that looks up the keys common to two range scans, if it may pay: neither range is small, and
    /// neither is much larger than the other. Both are counted in step until the size of the smaller range is known.
    /// Looking up its records would cost far more. Returns nil if the entries of a range answer the query without
    /// records: counting or scanning them directly is cheaper.
    private func intersection(_ options: inout [Option], _ total: Double) throws -> Option? {
        let places = options.indices.filter { !options[$0].plan.isWholePath && options[$0].plan.merged == nil }
        guard counts, mayIntersect(options.lazy.map(\.plan)),
            places.allSatisfy({ options[$0].entries >= Double(Self.countLimit) })
        else { return nil }
        var limit = Self.countLimit
        var sizes: [Int] = []
        repeat {
            limit *= 4
            sizes = try places.map { try entryCount(of: options[$0].plan, atMost: limit) }
        } while sizes.allSatisfy { $0 == limit } && limit < Int(total)
        for (place, size) in zip(places, sizes) where size < limit {
            (options[place].entries, options[place].found) = (Double(size), Double(size))
        }
        let sorted = zip(places, sizes).sorted { $0.1 < $1.1 }
        let (first, smaller) = sorted[0]
        for (second, _) in sorted.dropFirst() {
            let larger = try entryCount(of: options[second].plan, atMost: 3 * smaller)
            guard larger < 3 * smaller,
                let plan = planner.intersection(options[first].plan, options[second].plan, paths[0])
            else { continue }
            return Option(
                plan: plan, entries: Double(smaller + larger), found: Double(smaller) * Double(larger) / total)
        }
        return nil
    }

    // MARK: Entries

    func estimatedEntries(
        of plan: QueryPlan, _ total: Double, countingUpTo limit: Int = countLimit
    ) throws -> Double {
        guard counts else { return total * plan.share }
        if let merged = plan.merged { return try merged.parts.reduce(0) { try $0 + estimatedEntries(of: $1, total) } }
        if plan.isWholePath { return Double(try keyspace.count(table.database(of: plan.path))) }
        let counted = try entryCount(of: plan, atMost: limit)
        return counted < limit ? Double(counted) : max(Double(limit), Self.guess(limit, total))
    }

    /// Returns the maximum number of entries to count in the ranges of a plan.
    private func countLimit(of plan: QueryPlan, _ total: Double) -> Int {
        guard looksUpRecords(plan), plan.merged == nil, plan.wanted == nil || plan.sorts else { return Self.countLimit }
        return max(Self.countLimit, Int(total / Self.fetchCost))
    }

    /// Returns the estimated number of entries in ranges with more entries than were counted.
    static func guess(_ counted: Int, _ total: Double) -> Double { (Double(counted) * total).squareRoot() }

    /// Returns the number of entries in the ranges of a plan, up to a limit.
    func entryCount(of plan: QueryPlan, atMost limit: Int) throws -> Int {
        if let merged = plan.merged {
            return try merged.parts.reduce(0) { try $0 + entryCount(of: $1, atMost: limit - min($0, limit)) }
        }
        let database = table.database(of: plan.path)
        return try translatingErrors {
            if plan.isWholePath { return min(limit, try keyspace.count(database)) }
            var count = 0
            for range in plan.ranges where count < limit {
                let range = ScanRange(from: range.lower, upTo: range.upper)
                count += try keyspace.count(database, range, atMost: limit - count)
            }
            return count
        }
    }
}
