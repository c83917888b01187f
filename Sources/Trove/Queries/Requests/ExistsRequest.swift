// Whether there is a matching record.

/// A request for whether a query finds any record: ``QueryCounting/exists``.
public struct ExistsRequest<Base: QueryCounting>: StoreRequest {
    @usableFromInline let base: Base

    @inlinable
    init(_ base: Base) { self.base = base }

    /// Returns whether the query finds any record.
    ///
    /// - Throws: The query's error.
    @inlinable
    public func value(in context: ReadContext) throws -> Bool { try base._exists(in: context) }
}
