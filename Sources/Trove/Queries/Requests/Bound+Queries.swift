// The methods of queries that are bound to a context or a store.

import TroveCoding

// MARK: Records

extension Bound where Request: QueryCounting {
    /// Returns the first record, in the query's order; nil if there is none.
    ///
    /// - Throws: The error of the query; ``StoreError`` if no snapshot can be read.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func first() throws -> Request.Record? { try request.first(in: source) }
}

extension Bound where Request: QueryCounting, Source == Store {
    /// The async form of `first()`. It reads on another thread.
    public func first() async throws -> Request.Record? { try await request.first(in: source) }
}

extension Bound {
    /// Returns the last record, in the query's order; nil if there is none. See ``Query/last``.
    ///
    /// - Throws: The error of the query; ``StoreError`` if no snapshot can be read.
    @available(*, noasync, message: "await the call")
    public func last<Record>() throws -> Record? where Request == Query<Record> { try request.last(in: source) }

    /// Calls a closure with each matching record, in the query's order.
    ///
    /// - Throws: The error of the query, or of the closure.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func forEach<Record>(_ body: (Record) throws -> Void) throws where Request == Query<Record> {
        try request.forEach(in: source, body)
    }

    /// Calls a closure with each matching record, in the query's order, until the closure returns `.stop`.
    ///
    /// - Throws: The error of the query, or of the closure.
    @_disfavoredOverload  // A closure without `return` would fit both.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func forEach<Record>(_ body: (Record) throws -> ScanControl) throws where Request == Query<Record> {
        try request.forEach(in: source, body)
    }

    /// Returns a request for a property of the matching records; see ``Query/select(_:)``.
    @inlinable
    public func select<Record, Value: Sendable>(
        _ property: KeyPath<Record, Value>
    ) -> Bound<PropertyRequest<Record, Value>, Source> where Request == Query<Record> {
        Bound<_, Source>(request.select(property), in: source)
    }

    /// Returns a request for several properties of the matching records; see ``Query/select(_:_:_:)``.
    @inlinable
    public func select<Record, First: Sendable, Second: Sendable, each Rest: Sendable>(
        _ first: KeyPath<Record, First>, _ second: KeyPath<Record, Second>, _ rest: repeat KeyPath<Record, each Rest>
    ) -> Bound<PropertiesRequest<Record, First, Second, repeat each Rest>, Source> where Request == Query<Record> {
        Bound<_, Source>(request.select(first, second, repeat each rest), in: source)
    }
}

extension Bound where Source == Store {
    /// The async form of `last()`. It reads on another thread.
    public func last<Record>() async throws -> Record? where Request == Query<Record> {
        try await request.last(in: source)
    }

    /// The async form of `forEach(_:)`. The closure runs on a background thread.
    public func forEach<Record>(_ body: @escaping @Sendable (Record) throws -> Void) async throws
    where Request == Query<Record> {
        try await request.forEach(in: source, body)
    }

    /// The async form of `forEach(_:)`, until the closure returns `.stop`.
    @_disfavoredOverload  // A closure without `return` would fit both.
    public func forEach<Record>(_ body: @escaping @Sendable (Record) throws -> ScanControl) async throws
    where Request == Query<Record> {
        try await request.forEach(in: source, body)
    }
}

// MARK: Statements

extension Bound where Source: RecordWritable {
    /// Removes the matching records, and returns their number.
    ///
    /// - Throws: The errors of ``Query/delete(in:)-(RecordWritable)``. Nothing is then deleted.
    @discardableResult
    @available(*, noasync, message: "await the call")
    public func delete<Record>() throws -> Int where Request == Query<Record> { try request.delete(in: source) }

    /// Changes the matching records, all or none, and returns their number.
    ///
    /// - Throws: The errors of ``Query/update(in:_:)-(RecordWritable,_)``. Nothing is then changed.
    @inlinable
    @discardableResult
    @available(*, noasync, message: "await the call")
    public func update<Record>(_ change: (inout Record) throws -> Void) throws -> Int
    where Request == Query<Record> {
        try request.update(in: source, change)
    }
}

