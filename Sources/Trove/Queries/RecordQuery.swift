// A query for a single record.

import TroveCoding

/// A query for a single record, by its key.
public struct RecordQuery<Record: IndexKeyRecord>: Sendable {
    /// The key.
    public let key: Record.IndexKey
    /// The query for the relations of the record, for any record; nil if there are none.
    private(set) var shape: Query<Record>?

    init(key: Record.IndexKey) { self.key = key }

    /// Returns the record; nil if no record has the key.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func resolve(in source: some RecordReadable) throws -> Record? {
        guard let plainKey else { return try query.resolve(in: source).first }
        return try source.get(Record.self, key: plainKey)
    }

    /// Returns a description of the query's plan, with a line for each requested relation.
    ///
    /// - Parameter source: A context, or a store.
    /// - Throws: The query's error, as running it does.
    @available(*, noasync, message: "await the call")
    public func explain(in source: some RecordReadable) throws -> String { try query.explain(in: source) }

    /// The key, if there is nothing else to read than the record.
    @usableFromInline var plainKey: Record.IndexKey? { shape == nil ? key : nil }

    /// The query for the record.
    @usableFromInline var query: Query<Record> {
        var query = shape ?? Query()
        query.ranges = [KeyRange(prefix: KeyWriter.bytes(of: key))]
        return query
    }
}

extension RecordQuery: GraphShaping {
    /// Returns the query with the relations that a closure has asked for.
    public func changing(_ change: (inout Query<Record>) -> Void) -> RecordQuery {
        var query = self
        query.shape = (shape ?? Query()).changing(change)
        return query
    }
}
