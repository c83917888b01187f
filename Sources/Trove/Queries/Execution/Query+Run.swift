// Runs a query: all records, the first record, a closure for each record, keys, or a count.

import LMDB
import TroveCoding

extension Query {
    /// Returns the matching records, in the query's order.
    ///
    /// - Parameter source: A context, or a store.
    /// - Complexity: O(log *n* + *m*) for *m* records in a range of *n* keys; with a filter, that of the plan. For each
    ///   level of requested relations also the number of links and of distinct targets.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func resolve(in source: some RecordReadable) throws -> [Record] {
        guard let keyScan else { return try resolveByPlan(in: source) }
        var records: [Record] = []
        try scan(keyScan, in: source) { key, value, table in
            records.append(try Record.decode(key, value, table))
            return .continue
        }
        return records
    }

    /// Returns the matching records by the plan with the least cost.
    @inlinable
    func resolveByPlan(in source: some RecordReadable) throws -> [Record] {
        try source.reading { context in
            try context.logged(self) { trace in
                guard let run = try QueryRun(self, in: context, for: .records, trace: &trace) else { return [] }
                let records = try run.collect(context) { matches, index, table in
                    try Record.decode(matches[index], table)
                }
                return hasNestedRequests ? try completed(records, in: context) : records
            }
        }
    }

    /// Returns the keys of the matching records, in the query's order. Fields are not decoded.
    @inlinable
    public func _keys(in context: ReadContext) throws -> [Record.IndexKey] {
        guard let keyScan else {
            return try collect(in: context, .keys) { matches, index, table in
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
        var keys: [Record.IndexKey] = []
        try scan(keyScan, in: context) { key, _, table in
            do throws(CodingError) {
                keys.append(
                    try KeyReader.read(key) { (reader) throws(CodingError) in
                        try Record.IndexKey(decodingKey: &reader)
                    })
            } catch {
                throw table.corrupted(key, error)
            }
            return .continue
        }
        return keys
    }

    /// Calls a closure with each matching record, in the query's order.
    ///
    /// Records are decoded one at a time, in constant memory. The exception is a sort: then all records of the result
    /// are read before the first call.
    ///
    /// If the query requests relations, they are read for up to 256 records at a time, before the closure is called
    /// with the first of them; in a write transaction, for a record at a time.
    ///
    /// In a write transaction, the closure may write, even to records of the query. If the query is sorted or scans an
    /// index, it then collects all keys before the first call. A scan of keys also visits records that the closure adds
    /// ahead of the current record.
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
                guard let run = try QueryRun(self, in: context, for: need, trace: &trace) else { return [] }
                return try run.collect(context, make)
            }
        }
    }

    @inlinable
    func visit(in source: some RecordReadable, _ body: (Record) throws -> ScanControl) throws {
        if let keyScan {
            return try scan(keyScan, in: source, mayWrite: true) { key, value, table in
                try body(try Record.decode(key, value, table))
            }
        }
        guard !hasNestedRequests else { return try visitGraphs(in: source, body) }
        try source.reading { context in
            try context.logged(self) { trace in
                guard let run = try QueryRun(self, in: context, for: .each, trace: &trace) else { return }
                try run.forEach(context) { matches, index, table in
                    try body(Record.decode(matches[index], table))
                }
            }
        }
    }
}

extension Query: QueryCounting {
    /// Returns the first matching record, in the query's order; nil if there is none.
    @inlinable
    public func _first(in context: ReadContext) throws -> Record? {
        let single = single
        guard let keyScan = single.keyScan else { return try single.resolveByPlan(in: context).first }
        var record: Record?
        try single.scan(keyScan, in: context) { key, value, table in
            record = try Record.decode(key, value, table)
            return .stop
        }
        return record
    }

    /// Returns the number of matching records.
    @inlinable
    public func _count(in context: ReadContext) throws -> Int {
        guard let keyScan else { return try countByPlan(in: context) }
        return try context.logged(self) { _ in
            guard let table = try context.table(for: Record.schema, reading: keyScan.ranges) else { return 0 }
            return try context.count(table, keyScan)
        }
    }

    @usableFromInline
    func countByPlan(in context: ReadContext) throws -> Int {
        if let count = try storedCount(in: context) { return count }
        return try context.logged(self) { trace in
            guard let run = try QueryRun(countQuery(), in: context, for: .count, trace: &trace) else { return 0 }
            return try run.count(context)
        }
    }

    /// Returns whether the query finds any record.
    @inlinable
    public func _exists(in context: ReadContext) throws -> Bool {
        try storedExistence(in: context) ?? (single._count(in: context) > 0)
    }
}
