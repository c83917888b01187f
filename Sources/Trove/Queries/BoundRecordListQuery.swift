// A query for several records, bound to a context.

import TroveCoding

/// A ``RecordListQuery`` together with a context or a store.
@dynamicMemberLookup
public struct BoundRecordListQuery<Record: IndexKeyRecord, Source: RecordReadable> {
    /// The query without the context.
    public let query: RecordListQuery<Record>
    /// The context.
    public let source: Source

    /// Returns a request that is a member of the query, with the same context: `count()`, `exists()`, `explain()`.
    @inlinable
    public subscript<Member: StoreRequest>(
        dynamicMember path: KeyPath<RecordListQuery<Record>, Member>
    ) -> Bound<Member, Source> {
        Bound(query[keyPath: path], in: source)
    }

    /// Returns the records, in the order of the keys. Missing records are left out.
    @available(*, noasync, message: "await the call")
    public func resolve() throws -> [Record] { try query.resolve(in: source) }

    /// Returns a query for the records that also match a filter, each once, in the order of the keys.
    public func filter(_ filter: Filter<Record>) -> BoundQuery<Record, Source> {
        BoundQuery(query.filter(filter), in: source)
    }

    /// Returns a query for the records in the order of some properties, each once.
    public func sorted<each Value: KeyComponent>(
        by properties: repeat KeyPath<Record, each Value>
    ) -> BoundQuery<Record, Source> {
        BoundQuery(query.sorted(by: repeat each properties), in: source)
    }
}

extension BoundRecordListQuery where Source == Store {
    /// The async form of `resolve()`.
    public func resolve() async throws -> [Record] { try await query.resolve(in: source) }
}

extension BoundRecordListQuery: GraphShaping {
    /// Returns the query with the relations that a closure has requested.
    public func changing(_ change: (inout Query<Record>) -> Void) -> BoundRecordListQuery {
        BoundRecordListQuery(query: query.changing(change), source: source)
    }
}
