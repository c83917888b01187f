// A query: ranges of keys, filter, order, offset and limit, as a value. Query+Run runs it.

import TroveCoding

/// A query for records by their keys and properties.
///
/// ```swift
/// let query = User.filter(\.age >= 18 && \.status == .active)
///     .or(\.lastName == "Dallas")
///     .sorted(by: \.lastName, \.firstName.desc)
///     .limit(20)
/// let users = try store.read { context in try query.resolve(in: context) }
/// ```
///
/// A query is a value. It needs no store until it runs. It can be kept, shared between threads and run any number of
/// times. A chain groups from left to right: everything before an `or` is its left side.
///
/// Conditions on the leading components of the key or of an index become ranges of that table or index. For the other
/// conditions, only the named properties are read, and only matching records are decoded.
/// ``Explainable/explain`` describes the plan.
///
/// A query for a range of keys costs a seek, and a step for each record: `Person.query(lastName: "Dallas")`. A query
/// without filters is in key order.
///
/// Without `sorted`, the order of a filtered query is unspecified: the order of the keys, or of the index that the
/// planner chooses. There are two exceptions. A query for a range of keys that had a limit or a continuation before its
/// first filter stays in key order. A query for the targets of a relation returns them in the order of their lists.
public struct Query<Record: IndexKeyRecord>: Sendable {
    var ranges: [KeyRange]
    var keyOrder: KeyOrder?
    @usableFromInline var filter: Filter<Record>
    @usableFromInline var sort: [SortTerm] { didSet { otherOrder = nil } }
    /// The order by another table or by a closure; nil for an order by properties or by the key, and for none.
    @Boxed private(set) var otherOrder: OtherOrder<Record>?
    @usableFromInline var limit: Int?
    @usableFromInline var offset: Int
    @usableFromInline var continuation: Continuation?
    /// The requests for relations of the matching entities; nil if there are none.
    @Boxed var requests: (any NestedRequests<Record>)?
    /// The error in the query, apart from filter and sort order; thrown when the query runs.
    @Boxed private(set) var failure: StoreError?
    /// The source of the records: the query finds no others. Nil for all records of the type.
    @Boxed var source: QuerySource?
    /// Whether the query is for a range of keys, and has no condition yet.
    var isOfKeys = false
    /// Whether the scores of the filter give the order, if there is no other order.
    private(set) var hasScoreOrder = true
    /// An object for the source of an order by scores, which knows its type.
    var scoreLog: (any AnyObject & Sendable)?

    /// The record after which the page begins.
    @usableFromInline
    enum Continuation: Sendable {
        case key([UInt8])
        /// A record, with the score of a hit.
        case record(key: [UInt8], fields: [UInt8], score: Double? = nil)
    }

    /// Creates a query for all records of the type.
    public init() {
        ranges = .everything
        filter = .everything
        sort = []
        offset = 0
    }

    /// Creates a query for the records of a source, in its order.
    init(_ source: any KeySource) {
        self.init()
        self.source = QuerySource(keys: source)
    }

    /// Creates a query that finds no records, and throws an error when it runs.
    init(failure: StoreError) {
        self.init()
        self.failure = failure
    }

    /// The conditions of the query: its source and its filter.
    var conditions: FilterTree { source.map { .keys($0.keys).and(filter.tree) } ?? filter.tree }

    /// Whether the result has the order of the query's own source, unless the query is sorted.
    var isOrderedByOwnSource: Bool { source?.isOrdered == true && !hasOrder }

    /// The source whose order the result has; nil if its order is another one, and if it has none.
    var orderingSource: (any KeySource)? {
        if let scoreOrder { return scoreOrder.source(of: self, conditions.normalized.conjuncts) }
        if case .source(let order)? = otherOrder { return order }
        return isOrderedByOwnSource ? source?.keys : nil
    }

    /// Whether the result has the order of a source.
    var isOrderedBySource: Bool {
        if case .source? = otherOrder { return true }
        return isOrderedByOwnSource || scoreOrder != nil
    }

