// The part of a plan that looks up the keys of a source.

import LMDB
import TroveCoding

/// How a plan reads the keys of a source.
final class SourceScan: Sendable {
    /// The order of the records.
    enum Order: Sendable {
        /// The order of the source; or the opposite order, of a source in key order.
        case walk(isDescending: Bool)
        /// Any order. Keys are sorted in chunks, so that their records are looked up in order.
        case any
        /// The order of the keys, all of which are collected first.
        case keys(isDescending: Bool)
        /// The order of the source, for the matches of another plan. All of them are collected first.
        case matches(QueryPlan)
    }

    let source: any KeySource
    let order: Order
    /// The plan of the query on which the source depends.
    let ownerPlan: QueryPlan?
    /// The walk, or the order, in a plan.
    private let text: String
    private let orderName: String?

    init(_ source: any KeySource, _ open: any OpenKeySource, _ order: Order) {
        self.source = source
        self.order = order
        ownerPlan = open.ownerPlan
        text = if case .matches = order { open.orderText } else { open.walkText }
        orderName = open.orderName
    }

    /// Whether all keys are collected before the first lookup.
    var collectsKeys: Bool {
        switch order {
        case .walk, .any: false
        case .keys, .matches: true
        }
    }

    func open(in context: ReadContext) throws -> any OpenKeySource { try source.open(in: context) }

    /// Returns the words of the plan about the source beyond its description; nil for none.
    func details(in context: ReadContext) throws -> String? {
        try translatingErrors { try open(in: context).details() }
    }

    /// Returns the keys of a plan's matches, in the order of the source.
    ///
    /// - Parameter start: The key after which to begin.
    func keys<Record: IndexKeyRecord>(
        of matches: QueryPlan, _ type: Record.Type, _ context: ReadContext, _ table: RecordTable, after start: [UInt8]?
    ) throws -> EntryBuffer {
        let source = try open(in: context)
        let startPlace = try start.map { try source.place(ofStart: $0, table) }
        let keys = EntryBuffer()
        var cursor = try FilterCursor<Record>(
            context, table, matches, after: nil, readsProperties: false, keysSuffice: true, mayWrite: false)
        while var matches = try cursor.next() {
            while let index = matches.popFirst() { keys.append(key: matches[index].key) }
        }
        try source.prepare(keys)
        try keys.sort { entry in
            guard let place = try source.place(of: entry.key) else { return nil }
            return startPlace.map { TopN.precedes($0, place) } ?? true ? place : nil
        }
        return keys
    }
}

extension RecordTable {
    /// Creates the error for a page that continues after a key without a place in the order.
    func noContinuation(after key: [UInt8]) -> StoreError {
        .query(.noContinuation(type: schema.name, key: schema.storedKey(key)))
    }
}

// MARK: In a plan

extension SourceScan {
    /// The lines of a plan about the source.
    var lines: [String] {
        let owners = ownerPlan.map(Self.indented) ?? []
        let end = owners.isEmpty ? "" : ":"
        guard case .matches(let plan) = order else { return [text + end] + owners }
        return [text + end] + owners + ["matches of:"] + Self.indented(plan)
    }

    /// Returns the line about the order; nil for the order of the source, and for any order.
    ///
    /// - Parameter wanted: The number of best keys that answer the query; nil if it is unknown.
    func orderLine(wanted: Int?) -> String? {
        switch order {
        case .any: nil
        case .walk(isDescending: false), .matches:
            orderName.map { "order: \($0)" + (wanted.map { "; best \($0) kept, blocks passed over" } ?? "") }
        case .walk(isDescending: true): "order: as stored, backwards"
        case .keys(let isDescending): "order: keys sorted\(isDescending ? ", backwards" : "")"
        }
    }

    private static func indented(_ plan: QueryPlan) -> [String] {
        plan.description.split(separator: "\n").map { "  " + $0 }
    }
}
