// A query for a single record, bound to a context.

import TroveCoding

/// A ``RecordQuery`` together with a context or a store.
@dynamicMemberLookup
public struct BoundRecordQuery<Record: IndexKeyRecord, Source: RecordReadable> {
    /// The query without the context.
    public let query: RecordQuery<Record>
    /// The context.
    public let source: Source

    init(_ query: RecordQuery<Record>, in source: Source) {
        self.query = query
        self.source = source
    }

    /// The key; nil for the first or last record of a query.
    public var key: Record.IndexKey? { query.key }

    /// Returns a request that is a member of the query, with the same context: `count()`, `exists()`, `explain()`.
    @inlinable
    public subscript<Member: StoreRequest>(
        dynamicMember path: KeyPath<RecordQuery<Record>, Member>
    ) -> Bound<Member, Source> {
        Bound(query[keyPath: path], in: source)
    }

    /// Returns the record; nil if no record has the key.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func resolve() throws -> Record? { try query.resolve(in: source) }

    /// Returns the query for the record, if it also matches a filter.
    public func filter(_ filter: Filter<Record>) -> BoundRecordQuery {
        BoundRecordQuery(query.filter(filter), in: source)
    }

    /// Returns the query for the record, if a closure accepts it; see ``Filter/where(_:)``.
    public func filter(where matches: @escaping @Sendable (Record) -> Bool) -> BoundRecordQuery {
        filter(.where(matches))
    }
}

extension BoundRecordQuery: GraphShaping {
    /// Returns the query with the relations that a closure has requested.
    public func changing(_ change: (inout Query<Record>) -> Void) -> BoundRecordQuery {
        BoundRecordQuery(query.changing(change), in: source)
    }
}
