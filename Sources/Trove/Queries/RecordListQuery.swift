// A query for the records with some keys, in the order of the keys.

import TroveCoding

/// A query for several records, by their keys.
///
/// ```swift
/// let users = try User.query(["2", "1"]).with(\.$chats).resolve(in: store)
/// ```
public struct RecordListQuery<Record: IndexKeyRecord>: Sendable {
    /// The keys.
    public let keys: [Record.IndexKey]
    /// The query for the relations of the records, for any record; nil if there are none.
    private(set) var shape: Query<Record>?

    init(keys: [Record.IndexKey]) { self.keys = keys }

    /// Returns the records, in the order of the keys. Missing records are left out. The record of a key that occurs
    /// twice is returned twice.
    ///
    /// - Parameter source: A context, or a store.
    /// - Complexity: O(*k* log *n*) for *k* keys in *n* records. The keys are looked up in their order in the table.
    @available(*, noasync, message: "await the call")
    public func resolve(in source: some RecordReadable) throws -> [Record] {
        try source.reading { context in
            try context.logged(query) { _ in try translatingErrors { try resolve(context) } }
        }
    }

    private func resolve(_ context: ReadContext) throws -> [Record] {
        var shape = shape ?? Query()
        try shape.check()
        shape.limit = nil
        let sorted = SortedKeys(KeyList(keys))
        var records: [Record] = []
        let found = try FoundTargets(shape, among: sorted.keys, in: context) { matches, table in
            var matches = matches
            while let index = matches.popFirst() { records.append(try Record.decode(matches[index], table)) }
        }
        if shape.hasNestedRequests { records = try context.graphs(of: records, shape.nested) }
        return sorted.places.compactMap { place in
            let index = found.indices[Int(place)]
            return index < 0 ? nil : records[Int(index)]
        }
    }

    /// Returns a description of the query's plan, with a line for each requested relation.
    ///
    /// - Parameter source: A context, or a store.
    /// - Throws: The query's error, as running it does.
    @available(*, noasync, message: "await the call")
    public func explain(in source: some RecordReadable) throws -> String { try query.explain(in: source) }

    /// The records as a query by properties: each once, in no particular order.
    public var query: Query<Record> {
        var query = shape ?? Query()
        let sorted = SortedKeys(KeyList(keys)).keys
        query.ranges = sorted.map { KeyRange(prefix: Array($0)) }
        return query
    }

    // MARK: Shaping

    /// Returns a query for the records that also match a filter, each once.
    public func filter(_ filter: Filter<Record>) -> Query<Record> { query.filter(filter) }

    /// Returns a query for the records in the order of some properties, each once.
    public func sorted<each Value: KeyComponent>(by properties: repeat KeyPath<Record, each Value>) -> Query<Record> {
        query.sorted(by: repeat each properties)
    }
}

extension RecordListQuery: GraphShaping {
    /// Returns the query with the relations that a closure has asked for.
    public func shaped(_ change: (inout Query<Record>) -> Void) -> RecordListQuery {
        var query = self
        query.shape = (shape ?? Query()).changing(change)
        return query
    }
}

extension IndexKeyRecord {
    /// Returns a query for the records with some keys, in the order of the keys.
    public static func query(_ keys: [IndexKey]) -> RecordListQuery<Self> { RecordListQuery(keys: keys) }

    /// Returns a query for the records with some keys, in the order of the keys, bound to a context.
    public static func query<Source: RecordReadable>(
        _ keys: [IndexKey], in source: Source
    ) -> BoundRecordListQuery<Self, Source> {
        BoundRecordListQuery(query: RecordListQuery(keys: keys), source: source)
    }
}
