// The first or the last match of a query.

import LMDB
import TroveCoding

/// A query, and which of its matches to return.
final class RecordPick<Record: IndexKeyRecord>: Sendable {
    let query: Query<Record>
    let isLast: Bool

    init(_ query: Query<Record>, isLast: Bool) {
        self.query = query
        self.isLast = isLast
    }

    /// Returns the key of the match; nil if there is none.
    func key(in context: ReadContext) throws -> [UInt8]? {
        let query = shortened
        let keys = try query.foundKeys(by: query.keyPlan(in: context), in: context)
        var found = try keys?.next()
        guard isLast else { return found }
        while let next = try keys?.next() { found = next }
        return found
    }

    func explain(in context: ReadContext) throws -> String { try shortened._explain(in: context) }

    /// The query with fewer matches, the first or last of which is the match to return.
    private var shortened: Query<Record> {
        var query = query.withoutRequests
        if !isLast { return query.single }
        let isPage = query.limit != nil || query.offset > 0 || query.continuation != nil
        guard !isPage, query.sort.isEmpty, query.otherOrder == nil, query.source == nil,
            query.scoreOrder == nil
        else { return query }
        query = query.order(query.keyOrder == .descending ? .ascending : .descending)
        return query.single
    }
}

extension Query {
    /// Returns a query for the first match, in the query's order.
    ///
    /// The returned query can request relations, and have conditions that the record must fulfill.
    public func first() -> RecordQuery<Record> { RecordQuery(RecordPick(self, isLast: false)) }

    /// Returns a query for the last match, in the query's order; see ``last(in:)-(RecordReadable)``.
    public func last() -> RecordQuery<Record> { RecordQuery(RecordPick(self, isLast: true)) }

    /// Returns the last matching record, in the query's order; nil if there is none. Without an order, it is the record
    /// with the greatest key.
    ///
    /// - Parameter source: A context, or a store.
    /// - Complexity: A lookup of the first record if the query is in key order, without a limit and an offset.
    ///   Otherwise the keys of all matches are read.
    @available(*, noasync, message: "await the call")
    public func last(in source: some RecordReadable) throws -> Record? { try last().resolve(in: source) }

    /// The async form of `last(in:)`.
    public func last(in store: Store) async throws -> Record? { try await store.read { try last(in: $0) } }
}

extension KeyQuery {
    /// Returns a query for the first record, in the query's order.
    public func first() -> RecordQuery<Record> { Query(self).first() }

    /// Returns a query for the last record, in the query's order.
    public func last() -> RecordQuery<Record> { Query(self).last() }

    /// Returns the last record, in the query's order; nil if there is none.
    @available(*, noasync, message: "await the call")
    public func last(in source: some RecordReadable) throws -> Record? { try last().resolve(in: source) }

    /// The async form of `last(in:)`.
    public func last(in store: Store) async throws -> Record? { try await store.read { try last(in: $0) } }
}

extension BoundQuery {
    /// Returns the last matching record, in the query's order; nil if there is none. See
    /// ``Query/last(in:)-(RecordReadable)``.
    @available(*, noasync, message: "await the call")
    public func last() throws -> Record? { try query.last(in: source) }
}

extension BoundQuery where Source == Store {
    /// The async form of `last()`.
    public func last() async throws -> Record? { try await query.last(in: source) }
}
