// Requests of queries for something other than their records: a count, a record, keys, properties.

import TroveCoding

/// A request for a part of a query's result: the count, the first record, the keys, or properties of the records.
///
/// ```swift
/// let unread = Message.filter(\.isRead == false).counted
/// for try await count in unread.values(in: store) { show(count) }
/// ```
public struct QueryRequest<Value: Sendable>: StoreRequest, ReadableRequest {
    private let fetch: @Sendable (ReadContext) throws -> Value
    private let makeReader: @Sendable () throws -> any ObservedReader<Value>

    /// - Parameters:
    ///   - fetch: Returns the value in a snapshot.
    ///   - makeReader: Returns the reader of an iteration.
    init(
        _ fetch: @escaping @Sendable (ReadContext) throws -> Value,
        _ makeReader: @escaping @Sendable () throws -> any ObservedReader<Value>
    ) {
        self.fetch = fetch
        self.makeReader = makeReader
    }

    /// Creates a request for values of stored properties, which are compared by their bytes.
    init(_ fetch: @escaping @Sendable (ReadContext) throws -> Value) {
        self.init(fetch) { RequestReader(fetch, isEqual: haveSameContents) }
    }

    /// Returns the value in a snapshot.
    public func value(in context: ReadContext) throws -> Value { try fetch(context) }

    func reader() throws -> any ObservedReader<Value> { try makeReader() }
}

extension QueryAggregating {
    /// The number of matching records, as a request.
    ///
    /// ```swift
    /// for try await count in User.filter(\.age >= 18).counted.values(in: store) { show(count) }
    /// ```
    ///
    /// While there are at most 1,000 matches, their keys are kept: a change of a record that matches before and after,
    /// or neither, does not wake the loop. Of more matches, only the number is kept, and they are counted again after
    /// each change in the query's key ranges.
    public var counted: QueryRequest<Int> {
        let query = asQuery
        let fetch: @Sendable (ReadContext) throws -> Int = { try query.count(in: $0) }
        return QueryRequest(fetch) {
            if let reader = try CountReader(query) { return reader }
            return RequestReader(fetch, isEqual: ==)
        }
    }

    /// The first matching record in the query's order, as a request; nil if there is none. Without an order, it is the
    /// record with the least key.
    ///
    /// ```swift
    /// for try await latest in Message.query().sorted(by: \.date.desc).firstOnly.values(in: store) { show(latest) }
    /// ```
    public var firstOnly: QueryRequest<Record?> {
        let query = asQuery.inSomeOrder.single
        return QueryRequest {
            try query.resolve(in: $0).first
        } _: {
            try RowsReader(query) { $0.rows.records.first }
        }
    }

    /// The keys of the matching records in the query's order, as a request. Without an order, they ascend. A change of
    /// other properties is not reported.
    public var keysOnly: QueryRequest<[Record.IndexKey]> {
        let query = asQuery.inSomeOrder
        return QueryRequest {
            try query.keys(in: $0)
        } _: {
            try RowsReader(query, keepsRecords: false) { state in
                try (0..<state.rows.count).map { try Record.key(state.rows.keys.key(at: $0)) }
            }
        }
    }
}

extension SumRequest: ReadableRequest {
    func reader() -> any ObservedReader<Property.Number> { RequestReader(value, isEqual: haveSameContents) }
}

extension AverageRequest: ReadableRequest {
    func reader() -> any ObservedReader<Property.Number.Average?> { RequestReader(value, isEqual: haveSameContents) }
}

extension ExtremeRequest: ReadableRequest {
    func reader() -> any ObservedReader<Property._Unwrapped?> { RequestReader(value, isEqual: haveSameContents) }
}

extension GroupRequest: ReadableRequest {
    func reader() -> any ObservedReader<Value> { RequestReader(value, isEqual: haveSameContents) }
}

extension BoundQuery where Source == Store {
    /// Returns the matching records, and new ones after each commit that changes them; see
    /// ``StoreRequest/values(in:)``.
    public func values() -> ObservedValues<[Record]> { query.values(in: source) }

    /// Returns the changes of the list of matching records; see ``Query/changes(in:)``.
    public func changes() -> ObservedValues<ListChange<Record>> { query.changes(in: source) }
}

extension BoundRecordQuery where Source == Store {
    /// Returns the record, and the new one after each commit that changes it; see ``StoreRequest/values(in:)``.
    public func values() -> ObservedValues<Record?> { query.values(in: source) }
}

extension BoundRecordListQuery where Source == Store {
    /// Returns the records, and new ones after each commit that changes them; see ``StoreRequest/values(in:)``.
    public func values() -> ObservedValues<[Record]> { query.values(in: source) }
}
