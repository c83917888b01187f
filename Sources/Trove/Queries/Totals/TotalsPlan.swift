// The rows of an index of totals that answer a query, without its records.
//
//     totals(city,year of cents)
//
//     filter(\.city == "Oslo").sum(of: \.cents)              the rows of the city
//     grouped(by: \.year).count                              all rows; the groups are united in memory
//     filter(\.city == "Oslo" && \.isPaid)                   none: the rows do not know which orders are paid
//
// The ranges of the groups contain the matching records and no others. So ranges of the leading properties of the group
// must express the whole filter, apart from what the condition of the index says.

import LMDB
import TroveCoding

/// A scan of the rows of an index of totals.
struct TotalsPlan {
    let totals: TotalsPath
    /// The plan, as it is printed.
    let plan: QueryPlan
    /// The position of the property among the summed properties; nil for a query without one.
    let sum: Int?
    /// The components of the group's key in the query.
    let key: [GroupPath.Column]

    /// Returns nil if the rows do not answer the query.
    ///
    /// - Parameters:
    ///   - terms: The properties of the query's groups.
    ///   - property: The property of the aggregate; nil for an aggregate without one.
    init?(
        _ totals: TotalsPath, by terms: [SortTerm], of property: StoredProperty?, _ planner: Planner, in type: String
    ) throws {
        let path = totals.path
        sum = property.flatMap { totals.sums.firstIndex(of: $0) }
        key = try terms.compactMap { try GroupPath.Column($0, in: path) }
        guard key.count == terms.count, (property == nil) == (sum == nil) else { return nil }
        let bounds = IndexBounds(planner.filters, path)
        var rest = bounds.rest
        if let condition = path.condition {
            guard let needed = condition.filters, needed.allSatisfy({ Planner.implies(planner.filters, $0) }) else {
                return nil
            }
            if condition.isExact { rest.removeAll { Planner.implies(needed, planner.filters[$0]) } }
        }
        guard rest.isEmpty else { return nil }
        self.totals = totals
        plan = QueryPlan(
            type: type, path: path, ranges: bounds.ranges, keyRanges: .everything, usedFilters: bounds.used,
            filter: .everything, rest: [], scanOrder: .ascending, order: [], sorts: false, limit: nil, offset: 0,
            share: bounds.share, isSingle: bounds.fixedCount == path.components.count)
    }

    /// Returns whether each group of the query has a single row.
    func hasRowForEachGroup(_ planner: Planner) -> Bool {
        totals.path.components.enumerated().allSatisfy { place, component in
            key.contains { $0.place == place } || planner.fixedValue(of: component) != nil
        }
    }

    /// The number of properties of the group whose values are not fixed: the fewer, the fewer rows.
    fileprivate var freedom: Int { plan.isSingle ? 0 : totals.path.components.count }
}

extension Query {
    /// Returns the scan of totals that answers the query by the fewest properties; nil if records must be read.
    ///
    /// - Parameters:
    ///   - terms: The properties of the query's groups.
    ///   - property: The property of the aggregate; nil for an aggregate without one.
    func totalsPlan(
        by terms: [SortTerm] = [], of property: StoredProperty? = nil, _ planner: Planner, in table: RecordTable
    ) throws -> TotalsPlan? {
        guard mayHaveTotals else { return nil }
        var best: TotalsPlan?
        for totals in Record.schema.totals {
            guard table.isUsable(totals.path), table.indexes[totals.ordinal].totals != nil,
                let plan = try TotalsPlan(totals, by: terms, of: property, planner, in: Record.schema.name)
            else { continue }
            if let best, best.freedom <= plan.freedom { continue }
            best = plan
        }
        return best
    }

    /// Whether totals may answer the query: its conditions are on properties alone, and it is not a page.
    var mayHaveTotals: Bool {
        !Record.schema.totals.isEmpty && limit == nil && offset == 0 && continuation == nil && ranges.isEverything
    }
}
