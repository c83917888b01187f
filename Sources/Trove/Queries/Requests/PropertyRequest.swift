// Properties of the matching records.

import TroveCoding

/// A request for a property of a query's records: ``Query/select(_:)``.
public struct PropertyRequest<Record: IndexKeyRecord, Property: Sendable>: StoreRequest {
    @usableFromInline let query: Query<Record>
    @usableFromInline let property: SendablePath<Record, Property>

    @inlinable
    init(_ query: Query<Record>, _ property: KeyPath<Record, Property>) {
        self.query = query
        self.property = SendablePath(property)
    }

    /// Returns the property of each matching record, in the query's order.
    @inlinable
    public func value(in context: ReadContext) throws -> [Property] {
        try query.values(of: property.path, in: context)
    }
}

/// A request for several properties of a query's records: ``Query/select(_:_:_:)``.
public struct PropertiesRequest<Record: IndexKeyRecord, First: Sendable, Second: Sendable, each Rest: Sendable>:
    StoreRequest
{
    @usableFromInline let query: Query<Record>
    @usableFromInline let first: SendablePath<Record, First>
    @usableFromInline let second: SendablePath<Record, Second>
    @usableFromInline let rest: (repeat SendablePath<Record, each Rest>)

    @inlinable
    init(
        of first: KeyPath<Record, First>, _ second: KeyPath<Record, Second>,
        _ rest: repeat KeyPath<Record, each Rest>, in query: Query<Record>
    ) {
        self.query = query
        self.first = SendablePath(first)
        self.second = SendablePath(second)
        self.rest = (repeat SendablePath(each rest))
    }

    /// Returns the properties of each matching record, in the query's order.
    @inlinable
    public func value(in context: ReadContext) throws -> [(First, Second, repeat each Rest)] {
        try query.values(of: first.path, second.path, repeat (each rest).path, in: context)
    }
}
