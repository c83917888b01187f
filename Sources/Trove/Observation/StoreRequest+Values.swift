// The observation of requests.

extension StoreRequest {
    /// Returns the value, and a new one after each commit that changes it, of this process or of another.
    ///
    /// ```swift
    /// for try await total in Order.query().sum(of: \.total).values(in: store) { show(total) }
    /// ```
    ///
    /// - Parameter store: The store. An iteration keeps it open.
    public func values(in store: Store) -> ObservedValues<Value> {
        ObservedValues(store) { try readerOfValues(of: self) }
    }
}

extension Bound where Request: StoreRequest, Source == Store {
    /// Returns the value, and a new one after each commit that changes it; see ``StoreRequest/values(in:)``.
    public func values() -> ObservedValues<Request.Value> { request.values(in: source) }
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
