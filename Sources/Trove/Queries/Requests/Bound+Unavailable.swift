// Calls of a bound query with a context, which the compiler answers with the right call.

import TroveCoding

extension Bound where Request: StoreRequest {
    /// Does not exist: the request has its store or context already.
    @available(*, unavailable, message: "the query has its store or context already: resolve()")
    public func resolve(in other: some RecordReadable) throws -> Request.Value { try request.resolve(in: other) }
}

extension Bound where Request: QueryCounting {
    /// Does not exist: the query has its store or context already.
    @available(*, unavailable, message: "the query has its store or context already: first()")
    public func first(in other: some RecordReadable) throws -> Request.Record? { try request.first(in: other) }
}

extension Bound where Request: StoreRequest {
    /// Does not exist: the request has its store or context already.
    @available(*, unavailable, message: "the request has its store or context already: write no 'in:'")
    public func callAsFunction(in other: some RecordReadable) throws -> Request.Value { try request.resolve(in: other) }
}
