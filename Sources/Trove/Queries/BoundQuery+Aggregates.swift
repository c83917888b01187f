// The aggregates and the groups of bound queries.

import TroveCoding

extension BoundQuery {
    /// Returns a request for the least value of a property; see ``QueryAggregating/min(of:)``.
    @inlinable
    public func min<Value: KeyComponent>(
        of property: KeyPath<Record, Value>
    ) -> Bound<ExtremeRequest<Record, Value>, Source> {
        Bound(query.min(of: property), in: source)
    }

    /// Returns a request for the greatest value of a property; see ``QueryAggregating/max(of:)``.
    @inlinable
    public func max<Value: KeyComponent>(
        of property: KeyPath<Record, Value>
    ) -> Bound<ExtremeRequest<Record, Value>, Source> {
        Bound(query.max(of: property), in: source)
    }

    /// Returns a request for the sum of a property; see ``QueryAggregating/sum(of:)``.
    @inlinable
    public func sum<Value: Summable>(of property: KeyPath<Record, Value>) -> Bound<SumRequest<Record, Value>, Source> {
        Bound(query.sum(of: property), in: source)
    }

    /// Returns a request for the average of a property; see ``QueryAggregating/average(of:)``.
    @inlinable
    public func average<Value: Summable>(
        of property: KeyPath<Record, Value>
    ) -> Bound<AverageRequest<Record, Value>, Source> {
        Bound(query.average(of: property), in: source)
    }

    /// Returns a request for the distinct values of a property; see ``QueryAggregating/distinct(_:)``.
    public func distinct<Value: KeyComponent>(
        _ property: KeyPath<Record, Value>
    ) -> Bound<GroupRequest<[Value]>, Source> {
        Bound(query.distinct(property), in: source)
    }

    /// Returns a request for the distinct values of several properties; see ``QueryAggregating/distinct(_:)``.
    public func distinct<First: KeyComponent, Second: KeyComponent, each Rest: KeyComponent>(
        _ first: KeyPath<Record, First>, _ second: KeyPath<Record, Second>,
        _ rest: repeat KeyPath<Record, each Rest>
    ) -> Bound<GroupRequest<[(First, Second, repeat each Rest)]>, Source> {
        Bound(query.distinct(first, second, repeat each rest), in: source)
    }

    /// Returns the matching records in groups with equal values of a property; see ``QueryAggregating/grouped(by:)``.
    public func grouped<Key: KeyComponent>(
        by property: KeyPath<Record, Key>
    ) -> Bound<GroupedQuery<Record, Key>, Source> {
        Bound(query.grouped(by: property), in: source)
    }

    /// Returns the matching records in groups with equal values of several properties; see
    /// ``QueryAggregating/grouped(by:_:_:)``.
    public func grouped<First: KeyComponent, Second: KeyComponent, each Rest: KeyComponent>(
        by first: KeyPath<Record, First>, _ second: KeyPath<Record, Second>,
        _ rest: repeat KeyPath<Record, each Rest>
    ) -> Bound<GroupedQuery<Record, (First, Second, repeat each Rest)>, Source> {
        Bound(query.grouped(by: first, second, repeat each rest), in: source)
    }
}

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
