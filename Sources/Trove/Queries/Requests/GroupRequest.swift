// A value of each group of a query.

/// A request for a result of a query by groups, such as the number of records in each group:
/// ``GroupedQuery/count``.
public struct GroupRequest<Value: Sendable>: StoreRequest, Explainable {
    private let results: @Sendable (ReadContext) throws -> Value
    /// A description of the plan, and the maximum number of entries to read. The plan is the same for all aggregates of
    /// a property.
    ///
    /// ```swift
    /// print(try Order.grouped(by: \.city).sum(of: \.total).explain(in: store))
    /// ```
    ///
    /// - Complexity: At most 1,000 entries are counted.
    public let explain: ExplainRequest

    init(_ results: @escaping @Sendable (ReadContext) throws -> Value, _ explain: ExplainRequest) {
        self.results = results
        self.explain = explain
    }

    /// Returns the results, in the order of the groups' keys.
    public func value(in context: ReadContext) throws -> Value { try results(context) }
}
