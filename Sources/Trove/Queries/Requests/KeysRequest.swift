// The keys of the matching records.

/// A request for the keys of a query's records: ``Query/keys``.
public struct KeysRequest<Record: IndexKeyRecord>: StoreRequest {
    @usableFromInline let query: Query<Record>

    @inlinable
    init(_ query: Query<Record>) { self.query = query }

    /// Returns the keys, in the query's order.
    ///
    /// - Throws: The query's error.
    @inlinable
    public func value(in context: ReadContext) throws -> [Record.IndexKey] { try query._keys(in: context) }
}
