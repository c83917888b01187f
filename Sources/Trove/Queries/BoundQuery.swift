// A query that carries the context in which it is run.

import TroveCoding

/// A ``Query`` together with a context or a store: `User.query(in: context).sorted(by: \.age).resolve()`.
///
/// What a query can be told and asked, it can too, without naming the context again.
public struct BoundQuery<Record: IndexKeyRecord, Source: RecordReadable>: QueryShaping {
    /// The query without the context.
    public var query: Query<Record>
    /// The context.
    public let source: Source

    /// Binds a query to a context.
    public init(_ query: Query<Record>, in source: Source) {
        self.query = query
        self.source = source
    }

    /// The same with another query.
    public func with(_ change: (inout Query<Record>) -> Void) -> BoundQuery {
        BoundQuery(query.with(change), in: source)
    }

    /// The records that the query finds, in its order.
    @inlinable
    public func resolve() throws -> [Record] { try query.resolve(in: source) }

    /// The first record that the query finds, in its order; nil where there is none.
    @inlinable
    public func first() throws -> Record? { try query.first(in: source) }

    /// The keys of the records that the query finds, in its order.
    @inlinable
    public func keys() throws -> [Record.IndexKey] { try query.keys(in: source) }

    /// How many records the query finds.
    public func count() throws -> Int { try query.count(in: source) }

    /// Whether the query finds any record.
    public func exists() throws -> Bool { try query.exists(in: source) }

    /// How the query would be run.
    public func explain() throws -> String { try query.explain(in: source) }

    /// Calls a closure with each record that the query finds, in its order.
    @inlinable
    public func forEach(_ body: (Record) throws -> Void) throws { try query.forEach(in: source, body) }

    /// One property of each record that the query finds.
    @inlinable
    public func select<Value: Sendable>(_ property: KeyPath<Record, Value>) throws -> [Value] {
        try query.select(property, in: source)
    }

    /// Several properties of each record that the query finds.
    @inlinable
    public func select<First: Sendable, Second: Sendable, each Rest: Sendable>(
        _ first: KeyPath<Record, First>, _ second: KeyPath<Record, Second>,
        _ rest: repeat KeyPath<Record, each Rest>
    ) throws -> [(First, Second, repeat each Rest)] {
        try query.select(first, second, repeat each rest, in: source)
    }
}

extension BoundQuery where Source: RecordWritable {
    /// Removes the records that the query finds; gives how many there were.
    @discardableResult
    public func delete() throws -> Int { try query.delete(in: source) }

    /// Changes the records that the query finds, all or none; gives how many there were.
    @inlinable
    @discardableResult
    public func update(_ change: (inout Record) throws -> Void) throws -> Int {
        try query.update(in: source, change)
    }
}

/// A ``RecordQuery`` together with a context or a store.
public struct BoundRecordQuery<Record: IndexKeyRecord, Source: RecordReadable> {
    /// The key.
    public let key: Record.IndexKey
    /// The context.
    public let source: Source

    @usableFromInline
    init(key: Record.IndexKey, in source: Source) {
        self.key = key
        self.source = source
    }

    /// The record; nil where there is none of that key.
    @inlinable
    public func resolve() throws -> Record? { try source.get(Record.self, key: key) }
}

extension IndexKeyRecord {
    /// A query for all records of the type, bound to a context.
    public static func query<Source: RecordReadable>(in source: Source) -> BoundQuery<Self, Source> {
        BoundQuery(Query(), in: source)
    }

    /// A query for the record of a key, bound to a context.
    public static func query<Source: RecordReadable>(
        _ key: IndexKey, in source: Source
    ) -> BoundRecordQuery<Self, Source> {
        BoundRecordQuery(key: key, in: source)
    }

    /// A query for the records that match a filter, bound to a context.
    public static func filter<Source: RecordReadable>(
        _ filter: Filter<Self>, in source: Source
    ) -> BoundQuery<Self, Source> {
        BoundQuery(Query().filter(filter), in: source)
    }
}
