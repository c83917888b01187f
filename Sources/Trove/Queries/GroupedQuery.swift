// A query whose records are grouped by properties.

import TroveCoding

/// The records of a query in groups with equal values of some properties.
///
/// ```swift
/// let byCity = Order.filter(\.isPaid).grouped(by: \.city)
/// for (city, count) in try byCity.counts(in: store) { print(city, count) }
/// let totals = try byCity.sums(of: \.total, in: store)  // [(key: "Oslo", value: 120), …]
/// ```
///
/// Results are in the order of the groups' keys: the order of key bytes, which is the order of
/// ``Query/sorted(by:)``. Values are in one group if their key bytes are equal: strings with different UTF-8 bytes are
/// in different groups. Nil is a group of its own. The key of a group by several properties is a tuple. With a limit,
/// an offset or a continuation, only the records of the page are grouped.
///
/// If an index begins with the properties of the group, after properties that the filter fixes, its entries alone
/// answer the query, and no record is read. This requires that ranges of the index express the whole filter, and that
/// the property of a sum or another aggregate is in the index too. So do key ranges of the records' own table.
/// Otherwise all matching records are read, with the groups in memory. ``explain(in:)`` tells which.
public struct GroupedQuery<Record: IndexKeyRecord, Key: Sendable>: Sendable {
    /// The query for the records.
    public let query: Query<Record>
    let terms: [SortTerm]
    /// Returns the key of a group from its bytes.
    let decode: @Sendable ([UInt8]) throws(CodingError) -> Key

    /// Groups the records of a query by properties.
    public init<each Component: KeyComponent>(
        _ query: Query<Record>, by properties: repeat KeyPath<Record, each Component>
    ) where Key == (repeat each Component) {
        self.query = query
        terms = sortTerms(repeat each properties)
        decode = { bytes throws(CodingError) in try Tuple<repeat each Component>.decode(bytes).elements }
    }
}

extension Query {
    /// Returns the matching records in groups with equal values of some properties.
    ///
    /// - Parameter properties: Stored properties; with `desc`, groups are in descending order.
    public func grouped<each Component: KeyComponent>(
        by properties: repeat KeyPath<Record, each Component>
    ) -> GroupedQuery<Record, (repeat each Component)> {
        GroupedQuery(self, by: repeat each properties)
    }

    /// Refuses properties whose values have no order.
    @available(
        *, unavailable,
        message: "records are grouped by properties that are a KeyComponent, such as numbers and strings"
    )
    @_disfavoredOverload
    public func grouped<each Component>(
        by properties: repeat KeyPath<Record, each Component>
    ) -> GroupedQuery<Record, Void> {
        GroupedQuery(self)
    }
}

extension KeyQuery {
    /// Returns the matching records in groups with equal values of some properties.
    ///
    /// - Parameter properties: Stored properties; with `desc`, groups are in descending order.
    public func grouped<each Component: KeyComponent>(
        by properties: repeat KeyPath<Record, each Component>
    ) -> GroupedQuery<Record, (repeat each Component)> {
        Query(self).grouped(by: repeat each properties)
    }
}

extension IndexKeyRecord {
    /// Returns the records of the type in groups with equal values of some properties.
    ///
    /// - Parameter properties: Stored properties; with `desc`, groups are in descending order.
    public static func grouped<each Component: KeyComponent>(
        by properties: repeat KeyPath<Self, each Component>
    ) -> GroupedQuery<Self, (repeat each Component)> {
        Query().grouped(by: repeat each properties)
    }
}
