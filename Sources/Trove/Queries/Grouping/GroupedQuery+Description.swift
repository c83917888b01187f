// The printed plan of a grouped query.
//
//     scan index(city,total) of Order, all entries
//     groups: city; from the entries alone; min and max of total skip the rest of each group
//     entries to read: 312
//
//     scan totals(city,year of total) of Order, all entries
//     groups: city; from the totals; no record is read
//     entries to read: 12

import LMDB
import TroveCoding

extension GroupedQuery {
    /// A description of the plan for counts and distinct values, and the maximum number of entries to read.
    ///
    /// The requests for aggregates have an `explain` of their own: `byCity.sum(of: \.total).explain(in: store)`.
    ///
    /// - Complexity: At most 1,000 entries are counted.
    public var explain: ExplainRequest { explain(nil, usesTotals: true) }

    /// Returns the request for the plan of an aggregate.
    ///
    /// - Parameters:
    ///   - property: The property of the aggregate; nil for counts and distinct values.
    ///   - usesTotals: Whether totals have the aggregate.
    func explain(_ property: SortTerm?, usesTotals: Bool) -> ExplainRequest {
        ExplainRequest { try explain(property, usesTotals: usesTotals, in: $0) }
    }

    private func explain(
        _ property: SortTerm?, usesTotals: Bool, in source: some RecordReadable
    ) throws -> String {
        try check(property)
        return try source.reading { context in
            let table = try context.table(for: Record.schema)
            let path = try table.flatMap { try query.groupPath(terms, of: property, in: $0) }
            // The plan for counts and for distinct values may differ: this is the plan for counts.
            if usesTotals, let table,
                let totals = try totalsPlan(GroupAggregate<Void>.Need.all, of: property, path, in: table)
            {
                let rows = try totals.rowCount(in: table, context)
                return try "\(totals.plan)\n\(groupLine(Self.totalsWay))\nentries to read: \(rows)"
            }
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
        try groupLine(path?.way(for: property) ?? "from the matching records, in memory")
    }

    /// Returns the line of the plan about the groups, and the way they are found.
    func groupLine(_ way: String) throws -> String {
        let names = try terms.map { try $0.property().name + ($0.isDescending ? " desc" : "") }
        return "groups: \(names.joined(separator: ", ")); \(way)"
    }

    /// The way of groups from totals.
    static var totalsWay: String { "from the totals; no record is read" }
}

extension GroupPath {
    fileprivate func way(for property: SortTerm?) throws -> String {
        guard let property else { return "from the entries alone; distinct values skip the rest of each group" }
        let skips = skips(for: GroupAggregate<Void>.Need.least)
        let name = try property.property().name
        return "from the entries alone" + (skips ? "; min and max of \(name) skip the rest of each group" : "")
    }
}
