// The distinct values of properties.

import TroveCoding

extension QueryAggregating {
    /// Returns the distinct values of a property among the matching records, in key order.
    ///
    /// ```swift
    /// let cities = try Order.filter(\.isPaid).distinct(\.city, in: store)
    /// ```
    ///
    /// Nil is a value. Strings with different UTF-8 bytes are different values. With a limit, an offset or a
    /// continuation, the values are from the page's records.
    ///
    /// - Parameters:
    ///   - property: A stored property; with `desc`, the greatest value comes first, and the values are
    ///     ``/TroveCoding/Descending``.
    ///   - source: A context, or a store.
    /// - Throws: ``StoreError/notStored(type:property:)`` for a computed or nested property.
    /// - Complexity: O(*d* log *n*) for *d* values if an index begins with the property, see ``GroupedQuery``;
    ///   otherwise O(*m*) for *m* matching records.
    @available(*, noasync, message: "await the call")
    public func distinct<Value: KeyComponent>(
        _ property: KeyPath<Record, Value>, in source: some RecordReadable
    ) throws -> [Value] {
        try grouped(by: property).keys(in: source)
    }

    /// Returns the distinct values of several properties, in key order; see `distinct(_:in:)`.
    @available(*, noasync, message: "await the call")
    public func distinct<First: KeyComponent, Second: KeyComponent, each Rest: KeyComponent>(
        _ first: KeyPath<Record, First>, _ second: KeyPath<Record, Second>,
        _ rest: repeat KeyPath<Record, each Rest>, in source: some RecordReadable
    ) throws -> [(First, Second, repeat each Rest)] {
        try grouped(by: first, second, repeat each rest).keys(in: source)
    }
}

extension BoundQuery {
    /// Returns the distinct values of a property among the matching records, in key order; see
    /// `distinct(_:in:)`.
    ///
    /// - Parameter property: A stored property; with `desc`, the greatest value comes first, and the values are
    ///     ``/TroveCoding/Descending``.
    @available(*, noasync, message: "await the call")
    public func distinct<Value: KeyComponent>(
        _ property: KeyPath<Record, Value>
    ) throws -> [Value] {
        try query.distinct(property, in: source)
    }

    /// Returns the distinct values of several properties, in key order; see `distinct(_:in:)`.
    @available(*, noasync, message: "await the call")
    public func distinct<First: KeyComponent, Second: KeyComponent, each Rest: KeyComponent>(
        _ first: KeyPath<Record, First>, _ second: KeyPath<Record, Second>,
        _ rest: repeat KeyPath<Record, each Rest>
    ) throws -> [(First, Second, repeat each Rest)] {
        try query.distinct(first, second, repeat each rest, in: source)
    }
}

extension IndexKeyRecord {
    /// Returns the distinct values of a property among the records of the type, in key order; see
    /// `distinct(_:in:)`.
    ///
    /// - Parameters:
    ///   - property: A stored property; with `desc`, the greatest value comes first, and the values are
    ///     ``/TroveCoding/Descending``.
    ///   - source: A context, or a store.
    @available(*, noasync, message: "await the call")
    public static func distinct<Value: KeyComponent>(
        _ property: KeyPath<Self, Value>, in source: some RecordReadable
    ) throws -> [Value] {
        try Query().distinct(property, in: source)
    }

    /// Returns the distinct values of several properties, in key order; see `distinct(_:in:)`.
    @available(*, noasync, message: "await the call")
    public static func distinct<First: KeyComponent, Second: KeyComponent, each Rest: KeyComponent>(
        _ first: KeyPath<Self, First>, _ second: KeyPath<Self, Second>,
        _ rest: repeat KeyPath<Self, each Rest>, in source: some RecordReadable
    ) throws -> [(First, Second, repeat each Rest)] {
        try Query().distinct(first, second, repeat each rest, in: source)
    }
}
