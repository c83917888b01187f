// A plan as a person would read it.
//
//     scan User, 2 ranges: (lastName == "Dallas" or lastName > "X")
//     filter: age >= 18
//     order: age desc, firstName; sorted, at most 120 at a time
//     limit 20, offset 40
//     rows to read: 312

import LMDB
import TroveCoding

extension QueryPlan: CustomStringConvertible {
    var description: String { lines.joined(separator: "\n") }

    private var lines: [String] { [tableLine] + [filterLine, orderLine, limitLine].compactMap(\.self) }

    private var tableLine: String {
        let used = usedFilters.isEmpty ? "" : ": \(FilterTree.and(usedFilters).conjunction)"
        if ranges == [.all] { return "scan \(type), all records" }
        if ranges.isEmpty { return "scan \(type), nothing\(used)" }
        return "scan \(type), \(ranges.count == 1 ? "1 range" : "\(ranges.count) ranges")\(used)"
    }

    private var filterLine: String? { isExact ? nil : "filter: \(filter)" }

    private var orderLine: String? {
        let way =
            switch walk {
            case _ where sorts:
                wanted.map { "sorted, at most \(Swift.max(64, 2 * min($0, .max / 2))) at a time" } ?? "sorted"
            case .ascending: "as stored"
            case .descending: "as stored, backwards"
            case .groups: "as stored, groups backwards"
            }
        guard !order.isEmpty else { return walk == .ascending ? nil : "order: \(way)" }
        let names = order.map { $0.property.name + ($0.isDescending ? " desc" : "") }
        return "order: \(names.joined(separator: ", ")); \(way)"
    }

    private var limitLine: String? {
        let parts = [limit.map { "limit \($0)" }, offset > 0 ? "offset \(offset)" : nil].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}

extension FilterTree {
    /// The text of parts that must all match; of one alone, its own.
    fileprivate var conjunction: String { conjuncts.count == 1 ? conjuncts[0].description : description }
}

extension Query {
    /// How the query would be run, as far as that does not depend on a store.
    ///
    /// - Throws: What is wrong with the query, as running it does.
    public func explain() throws -> String { try plan().description }

    /// How the query would be run, and how many rows that reads at most.
    ///
    /// - Parameter source: A context, or a store.
    /// - Throws: What is wrong with the query, as running it does.
    /// - Complexity: No more than 1,000 rows are counted.
    public func explain(in source: some RecordReadable) throws -> String {
        let plan = try plan()
        return try source.reading { context in
            let rows = try context.table(for: Record.schema).map { table in
                try context.rows(of: ScanPlan(plan.ranges, .ascending, limit: nil, after: nil), in: table)
            }
            return "\(plan)\nrows to read: \(rows ?? "0")"
        }
    }
}

extension ReadContext {
    /// How many rows ranges have, in words.
    fileprivate final func rows(of plan: ScanPlan, in table: RecordTable) throws -> String {
        let limit = 1_000
        if plan.isWholeTable { return "\(try count(table, plan))" }
        let found = try plan.ranges.reduce(0) { count, range in
            try count + keyspace.count(table.database, range, atMost: limit + 1 - count)
        }
        return found > limit ? "more than \(limit) of \(try keyspace.count(table.database))" : "\(found)"
    }
}
