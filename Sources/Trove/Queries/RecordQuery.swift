// A query for a single record.

import TroveCoding

/// A query for a single record: by its key, or the first or last record of another query.
///
/// ```swift
/// let user = try User.query("1").with(\.$chats).resolve(in: store)
/// let oldest = try User.query().sorted(by: \.age.desc).first.with(\.$chats).resolve(in: store)
/// ```
public struct RecordQuery<Record: IndexKeyRecord>: Sendable {
    /// The key; nil for the first or last record of another query.
    public let key: Record.IndexKey?
    /// The query whose first or last match is the record; nil for a record by its key.
    private(set) var list: RecordPick<Record>?
    /// The query for the relations of the record and for conditions on it, for any record; nil if there are none.
    private(set) var shape: Query<Record>?

    init(key: Record.IndexKey) {
        self.key = key
        list = nil
    }

    init(_ list: RecordPick<Record>) {
        key = nil
        self.list = list
        shape = list.query.hasNestedRequests ? list.query.requestsAlone : nil
    }

    /// The request whose list has an order, so that another plan never looks like a change.
    var inSomeOrder: RecordQuery {
        var query = self
        query.list = list?.inSomeOrder
        return query
    }

    /// Returns the record; nil if there is none.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func resolve(in source: some RecordReadable) throws -> Record? {
        if let plainKey { return try source.get(Record.self, key: plainKey) }
        if let queryAlone { return try queryAlone.first(in: source) }
        return isByKeyAlone ? try resolveGraph(in: source) : try resolveShaped(in: source)
    }

    /// Returns the record of the key with its relations. A known key needs no plan.
    @usableFromInline
    func resolveGraph(in source: some RecordReadable) throws -> Record? {
        guard let key, let shape else { return nil }
        try shape.check()
        return try source.reading { context in
            try context.logged(query) { _ in
                guard let record = try context.get(Record.self, key: key) else { return nil }
                return try shape.completed([record], in: context).first
            }
        }
    }

    @usableFromInline
    func resolveShaped(in source: some RecordReadable) throws -> Record? {
        try source.reading { context in try found(in: context)?.resolve(in: context).first }
    }

    /// The query whose first match is the record, if there is nothing else to read; nil for other requests.
    @usableFromInline var queryAlone: Query<Record>? { shape == nil ? list?.alone : nil }

    /// Whether the record has a known key and no conditions.
    @usableFromInline var isByKeyAlone: Bool { key != nil && shape?.conditions.isEverything ?? true }

    /// Returns a description of the query's plan, with a line for each requested relation.
    public func _explain(in context: ReadContext) throws -> String {
        guard let list else { return try query._explain(in: context) }
        try query.check()
        let condition = query.conditions.isEverything ? [] : ["filter of the record: \(query.conditions)"]
        return try ([list.explain(in: context)] + condition + query.nestedLines).joined(separator: "\n")
    }

    /// The key, if there is nothing else to read than the record.
    @usableFromInline var plainKey: Record.IndexKey? { shape == nil ? key : nil }

    /// The query for the record, if it has a known key; otherwise the query for any record.
    @usableFromInline var query: Query<Record> {
        var query = shape ?? Query()
        if let key { query.ranges = [KeyRange(prefix: KeyWriter.bytes(of: key))] }
        return query
    }

    /// Returns the query for the record by its key; nil if there is no record.
    func found(in context: ReadContext) throws -> Query<Record>? {
        guard let list else { return query }
        var query = query
        try query.check()
        guard let key = try list.key(in: context) else { return nil }
        query.ranges = [KeyRange(prefix: key)]
        return query
    }

    // MARK: Conditions

    /// Returns the query for the record, if it also matches a filter.
    public func filter(_ filter: Filter<Record>) -> RecordQuery { changing { $0 = $0.filter(filter) } }

    /// Returns the query for the record, if a closure accepts it; see ``Filter/where(_:)``.
    public func filter(where matches: @escaping @Sendable (Record) -> Bool) -> RecordQuery { filter(.where(matches)) }
}

extension RecordQuery: GraphShaping {
    /// Returns the query with the relations that a closure has requested.
    public func changing(_ change: (inout Query<Record>) -> Void) -> RecordQuery {
        var query = self
        query.shape = (shape ?? Query()).changing(change)
        return query
    }
}

extension RecordQuery: OwnerQuery {
    var depth: Int { list?.query.depth ?? 0 }

    func checkOwners() throws {
        try query.check()
        try list?.query.check()
    }

    func ownerPlan(in context: ReadContext) throws -> QueryPlan {
        try (list?.query ?? query).keyPlan(in: context)
    }

    func ownerKeys(by plan: QueryPlan, in context: ReadContext) throws -> (any OwnerStream)? {
        guard let query = try found(in: context) else { return KnownOwners([]) }
        return try query.foundKeys(by: query.keyPlan(in: context), in: context)
    }

    /// Returns the key of the record; nil if there is none. A record with a known key need not be stored.
    func keyBytes(in context: ReadContext) throws -> [UInt8]? {
        if isByKeyAlone { return key.map { KeyWriter.bytes(of: $0) } }
        return try ownerKeys(by: ownerPlan(in: context), in: context)?.next()
    }
}

extension IndexKeyRecord {
    /// Returns a query for the record with a key: `User.query("1").with(\.$chats).resolve(in: store)`.
    public static func query(_ key: IndexKey) -> RecordQuery<Self> { RecordQuery(key: key) }

    /// Returns a query for the record with a key, bound to a context.
    public static func query<Source: RecordReadable>(
        _ key: IndexKey, in source: Source
    ) -> Bound<RecordQuery<Self>, Source> {
        Bound(RecordQuery(key: key), in: source)
    }
}
