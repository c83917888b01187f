// An order of a query's result that neither properties nor the key decide.

import TroveCoding

/// An order of records by another table, or by a closure. An order by properties or by the key replaces it.
enum OtherOrder<Record: IndexKeyRecord>: Sendable {
    /// The order of a source that lists all records of the type.
    case source(any KeySource)
    /// The order of a closure. Records that it does not tell apart are in key order.
    case closure(@Sendable (Record, Record) -> Bool)
    /// The order of scores.
    case scores(any ScoreOrder)
}

extension OtherOrder {
    /// The order in a plan.
    var text: String {
        switch self {
        case .source(let source): source.plan
        case .closure: "a closure"
        case .scores(let order): order.text
        }
    }

    /// The order as Swift.
    var swift: String {
        switch self {
        case .source(let source): source.swift
        case .closure: "{ … }"
        case .scores(let order): order.swift
        }
    }
}

extension QueryShaping {
    /// Returns the query with an order by a closure, for orders that no stored property expresses.
    ///
    /// ```swift
    /// let users = try User.query().sorted { $0.name.count < $1.name.count }.limit(20).resolve(in: store)
    /// ```
    ///
    /// Records that the closure does not tell apart are in key order. No index serves a closure: all matches are read,
    /// decoded and kept in memory while they are sorted, also with a limit. ``Explainable/explain`` says so.
    ///
    /// - Parameter areInIncreasingOrder: Returns whether its first argument comes before its second. It must be a
    ///   strict weak ordering, as for `Array.sorted(by:)`.
    public func sorted(by areInIncreasingOrder: @escaping @Sendable (Record, Record) -> Bool) -> Self {
        changing { $0.order(by: .closure(areInIncreasingOrder)) }
    }
}

extension RecordListQuery {
    /// Returns a query for the records in the order of a closure, each once; see `Query.sorted(by:)`.
    public func sorted(by areInIncreasingOrder: @escaping @Sendable (Record, Record) -> Bool) -> Query<Record> {
        query.sorted(by: areInIncreasingOrder)
    }
}
