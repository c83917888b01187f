// The printed form of a plan.
//
//     scan User, 2 ranges: (lastName == "Dallas" or lastName > "X")
//     scan index(age) of User, 1 range: age >= 18
//     filter: status == active and a closure
//     closure: decodes each record that passes the other conditions; no index serves it
//     order: age desc, firstName; sorted, at most 120 at a time
//     limit 20, offset 40
//     entries to read: 312

import LMDB
import TroveCoding

extension QueryPlan: CustomStringConvertible {
    var description: String { lines.joined(separator: "\n") }

    private var lines: [String] {
        [pathLine] + [keyLine, filterLine, closureLine, orderLine, limitLine].compactMap(\.self)
    }

    private var pathLine: String {
        if let source { return source.lines.joined(separator: "\n") }
        if let merged {
            let way = merged.isUnion ? "any of these has" : "each of these has"
            return (["fetch \(type) by the keys that \(way)"] + merged.parts.map { "  \($0.pathLine)" })
                .joined(separator: "\n")
        }
        let used = usedFilters.isEmpty ? "" : ": \(FilterTree.and(FilterParts(usedFilters)).conjunction)"
        let isRecords = path.kind == .records
        let subject = isRecords ? "scan \(type)" : "scan \(path.name) of \(type)"
        if ranges.isEverything { return subject + (isRecords ? ", all records" : ", all entries") }
        if ranges.isEmpty { return "\(subject), nothing\(used)" }
        return "\(subject), \(ranges.count == 1 ? "1 range" : "\(ranges.count) ranges")\(used)"
    }

    private var keyLine: String? {
        guard !keyRanges.isEverything else { return nil }
        return "keys: in \(keyRanges.count == 1 ? "1 range" : "\(keyRanges.count) ranges")"
    }

    private var filterLine: String? { isExact ? nil : "filter: \(filter)" }

    private var closureLine: String? {
        filter.hasClosures ? "closure: decodes each record that passes the other conditions; no index serves it" : nil
    }

    private var orderLine: String? {
        if isSortedByClosure { return "order: a closure; all matches decoded and sorted" }
        if let source, !sorts { return source.orderLine(wanted: isExact ? wanted : nil) }
        let way =
            switch scanOrder {
            case _ where sorts:
                wanted.map { "sorted, at most \(Swift.max(64, 2 * min($0, .max / 2))) at a time" } ?? "sorted"
            case .ascending: "as stored"
            case .descending: "as stored, backwards"
            case .groups: "as stored, groups backwards"
            case .ties(_, let isDescending): "as stored\(isDescending ? ", backwards" : ""), ties sorted"
            }
        guard !order.isEmpty else { return scanOrder == .ascending ? nil : "order: \(way)" }
        let names = order.map { $0.property.name + ($0.isDescending ? " desc" : "") }
        return "order: \(names.joined(separator: ", ")); \(way)"
    }

    private var limitLine: String? {
        let way = skipsByCounts ? " by the counts of entries" : ""
        let parts = [limit.map { "limit \($0)" }, offset > 0 ? "offset \(offset)\(way)" : nil].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}

extension QueryPlan {
    /// Whether a count is the stored number of entries in a table.
    fileprivate var isStoredCount: Bool { isRangesAlone && ranges.isEverything && !sorts && limit == nil }

    /// The work of a count for each entry.
    fileprivate var countText: String {
        if sorts { return "of the sorted matches" }
        if source != nil, isExact { return "of the source's keys; no record is read" }
        return isExact ? "a step for each entry; no record is read" : "a test for each entry or record"
    }
}

extension FilterTree {
    /// The text of a conjunction; for a single part, its own text.
    fileprivate var conjunction: String { conjuncts.count == 1 ? conjuncts[0].description : description }
}

extension Query {
    /// Returns a description of the query's plan, and the maximum number of entries to read.
    public func _explain(in context: ReadContext) throws -> String {
        let planner = try planner()
        let table = try context.table(for: Record.schema)
        let best = try plan(by: planner, table: table, in: context)
        let count = try table.map { try entryCount(of: best, planner, in: $0, context) }
        let details = try best.source?.details(in: context)
        let last = details.map { "\($0); rows to read: at most " } ?? "entries to read: "
        let read = best.skipsByCounts ? best.limit.map { "\($0), and some counts" } : nil
        return (["\(best)", last + (read ?? count ?? "0")] + nestedLines).joined(separator: "\n")
    }

    /// Returns a description of the plan of a count, and the maximum number of entries to read.
    public func _explainCount(in context: ReadContext) throws -> String {
        if let text = try explainTotals(of: nil, "count", in: context) { return text }
        let query = try countQuery()
        let planner = try query.planner()
        let table = try context.table(for: Record.schema)
        let plan = try query.plan(by: planner, table: table, in: context, for: .count)
        if plan.hasRanks, plan.limit == nil {
            return "\(plan)\ncount: by the counts of entries; no record is read\nentries to read: some counts"
        }
        let isStored = plan.isStoredCount && query.continuation == nil
        let count = isStored ? "0" : try table.map { try query.entryCount(of: plan, planner, in: $0, context) }
        return "\(plan)\ncount: \(isStored ? "stored" : plan.countText)\nentries to read: \(count ?? "0")"
    }

    /// Returns whether a count returns a stored number, and reads no entry.
    func hasStoredCount(in context: ReadContext) throws -> Bool {
        let query = try countQuery()
        let planner = try query.planner()
        guard query.continuation == nil,
            let table = try context.table(for: Record.schema, reading: query.recordRanges(by: planner))
        else { return false }
        return try query.plan(by: planner, table: table, in: context, for: .count).isStoredCount
    }

    /// Returns the maximum number of entries to read, in words.
    func entryCount(
        of plan: QueryPlan, _ planner: Planner, in table: RecordTable, _ context: ReadContext
    ) throws -> String {
        let limit = 1_000
        if case .matches(let matches) = plan.source?.order {
            return try entryCount(of: matches, planner, in: table, context)
        }
        if let source = plan.source {
            let open = try translatingErrors { try source.open(in: context) }
            let limit = open.isCounted ? .max - 1 : limit
            let count = try translatingErrors { try open.entryCount(atMost: limit + 1) }
            return count > limit ? "more than \(limit)" : "\(count)"
        }
        let size = try translatingErrors { try context.keyspace.count(table.database(of: plan.path)) }
        if plan.isWholePath { return "\(size)" }
        let count = try choice(by: planner, table: table, in: context, for: .records)
            .entryCount(of: plan, atMost: limit + 1)
        return count > limit ? "more than \(limit) of \(size)" : "\(count)"
    }
}
