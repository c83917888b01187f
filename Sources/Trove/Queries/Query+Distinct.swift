// The distinct values of properties.

import TroveCoding

extension Query {
    /// Returns the distinct values of a property among the matching records, in key order. Several properties give
    /// tuples.
    ///
    /// ```swift
    /// let cities = try Order.filter(\.isPaid).distinct(\.city, in: store)
    /// ```
    ///
    /// Nil is a value. Strings with different UTF-8 bytes are different values. With a limit, an offset or a
    /// continuation, the values are those of the page's records.
    ///
    /// - Parameters:
    ///   - properties: Stored properties; with `desc`, the greatest value comes first.
    ///   - source: A context, or a store.
    /// - Throws: ``StoreError/notStored(type:property:)`` for a computed or nested property.
    /// - Complexity: O(*d* log *n*) for *d* values if an index begins with the properties, see ``GroupedQuery``;
    ///   otherwise O(*m*) for *m* matching records.
    @available(*, noasync, message: "await the call")
    public func distinct<each Value: KeyComponent>(
        _ properties: repeat KeyPath<Record, each Value>, in source: some RecordReadable
    ) throws -> [(repeat each Value)] {
        try grouped(by: repeat each properties).keys(in: source)
    }
}

extension KeyQuery {
    /// Returns the distinct values of a property among the matching records, in key order; see
    /// ``Query/distinct(_:in:)``.
    ///
    /// - Parameters:
    ///   - properties: Stored properties; with `desc`, the greatest value comes first.
    ///   - source: A context, or a store.
    @available(*, noasync, message: "await the call")
    public func distinct<each Value: KeyComponent>(
        _ properties: repeat KeyPath<Record, each Value>, in source: some RecordReadable
    ) throws -> [(repeat each Value)] {
        try Query(self).distinct(repeat each properties, in: source)
    }
}

extension BoundQuery {
    /// Returns the distinct values of a property among the matching records, in key order; see
    /// ``Query/distinct(_:in:)``.
    ///
    /// - Parameter properties: Stored properties; with `desc`, the greatest value comes first.
    @available(*, noasync, message: "await the call")
    public func distinct<each Value: KeyComponent>(
        _ properties: repeat KeyPath<Record, each Value>
    ) throws -> [(repeat each Value)] {
        try query.distinct(repeat each properties, in: source)
    }
}

extension IndexKeyRecord {
    /// Returns the distinct values of a property among the records of the type, in key order; see
    /// ``Query/distinct(_:in:)``.
    ///
    /// - Parameters:
    ///   - properties: Stored properties; with `desc`, the greatest value comes first.
    ///   - source: A context, or a store.
    @available(*, noasync, message: "await the call")
    public static func distinct<each Value: KeyComponent>(
        _ properties: repeat KeyPath<Self, each Value>, in source: some RecordReadable
    ) throws -> [(repeat each Value)] {
        try Query().distinct(repeat each properties, in: source)
    }
}