    /// The order by scores; nil if the result has another order, and if it has none. Without another order, the filter
    /// gives it.
    var scoreOrder: (any ScoreOrder)? {
        if case .scores(let order)? = otherOrder { return order }
        guard hasScoreOrder, source == nil, !hasOrder else { return nil }
        return filter.tree.scoreOrder
    }

    /// The closure that orders the result; nil if its order is another one, and if it has none.
    var orderingClosure: (@Sendable (Record, Record) -> Bool)? {
        if case .closure(let closure)? = otherOrder { closure } else { nil }
    }

    /// Whether ranges of the key alone decide which records match, and the key their order.
    var isKeyScan: Bool {
        _source.isNil && _otherOrder.isNil && _requests.isNil && _failure.isNil && sort.isEmpty && offset == 0
            && filter.isEverything
    }

    /// Whether the query has another order than its source.
    var hasOrder: Bool { keyOrder != nil || !sort.isEmpty || otherOrder != nil }

    /// The query with an order: the order of the keys, if it has none.
    var inSomeOrder: Query { hasOrder || isOrderedBySource ? self : order(.ascending) }

    /// Sets the order. It replaces an order by properties or by the key.
    mutating func order(by order: OtherOrder<Record>) {
        (sort, keyOrder) = ([], nil)
        otherOrder = order
    }

    /// Removes the order.
    mutating func removeOrder() {
        // Most queries have no order, and an assignment of none looks up metadata.
        if !sort.isEmpty || !_otherOrder.isNil { sort = [] }
        keyOrder = nil
        if !_source.isNil { source?.isOrdered = false }
        hasScoreOrder = false
    }

    /// Throws the query's error, if it has any.
    func check() throws {
        if let failure = failure ?? filter.failure { throw failure }
        for key in sort { _ = try key.property() }
        try source?.keys.check()
        switch otherOrder {
        case .source(let source)?: try source.check()
        case .scores(let order)?:
            try order.check()
            if order.namesProperties { try orderingSource?.check() }
        case .closure?, nil: break
        }
    }

    /// Whether the query requests relations.
    @usableFromInline var hasNestedRequests: Bool { !_requests.isNil }

    /// Sets the error of the query, unless it has an error.
    mutating func fail(_ error: StoreError) { failure = failure ?? error }

    /// Adds a condition. A limit or a continuation of a query for a range of keys counts in the order of the key.
    @usableFromInline
    mutating func add(_ condition: Filter<Record>) {
        if isOfKeys, !hasOrder, limit != nil || continuation != nil { keyOrder = .ascending }
        isOfKeys = false
        filter = filter.and(condition)
    }

    /// Adds an alternative to the conditions so far.
    @usableFromInline
    mutating func addAlternative(_ condition: Filter<Record>) {
        if isOfKeys { fail(.query(.noCondition(type: Record.schema.name))) }
        filter = filter.or(condition)
    }

    mutating func goOn(after record: Record?, score: Double? = nil) {
        guard let record else { return continuation = nil }
        do {
            let bytes = try record.currentBytes()
            continuation = .record(key: bytes.key, fields: bytes.fields, score: score)
        } catch {
            failure = error as? StoreError ?? failure
        }
    }
}

extension Query: QueryShaping {
    /// Returns a copy that a closure has changed.
    @inlinable
    public func changing(_ change: (inout Query) -> Void) -> Query {
        var query = self
        change(&query)
        return query
    }
}

extension IndexKeyRecord {
    /// Returns a query for the records matching a filter.
    @inlinable
    public static func filter(_ filter: Filter<Self>) -> Query<Self> { Query().filter(filter) }
}

extension IndexKeyRecord {
    /// Returns a query for the records that a closure accepts; see ``Filter/where(_:)``.
    public static func filter(where matches: @escaping @Sendable (Self) -> Bool) -> Query<Self> {
        Query().filter(where: matches)
    }
}