extension Bound where Source == Store {
    /// The async form of `delete()`.
    @discardableResult
    public func delete<Record>() async throws -> Int where Request == Query<Record> {
        try await request.delete(in: source)
    }

    /// The async form of `update(_:)`. The closure runs on the store's writer thread.
    @discardableResult
    public func update<Record>(_ change: @escaping @Sendable (inout Record) throws -> Void) async throws -> Int
    where Request == Query<Record> {
        try await request.update(in: source, change)
    }
}

// MARK: Conditions and orders of queries for known records

extension Bound {
    /// Returns the query for the record, if it also matches a filter.
    public func filter<Record>(_ filter: Filter<Record>) -> Bound where Request == RecordQuery<Record> {
        Bound(request.filter(filter), in: source)
    }

    /// Returns the query for the record, if a closure accepts it; see ``Filter/where(_:)``.
    public func filter<Record>(where matches: @escaping @Sendable (Record) -> Bool) -> Bound
    where Request == RecordQuery<Record> {
        Bound(request.filter(where: matches), in: source)
    }

    /// Returns a query for the records that also match a filter, each once, in the order of the keys.
    public func filter<Record>(_ filter: Filter<Record>) -> Bound<Query<Record>, Source>
    where Request == RecordListQuery<Record> {
        Bound<_, Source>(request.filter(filter), in: source)
    }

    /// Returns a query for the records in the order of some properties, each once.
    public func sorted<Record, each Value: KeyComponent>(
        by properties: repeat KeyPath<Record, each Value>
    ) -> Bound<Query<Record>, Source> where Request == RecordListQuery<Record> {
        Bound<_, Source>(request.sorted(by: repeat each properties), in: source)
    }
}

// MARK: Aggregates

extension Bound {
    /// Returns a request for the least value of a property; see ``Query/min(of:)``.
    @inlinable
    public func min<Record, Value: KeyComponent>(
        of property: KeyPath<Record, Value>
    ) -> Bound<ExtremeRequest<Record, Value>, Source> where Request == Query<Record> {
        Bound<_, Source>(request.min(of: property), in: source)
    }

    /// Returns a request for the greatest value of a property; see ``Query/max(of:)``.
    @inlinable
    public func max<Record, Value: KeyComponent>(
        of property: KeyPath<Record, Value>
    ) -> Bound<ExtremeRequest<Record, Value>, Source> where Request == Query<Record> {
        Bound<_, Source>(request.max(of: property), in: source)
    }

    /// Returns a request for the rank of a record; see ``Query/rank(of:)``.
    public func rank<Record>(of record: Record) -> Bound<RankRequest<Record>, Source> where Request == Query<Record> {
        Bound<_, Source>(request.rank(of: record), in: source)
    }

    /// Returns a request for the rank of the record with a key; see ``Query/rank(ofKey:)``.
    public func rank<Record>(ofKey key: Record.IndexKey) -> Bound<RankRequest<Record>, Source>
    where Request == Query<Record> {
        Bound<_, Source>(request.rank(ofKey: key), in: source)
    }

    /// Returns a request for a quantile of a property; see ``Query/quantile(_:of:)``.
    @inlinable
    public func quantile<Record, Value: KeyComponent>(
        _ share: Double, of property: KeyPath<Record, Value>
    ) -> Bound<QuantileRequest<Record, Value>, Source> where Request == Query<Record> {
        Bound<_, Source>(request.quantile(share, of: property), in: source)
    }

    /// Returns a request for the sum of a property; see ``Query/sum(of:)``.
    @inlinable
    public func sum<Record, Value: Summable>(of property: KeyPath<Record, Value>) -> Bound<
        SumRequest<Record, Value>, Source
    > where Request == Query<Record> {
        Bound<_, Source>(request.sum(of: property), in: source)
    }

