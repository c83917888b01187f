// The queries that are requests.

import TroveCoding

extension Query: StoreRequest, ReadableRequest {
    /// Returns the matching records, in the query's order.
    ///
    /// Observed records come in key order unless the query has an order, so that another plan never looks like a
    /// change.
    public func value(in context: ReadContext) throws -> [Record] { try resolve(in: context) }

    func reader() throws -> any ObservedReader<[Record]> { try RowsReader(self) { $0.rows.records } }

    /// Returns the changes of the list of matching records: the first one inserts all, and the next ones follow the
    /// commits that change the list.
    ///
    /// - Parameter store: The store. An iteration keeps it open.
    public func changes(in store: Store) -> ObservedValues<ListChange<Record>> {
        ObservedValues(store) {
            try RowsReader(self) { try ListChange($0.rows.records, $0.change, commit: $0.commit) }
        }
    }
}

extension RecordQuery: StoreRequest, ReadableRequest {
    /// The query of the first record of a list, without conditions and requests; nil for other requests.
    private var firstOfList: Query<Record>? {
        guard shape == nil, let list, !list.isLast else { return nil }
        return list.query.inSomeOrder.single
    }

    /// Returns the record; nil if there is none.
    public func value(in context: ReadContext) throws -> Record? { try resolve(in: context) }

    func reader() throws -> any ObservedReader<Record?> {
        if let firstOfList { return try RowsReader(firstOfList) { $0.rows.records.first } }
        return RequestReader(inSomeOrder.value) { left, right in
            try ContentHash.of([left].compactMap(\.self)) == ContentHash.of([right].compactMap(\.self))
        }
    }
}

extension RecordListQuery: StoreRequest, ReadableRequest {
    /// Returns the records, in the order of the keys. Missing records are left out.
    public func value(in context: ReadContext) throws -> [Record] { try resolve(in: context) }

    func reader() -> any ObservedReader<[Record]> {
        RequestReader(value) { try ContentHash.of($0) == ContentHash.of($1) }
    }
}
