// The entities whose links are a source of keys.

import LMDB
import TroveCoding

/// The entities whose links are walked.
enum LinkOwners: Sendable {
    /// Entities with these keys, stored or not. The keys are distinct.
    case keys([[UInt8]])
    /// The entity with a key, if it is stored.
    case entity([UInt8], RecordSchema)
    /// The entities found by a query, in its order. In a run, the scan that finds them.
    case query(any OwnerQuery, OwnerScan?)

    /// The number of entities at most; nil if it is not known before the run.
    var knownCount: Int? {
        switch self {
        case .keys(let keys): keys.count
        case .entity: 1
        case .query: nil
        }
    }
}

/// The keys of owners, one at a time.
protocol OwnerStream: AnyObject {
    /// Returns the next key; nil at the end.
    func next() throws -> [UInt8]?
}

/// A query for owners, without the type of its records.
protocol OwnerQuery: Sendable, CustomStringConvertible {
    /// Throws the query's error, if it has any.
    func checkOwners() throws

    /// Returns the plan to find the keys.
    func ownerPlan(in context: ReadContext) throws -> QueryPlan

    /// Returns the keys found by a plan, in the query's order; nil if the store has no table for the type.
    func ownerKeys(by plan: QueryPlan, in context: ReadContext) throws -> (any OwnerStream)?
}

extension Query: OwnerQuery {
    func checkOwners() throws { try check() }
    func ownerPlan(in context: ReadContext) throws -> QueryPlan { try keyPlan(in: context) }

    func ownerKeys(by plan: QueryPlan, in context: ReadContext) throws -> (any OwnerStream)? {
        try foundKeys(by: plan, in: context)
    }
}

/// Owners whose keys are known.
final class KnownOwners: OwnerStream {
    private var keys: ArraySlice<[UInt8]>

    init(_ keys: [[UInt8]]) { self.keys = keys[...] }

    func next() -> [UInt8]? { keys.popFirst() }
}
