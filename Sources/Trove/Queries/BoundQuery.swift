// A query bound to a context or a store.

import TroveCoding

/// A ``Query`` together with a context or a store: `User.query(in: context).sorted(by: \.age).resolve()`.
///
/// It has the methods of a query, without their parameter for the context.
@dynamicMemberLookup
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

    /// Returns a copy whose query a closure has changed.
    public func changing(_ change: (inout Query<Record>) -> Void) -> BoundQuery {
        BoundQuery(query.changing(change), in: source)
    }

    /// Returns the matching records, in the query's order.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func resolve() throws -> [Record] { try query.resolve(in: source) }

    /// Returns the first matching record, in the query's order; nil if there is none.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func first() throws -> Record? { try query.first(in: source) }

    /// Returns a request that is a member of the query, with the same context: `count()`, `keys()`, `explain()`.
    @inlinable
    public subscript<Member: StoreRequest>(
        dynamicMember path: KeyPath<Query<Record>, Member>
    ) -> Bound<Member, Source> {
        Bound(query[keyPath: path], in: source)
    }

    /// Calls a closure with each matching record, in the query's order.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func forEach(_ body: (Record) throws -> Void) throws { try query.forEach(in: source, body) }

    /// Calls a closure with each matching record, in the query's order, until the closure returns `.stop`.
    @_disfavoredOverload  // A closure without `return` would fit both.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func forEach(_ body: (Record) throws -> ScanControl) throws { try query.forEach(in: source, body) }

    /// Returns a property of each matching record.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func select<Value: Sendable>(_ property: KeyPath<Record, Value>) throws -> [Value] {
        try query.select(property, in: source)
    }

    /// Returns several properties of each matching record.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func select<First: Sendable, Second: Sendable, each Rest: Sendable>(
        _ first: KeyPath<Record, First>, _ second: KeyPath<Record, Second>,
        _ rest: repeat KeyPath<Record, each Rest>
    ) throws -> [(First, Second, repeat each Rest)] {
        try query.select(first, second, repeat each rest, in: source)
    }
}

extension BoundQuery where Source: RecordWritable {
    /// Removes the matching records, and returns their number.
    @discardableResult
    @available(*, noasync, message: "await the call")
    public func delete() throws -> Int { try query.delete(in: source) }

    /// Changes the matching records, all or none, and returns their number.
    @inlinable
    @discardableResult
    @available(*, noasync, message: "await the call")
    public func update(_ change: (inout Record) throws -> Void) throws -> Int {
        try query.update(in: source, change)
    }
}

extension IndexKeyRecord {
    /// Returns a query for all records of the type, bound to a context.
    public static func query<Source: RecordReadable>(in source: Source) -> BoundQuery<Self, Source> {
        BoundQuery(Query(), in: source)
    }

    /// Returns a query for the records matching a filter, bound to a context.
    public static func filter<Source: RecordReadable>(
        _ filter: Filter<Self>, in source: Source
    ) -> BoundQuery<Self, Source> {
        BoundQuery(Query().filter(filter), in: source)
    }
}
