// How a query is run: which table, which ranges of it, what is left to be tested, and how the order comes about.

import LMDB
import TroveCoding

/// A table that a query can walk: its entries begin with properties of the records, in an order.
///
/// Today that is the table of the records themselves. Secondary tables join here: one more case, and one more candidate
/// in ``candidates(for:)``.
struct CandidateTable: Sendable {
    enum Kind: Hashable, Sendable {
        case records
    }

    let kind: Kind
    /// The properties with which its entries begin, in order.
    let components: [StoredProperty]
    /// Whether there is one entry at most for given components.
    let isDistinct: Bool

    /// The tables that a query for records of a type can walk.
    static func candidates(for schema: RecordSchema) -> [CandidateTable] {
        let key = schema.key.enumerated().map { index, property in
            StoredProperty(name: property.name, place: .key(index))
        }
        return [CandidateTable(kind: .records, components: key, isDistinct: true)]
    }
}

/// The direction in which ranges are walked.
enum Walk: Hashable, Sendable {
    case ascending
    case descending
    /// Entries that begin with the same so many components together, in ascending order; these groups in descending one.
    case groups(components: Int)

    /// The direction that gives an order of keys.
    init(_ order: KeyOrder) { self = order == .ascending ? .ascending : .descending }
}

/// How a query is run.
struct QueryPlan: Sendable {
    let type: String
    var table: CandidateTable
    /// What is walked: ranges in ascending order, without a key in common.
    var ranges: [KeyRange]
    /// What the ranges were made of.
    var usedFilters: [FilterTree]
    /// What is left to be tested.
    var filter: FilterTree
    var walk: Walk
    /// The properties by which it was asked to sort.
    var order: [SortOrder]
    /// Whether the records that are found have to be sorted.
    var sorts: Bool
    var limit: Int?
    var offset: Int

    /// A property by which is sorted.
    struct SortOrder: Hashable, Sendable {
        var property: StoredProperty
        var isDescending: Bool
    }

    /// How many records have to be known to give those that are wanted; nil for all.
    var wanted: Int? {
        limit.map { limit in
            let (sum, overflow) = offset.addingReportingOverflow(max(0, limit))
            return overflow ? .max : sum
        }
    }

    /// Whether the walk gives nothing but what is wanted.
    var isExact: Bool { if case .and(let parts) = filter { parts.isEmpty } else { false } }
}

extension Query {
    /// The best plan for the query.
    ///
    /// - Throws: What is wrong with the query.
    func plan() throws -> QueryPlan {
        try check()
        let order = try sort.reduce(into: [QueryPlan.SortOrder]()) { order, key in
            let property = try key.property()
            guard !order.contains(where: { $0.property == property }) else { return }
            order.append(QueryPlan.SortOrder(property: property, isDescending: key.isDescending))
        }
        let planner = Planner(filter: filter.tree, order: order, keyOrder: keyOrder)
        let plans = CandidateTable.candidates(for: Record.schema).map { table in
            var plan = planner.plan(over: table, in: Record.schema.name)
            plan.ranges = KeyRange.common(plan.ranges, ranges)
            plan.limit = limit
            plan.offset = offset
            return plan
        }
        return plans[0]
    }
}
