// The number of the matching records.

/// A request for the number of a query's records: ``QueryCounting/count``.
public struct CountRequest<Base: QueryCounting>: StoreRequest, Explainable {
    @usableFromInline let base: Base

    @inlinable
    init(_ base: Base) { self.base = base }

    /// Returns the number of matching records.
    ///
    /// - Throws: The query's error.
    @inlinable
    public func value(in context: ReadContext) throws -> Int { try base._count(in: context) }

    /// A description of the plan of the count, and the maximum number of entries to read.
    ///
    /// A count steps over every entry in the ranges of its plan, even if it reads no record. The numbers of all records
    /// of a type and of the records with a word are stored, and ``Totals(by:of:where:)`` and ranked indexes know more.
    ///
    /// - Complexity: At most 1,000 entries are counted.
    public var explain: ExplainRequest { ExplainRequest { context in try base._explainCount(in: context) } }
}