    /// Returns a request for the average of a property; see ``Query/average(of:)``.
    @inlinable
    public func average<Record, Value: Summable>(
        of property: KeyPath<Record, Value>
    ) -> Bound<AverageRequest<Record, Value>, Source> where Request == Query<Record> {
        Bound<_, Source>(request.average(of: property), in: source)
    }

    /// Returns a request for the distinct values of a property; see ``Query/distinct(_:)``.
    public func distinct<Record, Value: KeyComponent>(
        _ property: KeyPath<Record, Value>
    ) -> Bound<GroupRequest<[Value]>, Source> where Request == Query<Record> {
        Bound<_, Source>(request.distinct(property), in: source)
    }

    /// Returns a request for the distinct values of several properties; see ``Query/distinct(_:)``.
    public func distinct<Record, First: KeyComponent, Second: KeyComponent, each Rest: KeyComponent>(
        _ first: KeyPath<Record, First>, _ second: KeyPath<Record, Second>,
        _ rest: repeat KeyPath<Record, each Rest>
    ) -> Bound<GroupRequest<[(First, Second, repeat each Rest)]>, Source> where Request == Query<Record> {
        Bound<_, Source>(request.distinct(first, second, repeat each rest), in: source)
    }

    /// Returns the matching records in groups with equal values of a property; see ``Query/grouped(by:)``.
    public func grouped<Record, Key: KeyComponent>(
        by property: KeyPath<Record, Key>
    ) -> Bound<GroupedQuery<Record, Key>, Source> where Request == Query<Record> {
        Bound<_, Source>(request.grouped(by: property), in: source)
    }

    /// Returns the matching records in groups with equal values of several properties; see
    /// ``Query/grouped(by:_:_:)``.
    public func grouped<Record, First: KeyComponent, Second: KeyComponent, each Rest: KeyComponent>(
        by first: KeyPath<Record, First>, _ second: KeyPath<Record, Second>,
        _ rest: repeat KeyPath<Record, each Rest>
    ) -> Bound<GroupedQuery<Record, (First, Second, repeat each Rest)>, Source> where Request == Query<Record> {
        Bound<_, Source>(request.grouped(by: first, second, repeat each rest), in: source)
    }
}

// MARK: Groups

extension Bound {
    /// Returns a request for the least value of a property in each group; see ``GroupedQuery/min(of:)``.
    public func min<Record, Key, Value: KeyComponent>(
        of property: KeyPath<Record, Value>
    ) -> Bound<GroupRequest<[(key: Key, value: Value)]>, Source> where Request == GroupedQuery<Record, Key> {
        Bound<GroupRequest<[(key: Key, value: Value)]>, Source>(request.min(of: property), in: source)
    }

    /// Returns a request for the greatest value of a property in each group; see ``GroupedQuery/max(of:)``.
    public func max<Record, Key, Value: KeyComponent>(
        of property: KeyPath<Record, Value>
    ) -> Bound<GroupRequest<[(key: Key, value: Value)]>, Source> where Request == GroupedQuery<Record, Key> {
        Bound<GroupRequest<[(key: Key, value: Value)]>, Source>(request.max(of: property), in: source)
    }

    /// Returns a request for the sum of a property in each group; see ``GroupedQuery/sum(of:)``.
    public func sum<Record, Key, Value: Summable>(
        of property: KeyPath<Record, Value>
    ) -> Bound<GroupRequest<[(key: Key, value: Value.Number)]>, Source> where Request == GroupedQuery<Record, Key> {
        Bound<GroupRequest<[(key: Key, value: Value.Number)]>, Source>(request.sum(of: property), in: source)
    }

    /// Returns a request for the average of a property in each group; see ``GroupedQuery/average(of:)``.
    public func average<Record, Key, Value: Summable>(
        of property: KeyPath<Record, Value>
    ) -> Bound<GroupRequest<[(key: Key, value: Value.GroupAverage)]>, Source>
    where Request == GroupedQuery<Record, Key> {
        Bound<GroupRequest<[(key: Key, value: Value.GroupAverage)]>, Source>(request.average(of: property), in: source)
    }
}
