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
    /// - Complexity: O(*k* log *n*) for *k* keys in *n* records.
    @available(*, noasync, message: "await the call")
    public func resolve(in source: some RecordReadable) throws -> [Record] {
        let (query, hasRepeats) = queryAndRepeats
        guard hasRepeats else { return try query.resolve(in: source) }
        var whole = query
        (whole.limit, whole.offset) = (nil, 0)
        let page = repeating(try whole.resolve(in: source), inOrder: !query.hasOrder)
        return Array(page.dropFirst(query.offset).prefix(query.limit ?? .max))
    }

    /// Returns records as often as their keys occur.
    ///
    /// - Parameters:
    ///   - records: The records, each once.
    ///   - isInOrder: Whether the result is in the order of the keys; otherwise it is in the order of the records.
    private func repeating(_ records: [Record], inOrder isInOrder: Bool) -> [Record] {
        let list = keys.map { KeyWriter.bytes(of: $0) }
        let found = records.map { record in (key: KeyWriter.bytes(of: record.indexKey), record: record) }
        if isInOrder {
            let byKey = Dictionary(found) { first, _ in first }
            return list.compactMap { byKey[$0] }
        }
        let counts = list.reduce(into: [:]) { counts, key in counts[key, default: 0] += 1 }
        return found.flatMap { Array(repeating: $0.record, count: counts[$0.key] ?? 0) }
    }

    /// The records as a query by properties: each once, in the order of the keys.
    public var query: Query<Record> { queryAndRepeats.query }

    var queryAndRepeats: (query: Query<Record>, hasRepeats: Bool) {
        var query = shape ?? Query()
        let list = ListedKeys(KeyList(keys), swift: RecordListQuery(keys: keys).description)
        query.source = QuerySource(keys: list)
        return (query, list.hasRepeats)
    }

    // MARK: Shaping

    /// Returns a query for the records that also match a filter, each once, in the order of the keys.
    public func filter(_ filter: Filter<Record>) -> Query<Record> { query.filter(filter) }

    /// Returns a query for the records that a closure accepts, each once; see ``Filter/where(_:)``.
    public func filter(where matches: @escaping @Sendable (Record) -> Bool) -> Query<Record> {
        query.filter(where: matches)
    }

    /// Returns a query for the records in the order of some properties, each once.
    public func sorted<each Value: KeyComponent>(by properties: repeat KeyPath<Record, each Value>) -> Query<Record> {
        query.sorted(by: repeat each properties)
    }
}

extension RecordListQuery: GraphShaping {
    /// Returns the query with the relations that a closure has requested.
    public func changing(_ change: (inout Query<Record>) -> Void) -> RecordListQuery {
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
    ) -> Bound<RecordListQuery<Self>, Source> {
        Bound(RecordListQuery(keys: keys), in: source)
    }
}
