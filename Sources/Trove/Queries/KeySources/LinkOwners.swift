// The entities whose links are a source of keys.

import LMDB
import TroveCoding

/// The entities whose links are walked.
enum LinkOwners: Sendable {
    /// Entities with these keys, stored or not. The keys are distinct.
    case keys([[UInt8]])
    /// The entities with these keys, if they are stored. The keys are distinct.
    case entities([[UInt8]], RecordSchema)
    /// The entities found by a query, in its order.
    case query(any OwnerQuery)

    /// The number of entities at most; nil if it is not known before the run.
    var knownCount: Int? {
        switch self {
        case .keys(let keys), .entities(let keys, _): keys.count
        case .query: nil
        }
    }

    /// The number of queries that run within each other to find the entities.
    var depth: Int { if case .query(let query) = self { query.depth } else { 0 } }
}

/// The keys of owners, one at a time.
protocol OwnerStream: AnyObject {
    /// Returns the next key; nil at the end.
    func next() throws -> [UInt8]?
}

/// A query for owners, without the type of its records.
protocol OwnerQuery: Sendable, CustomStringConvertible {
    /// The number of queries on which the query depends, each on the next.
    var depth: Int { get }

    /// Throws the query's error, if it has any.
    func checkOwners() throws

    /// Returns the plan to find the keys.
    func ownerPlan(in context: ReadContext) throws -> QueryPlan

    /// Returns the keys found by a plan, in the query's order; nil if the store has no table for the type.
    func ownerKeys(by plan: QueryPlan, in context: ReadContext) throws -> (any OwnerStream)?
}

extension Query: OwnerQuery {
    var depth: Int { source?.keys.depth ?? 0 }

    func checkOwners() throws { try check() }

    func ownerPlan(in context: ReadContext) throws -> QueryPlan {
        try plan(planner(), context.table(for: Record.schema), context, .keys)
    }

    func ownerKeys(by plan: QueryPlan, in context: ReadContext) throws -> (any OwnerStream)? {
        guard let table = try context.table(for: Record.schema) else { return nil }
        return try FoundOwners(QueryRun(self, plan, planner(), table, context, .keys), context)
    }
}

/// Those of some entities that are stored.
final class StoredOwners: OwnerStream {
    private var keys: ArraySlice<[UInt8]>
    private let schema: RecordSchema
    private let context: ReadContext

    init(_ keys: [[UInt8]], _ schema: RecordSchema, in context: ReadContext) {
        self.keys = keys[...]
        self.schema = schema
        self.context = context
    }

    func next() throws -> [UInt8]? {
        while let key = keys.popFirst() {
            if try context.hasRecord(schema, key) { return key }
        }
        return nil
    }
}

/// Owners whose keys are known.
final class KnownOwners: OwnerStream {
    private var keys: ArraySlice<[UInt8]>

    init(_ keys: [[UInt8]]) { self.keys = keys[...] }

    func next() -> [UInt8]? { keys.popFirst() }
}

/// The owners found by a run of a query.
private final class FoundOwners<Record: IndexKeyRecord>: OwnerStream {
    /// The keys in the query's order, if the result had to be sorted.
    private let sorted: KnownOwners?
    private var scan: FilterCursor<Record>?
    private var matches: Matches?

    init(_ run: QueryRun<Record>, _ context: ReadContext) throws {
        if run.sorts {
            sorted = KnownOwners(try run.collectSorted(context) { matches, index, _ in matches[index].key.copy() })
            scan = nil
        } else {
            sorted = nil
            // Links are read between two batches, so the scan must not lock the transaction.
            scan = try run.scan(context, mayWrite: true)
        }
    }

    func next() throws -> [UInt8]? {
        if let sorted { return sorted.next() }
        while true {
            if let index = matches?.popFirst() { return matches?[index].key.copy() }
            matches = try scan?.next()
            if matches == nil { return nil }
        }
    }
}
