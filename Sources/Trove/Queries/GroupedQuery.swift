// A query whose records are grouped by properties.

import TroveCoding

/// The records of a query in groups with equal values of some properties.
///
/// ```swift
/// let byCity = Order.filter(\.isPaid).grouped(by: \.city)
/// for (city, count) in try byCity.count(in: store) { print(city, count) }
/// let totals = try byCity.sum(of: \.total).resolve(in: store)  // [(key: "Oslo", value: 120), …]
/// ```
///
/// Results are in the order of the groups' keys: the order of key bytes, which is the order of
/// `sorted(by:)`. Values are in one group if their key bytes are equal: strings with different UTF-8 bytes are
/// in different groups. Nil is a group of its own. The key of a group by several properties is a tuple. With a limit,
/// an offset or a continuation, only the records of the page are grouped.
///
/// If an index begins with the properties of the group, after properties that the filter fixes, its entries alone
/// answer the query, and no record is read. This requires that ranges of the index express the whole filter, and that
/// the property of a sum or another aggregate is in the index too. So do key ranges of the records' own table.
/// Otherwise all matching records are read, with the groups in memory. ``explain`` says which.
public struct GroupedQuery<Record: IndexKeyRecord, Key: Sendable>: Explainable {
    /// The query for the records.
    public let query: Query<Record>
    let terms: [SortTerm]
    /// Returns the key of a group from its bytes.
    let decode: @Sendable ([UInt8]) throws(CodingError) -> Key

    /// Groups the records of a query by a property.
    public init(_ query: Query<Record>, by property: KeyPath<Record, Key>) where Key: KeyComponent {
        self.query = query
        terms = [SortTerm(property)]
        decode = { bytes throws(CodingError) in try Key.decode(bytes) }
    }

    /// Groups the records of a query by several properties.
    public init<First: KeyComponent, Second: KeyComponent, each Rest: KeyComponent>(
        _ query: Query<Record>, by first: KeyPath<Record, First>, _ second: KeyPath<Record, Second>,
        _ rest: repeat KeyPath<Record, each Rest>
    ) where Key == (First, Second, repeat each Rest) {
        self.query = query
        terms = sortTerms(first, second, repeat each rest)
        decode = { bytes throws(CodingError) in
            try Tuple<First, Second, repeat each Rest>.decode(bytes).elements
        }
    }
}

extension Query {
    /// Returns the matching records in groups with equal values of a property.
    ///
    /// - Parameter property: A stored property; with `desc`, groups are in descending order, and their keys are
    ///   ``/TroveCoding/Descending``.
    public func grouped<Key: KeyComponent>(by property: KeyPath<Record, Key>) -> GroupedQuery<Record, Key> {
        GroupedQuery(self, by: property)
    }

    /// Returns the matching records in groups with equal values of several properties.
    ///
    /// - Parameters:
    ///   - first: A stored property; with `desc`, groups are in descending order, and their keys are
    ///   ``/TroveCoding/Descending``.
    ///   - second: A second stored property.
    ///   - rest: Further stored properties.
    public func grouped<First: KeyComponent, Second: KeyComponent, each Rest: KeyComponent>(
        by first: KeyPath<Record, First>, _ second: KeyPath<Record, Second>,
        _ rest: repeat KeyPath<Record, each Rest>
    ) -> GroupedQuery<Record, (First, Second, repeat each Rest)> {
        GroupedQuery(self, by: first, second, repeat each rest)
    }
}

extension IndexKeyRecord {
    /// Returns the records of the type in groups with equal values of a property.
    ///
    /// - Parameter property: A stored property; with `desc`, groups are in descending order, and their keys are
    ///   ``/TroveCoding/Descending``.
    public static func grouped<Key: KeyComponent>(by property: KeyPath<Self, Key>) -> GroupedQuery<Self, Key> {
        GroupedQuery(Query(), by: property)
    }

    /// Returns the records of the type in groups with equal values of several properties.
    ///
    /// - Parameters:
    ///   - first: A stored property; with `desc`, groups are in descending order, and their keys are
    ///   ``/TroveCoding/Descending``.
    ///   - second: A second stored property.
    ///   - rest: Further stored properties.
    public static func grouped<First: KeyComponent, Second: KeyComponent, each Rest: KeyComponent>(
        by first: KeyPath<Self, First>, _ second: KeyPath<Self, Second>,
        _ rest: repeat KeyPath<Self, each Rest>
    ) -> GroupedQuery<Self, (First, Second, repeat each Rest)> {
        GroupedQuery(Query(), by: first, second, repeat each rest)
    }
}
