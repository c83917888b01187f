// The methods that compute a few values from many records: minimum, maximum, sum, average, distinct values and groups.
// With a limit, an offset or a continuation, they are computed from the page's records.

import TroveCoding

/// The methods that compute values from the records of a query, shared by ``Query`` and ``KeyQuery``: aggregates,
/// distinct values and groups.
public protocol QueryAggregating<Record>: Sendable {
    /// The type of the matching records.
    associatedtype Record: IndexKeyRecord

    /// The query for the same records by their properties.
    var asQuery: Query<Record> { get }
}

extension Query: QueryAggregating {
    /// The query itself.
    @inlinable
    public var asQuery: Query { self }
}

extension KeyQuery: QueryAggregating {
    /// The query for the same records by their properties. It keeps the limit, the order and the continuation.
    public var asQuery: Query<Record> { Query(self) }
}

extension QueryAggregating {
    /// Returns the least value of a property, in key order; nil if the query finds no record.
    ///
    /// It costs a single seek if the property is the first key component that the query does not fix.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func min<Value: KeyComponent>(
        of property: KeyPath<Record, Value>, in source: some RecordReadable
    ) throws -> Value? {
        try asQuery.extreme(of: property, isGreatest: false, in: source)
    }

    /// Returns the least value of a property other than nil, in key order; nil if there is none.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func min<Value: KeyComponent>(
        of property: KeyPath<Record, Value?>, in source: some RecordReadable
    ) throws -> Value? {
        try asQuery.extreme(of: property, isGreatest: false, in: source)
    }

    /// Returns the greatest value of a property, in key order; nil if the query finds no record.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func max<Value: KeyComponent>(
        of property: KeyPath<Record, Value>, in source: some RecordReadable
    ) throws -> Value? {
        try asQuery.extreme(of: property, isGreatest: true, in: source)
    }

    /// Returns the greatest value of a property other than nil, in key order; nil if there is none.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func max<Value: KeyComponent>(
        of property: KeyPath<Record, Value?>, in source: some RecordReadable
    ) throws -> Value? {
        try asQuery.extreme(of: property, isGreatest: true, in: source)
    }

    /// Returns the sum of a property; 0 if the query finds no record.
    ///
    /// - Throws: ``StoreError/sumOverflow(type:property:)``.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func sum<Value: FixedWidthInteger & Sendable>(
        of property: KeyPath<Record, Value>, in source: some RecordReadable
    ) throws -> Value {
        let query = asQuery
        var sum: Value = 0
        try query.forEachValue(of: property, in: source) { try query.add($0, to: &sum, property) }
        return sum
    }

    /// Returns the sum of a property. Nil counts as 0.
    ///
    /// - Throws: ``StoreError/sumOverflow(type:property:)``.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func sum<Value: FixedWidthInteger & Sendable>(
        of property: KeyPath<Record, Value?>, in source: some RecordReadable
    ) throws -> Value {
        let query = asQuery
        var sum: Value = 0
        try query.forEachValue(of: property, in: source) { try query.add($0 ?? 0, to: &sum, property) }
        return sum
    }

    /// Returns the sum of a property; 0 if the query finds no record. Values are added as `Double`.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func sum<Value: BinaryFloatingPoint & Sendable>(
        of property: KeyPath<Record, Value>, in source: some RecordReadable
    ) throws -> Value {
        let query = asQuery
        var sum = 0.0
        try query.forEachValue(of: property, in: source) { sum += Double($0) }
        return Value(sum)
    }

    /// Returns the sum of a property. Nil counts as 0. Values are added as `Double`.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func sum<Value: BinaryFloatingPoint & Sendable>(
        of property: KeyPath<Record, Value?>, in source: some RecordReadable
    ) throws -> Value {
        let query = asQuery
        var sum = 0.0
        try query.forEachValue(of: property, in: source) { sum += Double($0 ?? 0) }
        return Value(sum)
    }

    /// Returns the average of a property; nil if the query finds no record.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func average<Value: BinaryInteger & Sendable>(
        of property: KeyPath<Record, Value>, in source: some RecordReadable
    ) throws -> Double? {
        try asQuery.average(of: property, in: source) { Double($0) }
    }

    /// Returns the average of the values other than nil; nil if there are none.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func average<Value: BinaryInteger & Sendable>(
        of property: KeyPath<Record, Value?>, in source: some RecordReadable
    ) throws -> Double? {
        try asQuery.average(of: property, in: source) { value in value.map { Double($0) } }
    }

    /// Returns the average of a property; nil if the query finds no record.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func average<Value: BinaryFloatingPoint & Sendable>(
        of property: KeyPath<Record, Value>, in source: some RecordReadable
    ) throws -> Double? {
        try asQuery.average(of: property, in: source) { Double($0) }
    }

    /// Returns the average of the values other than nil; nil if there are none.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func average<Value: BinaryFloatingPoint & Sendable>(
        of property: KeyPath<Record, Value?>, in source: some RecordReadable
    ) throws -> Double? {
        try asQuery.average(of: property, in: source) { value in value.map { Double($0) } }
    }
}
