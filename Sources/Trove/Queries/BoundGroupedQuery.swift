// A grouped query bound to a context or a store.

import TroveCoding

/// A ``GroupedQuery`` together with a context or a store:
/// `Order.filter(\.isPaid, in: context).grouped(by: \.city).counts()`.
///
/// It has the methods of a grouped query, without their parameter for the context.
public struct BoundGroupedQuery<Record: IndexKeyRecord, Key: Sendable, Source: RecordReadable> {
    /// The query without the context.
    public let query: GroupedQuery<Record, Key>
    /// The context.
    public let source: Source

    /// Binds a grouped query to a context.
    public init(_ query: GroupedQuery<Record, Key>, in source: Source) {
        self.query = query
        self.source = source
    }

    /// Returns the keys of the groups: the distinct values of their properties.
    @available(*, noasync, message: "await the call")
    public func keys() throws -> [Key] { try query.keys(in: source) }

    /// Returns the number of records in each group.
    @available(*, noasync, message: "await the call")
    public func counts() throws -> [(key: Key, value: Int)] { try query.counts(in: source) }

    /// Returns a description of the plan for counts and distinct values, and the maximum number of entries to read.
    @available(*, noasync, message: "await the call")
    public func explain() throws -> String { try query.explain(in: source) }

    /// Returns a description of the plan for aggregates of a property, and the maximum number of entries to read.
    @available(*, noasync, message: "await the call")
    public func explain(of property: KeyPath<Record, some KeyComponent>) throws -> String {
        try query.explain(of: property, in: source)
    }

    /// Returns the least value of a property in each group, in key order.
    @available(*, noasync, message: "await the call")
    public func min<Value: KeyComponent>(of property: KeyPath<Record, Value>) throws -> [(key: Key, value: Value)] {
        try query.min(of: property, in: source)
    }

    /// Returns the least value of a property other than nil in each group, in key order; nil for a group without one.
    @available(*, noasync, message: "await the call")
    public func min<Value: KeyComponent>(of property: KeyPath<Record, Value?>) throws -> [(key: Key, value: Value?)] {
        try query.min(of: property, in: source)
    }

    /// Returns the greatest value of a property in each group, in key order.
    @available(*, noasync, message: "await the call")
    public func max<Value: KeyComponent>(of property: KeyPath<Record, Value>) throws -> [(key: Key, value: Value)] {
        try query.max(of: property, in: source)
    }

    /// Returns the greatest value of a property other than nil in each group, in key order; nil for a group without
    /// one.
    @available(*, noasync, message: "await the call")
    public func max<Value: KeyComponent>(of property: KeyPath<Record, Value?>) throws -> [(key: Key, value: Value?)] {
        try query.max(of: property, in: source)
    }

    /// Returns the sum of a property in each group.
    ///
    /// - Throws: ``StoreError/sumOverflow(type:property:)``.
    @available(*, noasync, message: "await the call")
    public func sums<Value: FixedWidthInteger & KeyComponent>(
        of property: KeyPath<Record, Value>
    ) throws -> [(key: Key, value: Value)] {
        try query.sums(of: property, in: source)
    }

    /// Returns the sum of a property in each group. Nil counts as 0.
    ///
    /// - Throws: ``StoreError/sumOverflow(type:property:)``.
    @available(*, noasync, message: "await the call")
    public func sums<Value: FixedWidthInteger & KeyComponent>(
        of property: KeyPath<Record, Value?>
    ) throws -> [(key: Key, value: Value)] {
        try query.sums(of: property, in: source)
    }

    /// Returns the sum of a property in each group. Values are added as `Double`.
    @available(*, noasync, message: "await the call")
    public func sums<Value: BinaryFloatingPoint & KeyComponent>(
        of property: KeyPath<Record, Value>
    ) throws -> [(key: Key, value: Value)] {
        try query.sums(of: property, in: source)
    }

    /// Returns the sum of a property in each group. Nil counts as 0. Values are added as `Double`.
    @available(*, noasync, message: "await the call")
    public func sums<Value: BinaryFloatingPoint & KeyComponent>(
        of property: KeyPath<Record, Value?>
    ) throws -> [(key: Key, value: Value)] {
        try query.sums(of: property, in: source)
    }

    /// Returns the average of a property in each group.
    @available(*, noasync, message: "await the call")
    public func averages<Value: BinaryInteger & KeyComponent>(
        of property: KeyPath<Record, Value>
    ) throws -> [(key: Key, value: Double)] {
        try query.averages(of: property, in: source)
    }

    /// Returns the average of the values other than nil in each group; nil for a group without values.
    @available(*, noasync, message: "await the call")
    public func averages<Value: BinaryInteger & KeyComponent>(
        of property: KeyPath<Record, Value?>
    ) throws -> [(key: Key, value: Double?)] {
        try query.averages(of: property, in: source)
    }

    /// Returns the average of a property in each group.
    @available(*, noasync, message: "await the call")
    public func averages<Value: BinaryFloatingPoint & KeyComponent>(
        of property: KeyPath<Record, Value>
    ) throws -> [(key: Key, value: Double)] {
        try query.averages(of: property, in: source)
    }

    /// Returns the average of the values other than nil in each group; nil for a group without values.
    @available(*, noasync, message: "await the call")
    public func averages<Value: BinaryFloatingPoint & KeyComponent>(
        of property: KeyPath<Record, Value?>
    ) throws -> [(key: Key, value: Double?)] {
        try query.averages(of: property, in: source)
    }
}

extension BoundQuery {
    /// Returns the matching records in groups with equal values of a property.
    ///
    /// - Parameter property: A stored property; with `desc`, groups are in descending order, and their keys are
    ///   ``/TroveCoding/Descending``.
    public func grouped<Key: KeyComponent>(
        by property: KeyPath<Record, Key>
    ) -> BoundGroupedQuery<Record, Key, Source> {
        BoundGroupedQuery(query.grouped(by: property), in: source)
    }

    /// Returns the matching records in groups with equal values of several properties.
    ///
    /// - Parameters:
    ///   - first: A stored property; with `desc`, groups are in descending order, and their keys are
    ///     ``/TroveCoding/Descending``.
    ///   - second: A second stored property.
    ///   - rest: Further stored properties.
    public func grouped<First: KeyComponent, Second: KeyComponent, each Rest: KeyComponent>(
        by first: KeyPath<Record, First>, _ second: KeyPath<Record, Second>,
        _ rest: repeat KeyPath<Record, each Rest>
    ) -> BoundGroupedQuery<Record, (First, Second, repeat each Rest), Source> {
        BoundGroupedQuery(query.grouped(by: first, second, repeat each rest), in: source)
    }
}
