// A query for a single record.

import TroveCoding

/// A query for a single record, by its key.
public struct RecordQuery<Record: IndexKeyRecord>: Sendable {
    /// The key; nil in a nested query, for the target of a relation.
    public let key: Record.IndexKey?
    /// The query for the relations of the record, for any record; nil if there are none.
    private(set) var shape: Query<Record>?

    init(key: Record.IndexKey?) { self.key = key }

    /// Returns the record; nil if no record has the key.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func resolve(in source: some RecordReadable) throws -> Record? {
        if let plainKey { return try source.get(Record.self, key: plainKey) }
        return isByKeyAlone ? try resolveGraph(in: source) : try query.resolve(in: source).first
    }

    /// Returns the record of the key with its relations. A known key needs no plan.
    @usableFromInline
    func resolveGraph(in source: some RecordReadable) throws -> Record? {
        guard let key, let shape else { return nil }
        try shape.check()
        return try source.reading { context in
            try context.logged(query) { _ in
                guard let record = try context.get(Record.self, key: key) else { return nil }
                return try context.graphs(of: [record], shape.nested).first
            }
        }
    }

    /// Whether the record has a known key and no conditions.
    @usableFromInline var isByKeyAlone: Bool { key != nil && shape?.conditions.isEverything ?? true }

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
        if let key { query.ranges = [KeyRange(prefix: KeyWriter.bytes(of: key))] }
        return query
    }
}

extension RecordQuery: GraphShaping {
    /// Returns the query with the relations that a closure has asked for.
    public func shaped(_ change: (inout Query<Record>) -> Void) -> RecordQuery {
        var query = self
        query.shape = (shape ?? Query()).changing(change)
        return query
    }
}
