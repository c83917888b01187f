// The keys of the matching records.

/// A request for the keys of a query's records: ``QueryAggregating/keys``.
public struct KeysRequest<Base: QueryAggregating>: StoreRequest {
    @usableFromInline let base: Base

    @inlinable
    init(_ base: Base) { self.base = base }

    /// Returns the keys, in the query's order.
    ///
    /// - Throws: The query's error.
    @inlinable
    public func value(in context: ReadContext) throws -> [Base.Record.IndexKey] { try base._keys(in: context) }
}
