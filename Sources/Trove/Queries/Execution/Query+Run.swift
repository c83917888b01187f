// Runs a query: all records, the first record, a closure for each record, keys, or a count.

import LMDB
import TroveCoding

extension Query {
    /// Returns the matching records, in the query's order.
    ///
    /// - Parameter source: A context, or a store.
    /// - Complexity: The plan's, and for each level of requested relations the number of links and of distinct targets.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func resolve(in source: some RecordReadable) throws -> [Record] {
        try source.reading { context in
            try context.logged(self) { trace in
                guard let run = try QueryRun(self, context, .records, &trace) else { return [] }
                let records = try run.collect(context) { matches, index, table in
                    try Record.decode(matches[index], table)
                }
                return hasNestedRequests ? try completed(records, in: context) : records
            }
        }
    }

    /// Returns the first matching record, in the query's order; nil if there is none.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func first(in source: some RecordReadable) throws -> Record? { try single.resolve(in: source).first }

    /// Returns the keys of the matching records, in the query's order. Fields are not decoded.
    @inlinable
    public func _keys(in context: ReadContext) throws -> [Record.IndexKey] {
        try collect(in: context, .keys) { matches, index, table in
            let key = matches[index].key
            do throws(CodingError) {
                var reader = KeyReader(key)
                let recordKey = try Record.IndexKey(decodingKey: &reader)
                try reader.finish()
                return recordKey
            } catch {
                throw table.corrupted(key, error)
            }
        }
    }

    /// Calls a closure with each matching record, in the query's order.
    ///
    /// Records are decoded one at a time, in constant memory. The exception is a sort: then all records of the result
    /// are read before the first call.
    ///
    /// If the query requests relations, they are read for up to 256 records at a time, before the closure is called
    /// with the first of them; in a write transaction, for a record at a time.
    ///
    /// In a write transaction, the closure may write. If the query is sorted or scans an index, it then collects all
    /// keys before the first call.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func forEach(in source: some RecordReadable, _ body: (Record) throws -> Void) throws {
        try visit(in: source) { record in
            try body(record)
            return .continue
        }
    }

    /// Calls a closure with each matching record, until the closure returns `.stop`.
    @_disfavoredOverload  // A closure without `return` would fit both.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func forEach(in source: some RecordReadable, _ body: (Record) throws -> ScanControl) throws {
        try visit(in: source, body)
    }

    /// Returns the query that is counted. The order decides only which matches follow a record.
    ///
    /// - Throws: The query's error, including errors of its order.
    func countQuery() throws -> Query { continuation == nil ? try withoutOrder() : self }

    /// The query, limited to its first record.
    @usableFromInline
    var single: Query { limit(Swift.min(limit ?? 1, 1)) }

    /// Returns the query without its order, unless a limit, an offset or a continuation depends on the order.
    ///
    /// - Throws: The query's error, including errors of its order.
    @usableFromInline
    func unsorted() throws -> Query {
        guard continuation == nil, limit == nil, offset == 0 else {
            try check()
            return self
        }
        return try withoutOrder()
    }

    /// Returns the query without its order.
    ///
    /// - Throws: The query's error, including errors of its order.
    private func withoutOrder() throws -> Query {
        try check()
        var query = self
        query.removeOrder()
        query.keyOrder = keyOrder
        return query
    }
}

// MARK: Entry points of generic code

extension Query {
    /// Returns an element for each matching record, in the query's order.
    @inlinable
    func collect<Element>(
        in source: some RecordReadable, _ need: QueryNeed = .records,
        _ make: (Matches, Int, RecordTable) throws -> Element
    ) throws -> [Element] {
        try source.reading { context in
            try context.logged(self) { trace in
                guard let run = try QueryRun(self, context, need, &trace) else { return [] }
                return try run.collect(context, make)
            }
        }
    }

    @inlinable
    func visit(in source: some RecordReadable, _ body: (Record) throws -> ScanControl) throws {
        guard !hasNestedRequests else { return try visitGraphs(in: source, body) }
        try source.reading { context in
            try context.logged(self) { trace in
                guard let run = try QueryRun(self, context, .each, &trace) else { return }
                try run.forEach(context) { matches, index, table in
                    try body(Record.decode(matches[index], table))
                }
            }
        }
    }
}

extension Query: QueryCounting {
    /// Returns the number of matching records.
    public func _count(in context: ReadContext) throws -> Int {
        try context.logged(self) { trace in
            guard let run = try QueryRun(countQuery(), context, .count, &trace) else { return 0 }
            return try run.count(context)
        }
    }

    /// Returns whether the query finds any record.
    public func _exists(in context: ReadContext) throws -> Bool { try single._count(in: context) > 0 }
}
