// Properties of a query's records, as a request.

import TroveCoding

extension QueryAggregating {
    /// Returns a request for a property of the matching records, in the query's order. Without an order, the records
    /// are in key order. A change of other properties is not reported.
    ///
    /// ```swift
    /// for try await names in User.filter(\.age >= 18).only(\.name).values(in: store) { show(names) }
    /// ```
    ///
    /// - Parameter property: A stored property.
    public func only<Property: Sendable>(
        _ property: KeyPath<Record, Property> & Sendable
    ) -> QueryRequest<[Property]> {
        let query = asQuery.inSomeOrder
        return QueryRequest { try query.select(property, in: $0) }
    }

    /// Returns a request for several properties of the matching records, in the query's order. Without an order, the
    /// records are in key order. A change of other properties is not reported.
    ///
    /// ```swift
    /// for try await rows in User.filter(\.age >= 18).only(\.name, \.age).values(in: store) {
    ///     for (name, age) in rows { print(name, age) }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - first: A stored property.
    ///   - second: A second stored property.
    ///   - rest: Further stored properties.
    public func only<First: Sendable, Second: Sendable, each Rest: Sendable>(
        _ first: KeyPath<Record, First> & Sendable, _ second: KeyPath<Record, Second> & Sendable,
        _ rest: repeat KeyPath<Record, each Rest> & Sendable
    ) -> QueryRequest<[(First, Second, repeat each Rest)]> {
        let query = asQuery.inSomeOrder
        return QueryRequest { try query.select(first, second, repeat each rest, in: $0) }
    }
}
