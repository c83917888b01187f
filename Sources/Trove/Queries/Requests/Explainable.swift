// What has a plan that can be printed.

/// A query or a request with a description of its plan.
public protocol Explainable: Sendable {
    /// A description of the plan, as a request.
    var explain: ExplainRequest { get }
}

extension Explainable {
    /// Returns a description of the plan, and the maximum number of entries to read.
    ///
    /// ```swift
    /// print(try User.filter(\.age >= 18).count.explain(in: store))
    /// ```
    ///
    /// - Parameter source: A context, or a store.
    /// - Throws: The error of the query, as running it does.
    /// - Complexity: At most 1,000 entries are counted.
    @available(*, noasync, message: "await the call")
    public func explain(in source: some RecordReadable) throws -> String { try explain.resolve(in: source) }

    /// The async form of `explain(in:)`. It reads on another thread.
    public func explain(in store: Store) async throws -> String { try await explain.resolve(in: store) }
}
