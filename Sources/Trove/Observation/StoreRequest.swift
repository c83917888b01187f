// Requests: questions that a snapshot of a store can answer, again after each change.

/// A request to a snapshot of a store: a query, or any other function of a snapshot.
///
/// ``Query``, ``KeyQuery``, ``RecordQuery``, ``RecordListQuery`` and ``GroupedQuery`` have requests, so that their
/// results can be observed:
///
/// ```swift
/// for try await users in User.filter(\.age >= 18).sorted(by: \.name).values(in: store) { show(users) }
/// ```
///
/// A type of a program can be a request, too. Then its values are compared if they are `Equatable`, and its reads
/// decide which commits are of interest:
///
/// ```swift
/// struct Revenue: StoreRequest {
///     var city: String
///
///     func value(in context: ReadContext) throws -> Int {
///         try Order.filter(\.city == city).sum(of: \.total, in: context)
///     }
/// }
/// for try await revenue in Revenue(city: "Oslo").values(in: store) { show(revenue) }
/// ```
public protocol StoreRequest<Value>: Sendable {
    /// The result.
    associatedtype Value: Sendable

    /// Returns the result in a snapshot.
    ///
    /// It is called on a background thread. The result must depend on the snapshot alone: a change of a clock or of a
    /// global variable is not noticed.
    func value(in context: ReadContext) throws -> Value
}

extension StoreRequest {
    /// Returns the value, and a new one after each commit that changes it, of this process or of another.
    ///
    /// - Parameter store: The store. An iteration keeps it open.
    public func values(in store: Store) -> ObservedValues<Value> {
        ObservedValues(store) { try readerOfValues(of: self) }
    }
}

/// A request that knows how to find out whether its value has changed.
protocol ReadableRequest: StoreRequest {
    /// Returns the reader of an iteration.
    ///
    /// - Throws: The error of the request, such as the error of a query.
    func reader() throws -> any ObservedReader<Value>
}

/// Returns the reader of a request's values for an iteration.
func readerOfValues<Request: StoreRequest>(of request: Request) throws -> any ObservedReader<Request.Value> {
    if let known = request as? any ReadableRequest,
        let reader = try known.reader() as? any ObservedReader<Request.Value>
    {
        return reader
    }
    return RequestReader(request.value, isEqual: areEqual)
}
