// Queries for the owners of links: the entities whose links another query walks.

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
