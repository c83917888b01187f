// A query by key: key range, order and limit, as a value. KeyQuery+Run runs it.

import TroveCoding

/// A query for records by a range of their keys.
///
/// `@IndexKeyRecord` generates the queries that a key can answer. Their arguments are labeled by the key components:
/// values of the leading components, then a value or a ``/TroveCoding/ComparisonOperator``.
///
/// ```swift
/// let query = Person.query(lastName: "Dallas", firstName: .lessThan("Ruby")).limit(10)
/// let people = try query.select(in: store)
/// ```
///
/// A query is a value. It needs no store until it runs, and it can be kept and run any number of times. It costs a
/// seek, and a step for each record.
public struct KeyQuery<Record: IndexKeyRecord>: Sendable {
    let ranges: [KeyRange]
    /// The order set by the caller; nil for the default.
    private(set) var requestedOrder: KeyOrder?
    private(set) var chosenLimit: Int?
    private(set) var continuation: Record.IndexKey?
    /// The error in a query built by hand; thrown when the query runs.
    @usableFromInline let failure: StoreError?

    /// Creates a query for all records of the type.
    public init() {
        ranges = .everything
        failure = nil
    }

    /// Creates a query with values for the leading key components and a comparison for the next component.
    ///
    /// - Parameters:
    ///   - leading: The values of the leading components, in the key's order.
    ///   - last: The comparison of the component after them.
    ///   - limit: The maximum number of records; nil for no limit. A negative limit is 0.
    ///   - order: The order; nil for ascending, or descending where `last` is a `lessThan…`.
    public init<each Leading: KeyComponent, Last: KeyComponent>(
        _ leading: repeat each Leading, last: ComparisonOperator<Last>, limit: Int? = nil, order: KeyOrder? = nil
    ) {
        let prefix = KeyWriter.bytes { writer in
            for component in repeat each leading { component.encodeKey(into: &writer) }
        }
        ranges = KeyRange.ranges(prefix: prefix, last: last)
        requestedOrder = order ?? (last.isDescendingByDefault ? .descending : nil)
        chosenLimit = limit.map { Swift.max(0, $0) }
        failure = Self.mismatch(repeat (each Leading).self, last: Last.self)
    }

    /// Creates a query that finds no records, and throws an error when it runs.
    init(failure: StoreError) {
        ranges = []
        self.failure = failure
    }

    private static func mismatch<each Leading: KeyComponent, Last: KeyComponent>(
        _ leading: repeat (each Leading).Type, last: Last.Type
    ) -> StoreError? {
        let key = Record.schema.key
        var index = 0
        var matches = true
        func compare(_ type: any KeyComponent.Type) {
            matches = matches && index < key.count && key[index].type == type
            index += 1
        }
        for type in repeat each leading { compare(type) }
        compare(last)
        guard !matches else { return nil }
        var given: [any Any.Type] = []
        for type in repeat each leading { given.append(type) }
        return wrongComponents(given + [last])
    }

    /// Creates the error of a query with components of other types than the key's.
    static func wrongComponents(_ given: [any Any.Type]) -> StoreError {
        .wrongKeyComponents(
            type: Record.schema.name, given: given.map { "\($0)" }.joined(separator: ", "),
            key: Record.schema.keyLayout)
    }

    // MARK: Shaping

    /// Returns the query with a limit on the number of records; nil for no limit. A negative limit is 0.
    public func limit(_ limit: Int?) -> KeyQuery {
        var query = self
        query.chosenLimit = limit.map { Swift.max(0, $0) }
        return query
    }

    /// Returns the query in an order.
    public func order(_ order: KeyOrder) -> KeyQuery {
        var query = self
        query.requestedOrder = order
        return query
    }

    /// Returns the query for the records after a key, in the query's order: the next page after the last record seen.
    ///
    /// It costs a single seek, however many records come before.
    public func after(_ key: Record.IndexKey?) -> KeyQuery {
        var query = self
        query.continuation = key
        return query
    }

    /// Returns the query with a limit, an order and a continuation. Nil arguments keep the query's values. Generated
    /// code calls this.
    public func page(limit: Int? = nil, order: KeyOrder? = nil, after key: Record.IndexKey? = nil) -> KeyQuery {
        var query = self
        query.chosenLimit = limit.map { Swift.max(0, $0) } ?? chosenLimit
        query.requestedOrder = order ?? requestedOrder
        query.continuation = key ?? continuation
        return query
    }

    /// The order of the scan.
    var chosenOrder: KeyOrder { requestedOrder ?? .ascending }

    /// The query, limited to its first record.
    @usableFromInline
    var single: KeyQuery { limit(Swift.min(chosenLimit ?? 1, 1)) }

    @usableFromInline
    var plan: ScanPlan {
        ScanPlan(
            ranges, ScanOrder(chosenOrder), limit: chosenLimit, after: continuation.map { KeyWriter.bytes(of: $0) })
    }
}

extension IndexKeyRecord {
    /// Returns a query for all records of the type.
    public static func query() -> KeyQuery<Self> { KeyQuery() }

    /// Returns the records of the type, in key order.
    ///
    /// - Parameters:
    ///   - source: A context, or a store.
    ///   - limit: The maximum number of records.
    ///   - order: The order; ascending by default.
    ///   - key: The last key seen. The result begins with the next key.
    @inlinable
    @available(*, noasync, message: "await the call")
    public static func select(
        in source: some RecordReadable, limit: Int? = nil, order: KeyOrder? = nil, after key: IndexKey? = nil
    ) throws -> [Self] {
        try query().page(limit: limit, order: order, after: key).select(in: source)
    }
}
