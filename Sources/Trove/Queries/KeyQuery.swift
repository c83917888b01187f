// A query: which records of a type, by their keys, in which order, how many. A value, run by KeyQuery+Run.

import TroveCoding

/// A query for records by a range of their keys.
///
/// `@IndexKeyRecord` makes the queries that a key can answer, labelled by its components: equality on the leading ones,
/// then a value or a ``TroveCoding/ComparisonOperator``.
///
/// ```swift
/// let query = Person.query(lastName: "Dallas", firstName: .lessThan("Ruby")).limit(10)
/// let people = try query.select(in: store)
/// ```
///
/// A query is a value: it is made without a store, and can be kept and run any number of times. It costs a seek, and a
/// step for each record.
public struct KeyQuery<Record: IndexKeyRecord>: Sendable {
    let ranges: [KeyRange]
    /// The order in which it was asked to go; nil where it was not asked.
    private(set) var requestedOrder: KeyOrder?
    private(set) var chosenLimit: Int?
    private(set) var continuation: Record.IndexKey?
    /// What is wrong with a query made by hand; thrown when it is run.
    @usableFromInline let failure: StoreError?

    /// All records of the type.
    public init() {
        ranges = .everything
        failure = nil
    }

    /// The records whose leading key components are equal to given values, and whose next one compares as told.
    ///
    /// - Parameters:
    ///   - leading: The values of the leading components, in the key's order.
    ///   - last: The comparison of the component after them.
    ///   - limit: The most records wanted.
    ///   - order: The order; nil for ascending, or descending where `last` is a `lessThan…`.
    public init<each Leading: KeyComponent, Last: KeyComponent>(
        _ leading: repeat each Leading, last: ComparisonOperator<Last>, limit: Int? = nil, order: KeyOrder? = nil
    ) {
        let prefix = KeyWriter.bytes { writer in
            for component in repeat each leading { component.encodeKey(into: &writer) }
        }
        ranges = KeyRange.ranges(prefix: prefix, last: last)
        requestedOrder = order ?? (last.isDescendingByDefault ? .descending : nil)
        chosenLimit = limit
        failure = Self.mismatch(repeat (each Leading).self, last: Last.self)
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
        var names: [String] = []
        for type in repeat each leading { names.append("\(type)") }
        return .wrongKeyComponents(
            type: Record.schema.name, given: (names + ["\(last)"]).joined(separator: ", "),
            key: Record.schema.keyLayout)
    }

    // MARK: Shaping

    /// The same query for at most so many records.
    public func limit(_ limit: Int?) -> KeyQuery {
        var query = self
        query.chosenLimit = limit
        return query
    }

    /// The same query in an order.
    public func order(_ order: KeyOrder) -> KeyQuery {
        var query = self
        query.requestedOrder = order
        return query
    }

    /// The same query from behind a key on, in the query's order: the next page after the last record seen.
    ///
    /// It costs one seek, however many records lie before.
    public func after(_ key: Record.IndexKey?) -> KeyQuery {
        var query = self
        query.continuation = key
        return query
    }

    /// The same query with those of its limit, order and continuation that are given. Generated code calls this.
    public func page(limit: Int? = nil, order: KeyOrder? = nil, after key: Record.IndexKey? = nil) -> KeyQuery {
        var query = self
        query.chosenLimit = limit ?? chosenLimit
        query.requestedOrder = order ?? requestedOrder
        query.continuation = key ?? continuation
        return query
    }

    /// The order in which it goes.
    var chosenOrder: KeyOrder { requestedOrder ?? .ascending }

    /// The same query for the first of its records alone.
    @usableFromInline
    var single: KeyQuery { limit(min(chosenLimit ?? 1, 1)) }

    @usableFromInline
    var plan: ScanPlan {
        ScanPlan(
            ranges, ScanOrder(chosenOrder), limit: chosenLimit, after: continuation.map { KeyWriter.bytes(of: $0) })
    }
}

extension IndexKeyRecord {
    /// A query for all records of the type.
    public static func query() -> KeyQuery<Self> { KeyQuery() }

    /// The records of the type, in key order.
    ///
    /// - Parameters:
    ///   - source: A context, or a store.
    ///   - limit: The most records wanted.
    ///   - order: The order; ascending unless you say otherwise.
    ///   - key: The last key seen: the records behind it are given.
    @inlinable
    public static func select(
        in source: some RecordReadable, limit: Int? = nil, order: KeyOrder? = nil, after key: IndexKey? = nil
    ) throws -> [Self] {
        try query().page(limit: limit, order: order, after: key).select(in: source)
    }
}
