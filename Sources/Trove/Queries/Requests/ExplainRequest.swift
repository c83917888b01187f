// The printed plan of a query.

/// A request for a description of the plan of another request, such as ``Explainable/explain``.
public struct ExplainRequest: StoreRequest {
    private let text: @Sendable (ReadContext) throws -> String

    init(_ text: @escaping @Sendable (ReadContext) throws -> String) { self.text = text }

    /// Returns the description.
    ///
    /// - Throws: The error of the request, as running it does.
    public func value(in context: ReadContext) throws -> String { try text(context) }
}
