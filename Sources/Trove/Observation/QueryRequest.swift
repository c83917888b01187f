// Requests of queries for something other than their records, and the readers of their observed values.

import TroveCoding

/// A request for a part of a query's result: the first record, or properties of the records.
///
/// ```swift
/// let unread = Message.filter(\.isRead == false).only(\.title)
/// for try await titles in unread.values(in: store) { show(titles) }
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
}

extension CountRequest: ReadableRequest {
    func reader() throws -> any ObservedReader<Int> {
        if let query = base as? any QueryAggregating, let reader = try countReader(of: query) { return reader }
        return RequestReader(value, isEqual: ==)
    }

    private func countReader(of query: some QueryAggregating) throws -> (any ObservedReader<Int>)? {
        try CountReader(query.asQuery)
    }
}

extension ExistsRequest: ReadableRequest {
    func reader() -> any ObservedReader<Bool> { RequestReader(value, isEqual: ==) }
}

extension KeysRequest: ReadableRequest {
    func reader() throws -> any ObservedReader<[Base.Record.IndexKey]> {
        try RowsReader(base.asQuery.inSomeOrder, keepsRecords: false) { state in
            try (0..<state.rows.count).map { try Base.Record.key(state.rows.keys.key(at: $0)) }
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
