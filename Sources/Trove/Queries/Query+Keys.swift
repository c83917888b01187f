// Queries by ranges of the key, and the scan that answers them.

import TroveCoding

extension Query {
    /// Creates a query with values for the leading key components and a comparison for the next component.
    ///
    /// `@IndexKeyRecord` generates functions for the queries that a key can answer. Their arguments are labeled by the
    /// key components: `Person.query(lastName: "Dallas", firstName: .lessThan("Ruby"))`.
    ///
    /// - Parameters:
    ///   - leading: The values of the leading components, in the key's order.
    ///   - last: The comparison of the component after them.
    ///   - limit: The maximum number of records; nil for no limit. A negative limit is 0.
    ///   - order: The order; nil for ascending, or descending where `last` is a `lessThan…`.
    /// - Complexity: A run without filters costs a seek, and a step for each record.
    public init<each Leading: KeyComponent, Last: KeyComponent>(
        _ leading: repeat each Leading, last: ComparisonOperator<Last>, limit: Int? = nil, order: KeyOrder? = nil
    ) {
        if let error = Self.mismatch(repeat (each Leading).self, last: Last.self) {
            self.init(failure: error)
        } else {
            self.init()
        }
        let prefix = KeyWriter.bytes { writer in
            for component in repeat each leading { component.encodeKey(into: &writer) }
        }
        ranges = KeyRange.ranges(prefix: prefix, last: last)
        isOfKeys = true
        keyOrder = order ?? (last.isDescendingByDefault ? .descending : nil)
        self.limit = limit.map { Swift.max(0, $0) }
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
        .query(
            .wrongKeyComponents(
                type: Record.schema.name, given: given.map { "\($0)" }.joined(separator: ", "),
                key: Record.schema.keyLayout))
    }

    /// Returns the query with a limit, an order and a continuation. Nil arguments keep the query's values. Generated
    /// code calls this.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of records. A negative limit is 0.
    ///   - order: The order of the key.
    ///   - key: The key of the last record seen. The result begins with the next key.
    public func page(limit: Int? = nil, order: KeyOrder? = nil, after key: Record.IndexKey? = nil) -> Query {
        var query = self
        if let limit { query.limit = Swift.max(0, limit) }
        if let order { query = query.order(order) }
        if let key { query.continuation = .key(KeyWriter.bytes(of: key)) }
        return query
    }
}

extension IndexKeyRecord {
    /// Returns a query for all records of the type.
    public static func query() -> Query<Self> {
        var query = Query<Self>()
        query.isOfKeys = true
        return query
    }

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
        try query().page(limit: limit, order: order, after: key).resolve(in: source)
    }

    /// The async form of `select(in:limit:order:after:)`.
    public static func select(
        in store: Store, limit: Int? = nil, order: KeyOrder? = nil, after key: IndexKey? = nil
    ) async throws -> [Self] {
        try await query().page(limit: limit, order: order, after: key).resolve(in: store)
    }
}

extension IndexKeyRecord {
    /// Returns a query for all records of the type, bound to a context.
    public static func query<Source: RecordReadable>(in source: Source) -> Bound<Query<Self>, Source> {
        Bound(query(), in: source)
    }

    /// Returns a query for the records matching a filter, bound to a context.
    public static func filter<Source: RecordReadable>(
        _ filter: Filter<Self>, in source: Source
    ) -> Bound<Query<Self>, Source> {
        Bound(Query().filter(filter), in: source)
    }
}
