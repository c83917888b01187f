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

    /// The same match of the query with an order: the order of the keys, if it has none.
    var inSomeOrder: RecordPick { RecordPick(query.inSomeOrder, isLast: isLast) }

    /// The query for the record; nil if the last of several matches is to be found.
    var alone: Query<Record>? {
        let query = shortened
        return !isLast || query.limit == 1 ? query : nil
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
    /// A request for the first match, in the query's order.
    ///
    /// It can request relations, and have conditions that the record must fulfill: `newest.first.with(\.$author)`.
    /// Without an order, the observed record is that with the least key.
    public var first: RecordQuery<Record> { RecordQuery(RecordPick(self, isLast: false)) }

    /// A request for the last match, in the query's order. Without an order, it is the record with the greatest key.
    ///
    /// - Complexity: A lookup of the first record if the query is in key order, without a limit and an offset.
    ///   Otherwise the keys of all matches are read.
    public var last: RecordQuery<Record> { RecordQuery(RecordPick(self, isLast: true)) }

    /// Returns the last matching record; nil if there is none. See ``last``.
    ///
    /// - Parameter source: A context, or a store.
    /// - Throws: The error of the query; ``StoreError`` if no snapshot can be read.
    @available(*, noasync, message: "await the call")
    public func last(in source: some RecordReadable) throws -> Record? { try last.resolve(in: source) }

    /// The async form of `last(in:)`. It reads on another thread.
    public func last(in store: Store) async throws -> Record? { try await last.resolve(in: store) }
}
