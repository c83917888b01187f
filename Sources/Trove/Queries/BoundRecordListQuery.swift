// A query for several records, bound to a context.

import TroveCoding

/// A ``RecordListQuery`` together with a context or a store.
public struct BoundRecordListQuery<Record: IndexKeyRecord, Source: RecordReadable> {
    /// The query without the context.
    public let query: RecordListQuery<Record>
    /// The context.
    public let source: Source

    /// Returns the records, in the order of the keys. Missing records are left out.
    @available(*, noasync, message: "await the call")
    public func resolve() throws -> [Record] { try query.resolve(in: source) }
}

extension BoundRecordListQuery where Source == Store {
    /// The async form of `resolve()`.
    public func resolve() async throws -> [Record] { try await query.resolve(in: source) }
}

extension BoundRecordListQuery: GraphShaping {
    /// Returns the query with the relations that a closure has asked for.
    public func shaped(_ change: (inout Query<Record>) -> Void) -> BoundRecordListQuery {
        BoundRecordListQuery(query: query.shaped(change), source: source)
    }
}
