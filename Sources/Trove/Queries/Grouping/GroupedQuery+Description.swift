// The printed plan of a grouped query.
//
//     scan index(city,total) of Order, all entries
//     groups: city; from the entries alone; min and max of total skip the rest of each group
//     entries to read: 312

import LMDB
import TroveCoding

extension GroupedQuery {
    /// A description of the plan for counts and distinct values, and the maximum number of entries to read.
    ///
    /// The requests for aggregates have an `explain` of their own: `byCity.sum(of: \.total).explain(in: store)`.
    ///
    /// - Complexity: At most 1,000 entries are counted.
    public var explain: ExplainRequest { explain(nil) }

    /// Returns the request for the plan of an aggregate.
    ///
    /// - Parameter property: The property of the aggregate; nil for counts and distinct values.
    func explain(_ property: SortTerm?) -> ExplainRequest { ExplainRequest { try explain(property, in: $0) } }

    private func explain(_ property: SortTerm?, in source: some RecordReadable) throws -> String {
        try check(property)
        return try source.reading { context in
            let table = try context.table(for: Record.schema)
            let path = try table.flatMap { try query.groupPath(terms, of: property, in: $0) }
            let records = try query.unsorted()
            let planner = try records.planner()
            let plan = try path?.plan ?? records.plan(by: planner, table: table, in: context)
            let count = try table.map { try records.entryCount(of: plan, planner, in: $0, context) }
            return try "\(plan)\n\(groupLine(path, property))\nentries to read: \(count ?? "0")"
        }
    }

    /// Returns the line of the plan about the groups.
    ///
    /// - Parameters:
    ///   - path: The path whose entries give the groups; nil if the matching records do.
    ///   - property: The property of the aggregate; nil without one.
    func groupLine(_ path: GroupPath?, _ property: SortTerm?) throws -> String {
        let names = try terms.map { try $0.property().name + ($0.isDescending ? " desc" : "") }
        let way = try path?.way(for: property) ?? "from the matching records, in memory"
        return "groups: \(names.joined(separator: ", ")); \(way)"
    }
}

extension GroupPath {
    fileprivate func way(for property: SortTerm?) throws -> String {
        guard let property else { return "from the entries alone; distinct values skip the rest of each group" }
        let skips = skips(for: GroupAggregate<Void>.Need.least)
        let name = try property.property().name
        return "from the entries alone" + (skips ? "; min and max of \(name) skip the rest of each group" : "")
    }
}
