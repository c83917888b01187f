// Runs a key query: all records, the first record, a closure for each record, keys, a count, or removal.

import LMDB
import TroveCoding

extension KeyQuery {
    /// Returns the matching records, in the query's order.
    ///
    /// - Parameter source: A context, or a store.
    /// - Complexity: O(log *n* + *m*) for *m* records found of *n*.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func select(in source: some RecordReadable) throws -> [Record] {
        var records: [Record] = []
        try scan(in: source) { key, value, table in
            records.append(try Record.decode(key, value, table))
            return .continue
        }
        return records
    }

    /// Returns the first matching record, in the query's order; nil if there is none.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func first(in source: some RecordReadable) throws -> Record? {
        var record: Record?
        try single.scan(in: source) { key, value, table in
            record = try Record.decode(key, value, table)
            return .stop
        }
        return record
    }

    /// Calls a closure with each matching record, decoded one at a time.
    ///
    /// In a write transaction, the closure may write, even to records of the query. The scan also visits records that
    /// the closure adds ahead of the current record.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func forEach(in source: some RecordReadable, _ body: (Record) throws -> Void) throws {
        try scan(in: source, mayWrite: true) { key, value, table in
            try body(try Record.decode(key, value, table))
            return .continue
        }
    }

    /// Calls a closure with each matching record, until the closure returns `.stop`.
    @_disfavoredOverload  // A closure without `return` would fit both.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func forEach(in source: some RecordReadable, _ body: (Record) throws -> ScanControl) throws {
        try scan(in: source, mayWrite: true) { key, value, table in try body(try Record.decode(key, value, table)) }
    }

    /// Returns the keys of the matching records, in the query's order. Fields are not decoded.
    @inlinable
    public func _keys(in context: ReadContext) throws -> [Record.IndexKey] {
        var keys: [Record.IndexKey] = []
        try scan(in: context) { key, _, table in
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

    /// Removes the matching records.
    ///
    /// - Parameter destination: The context of a write transaction, or a store.
    /// - Returns: The number of records removed.
    @inlinable
    @discardableResult
    @available(*, noasync, message: "await the call")
    public func delete(in destination: some RecordWritable) throws -> Int {
        if let failure { throw failure }
        return try destination.writing { context in
            try context.logged(Query(self)) { _ in try context.remove(Record.self, plan) }
        }
    }

    /// Calls a closure with the bytes of each matching record, until the closure returns `.stop`.
    @inlinable
    @inline(__always)
    func scan(
        in source: some RecordReadable, mayWrite: Bool = false,
        _ body: (_ key: RawSpan, _ value: RawSpan, _ table: RecordTable) throws -> ScanControl
    ) throws {
        if let failure { throw failure }
        try source.reading { context in
            try context.logged(Query(self)) { _ in
                guard let table = try context.table(for: Record.schema, reading: plan.ranges) else { return }
                var scan = try TableScan(context, table, plan, mayWrite: mayWrite)
                while let batch = try scan.next() {
                    guard try batch.forEach({ key, value in try body(key, value, table) == .continue }) else { return }
                }
            }
        }
    }
}

extension KeyQuery: QueryCounting {
    /// Returns the number of matching records.
    @inlinable
    public func _count(in context: ReadContext) throws -> Int {
        if let failure { throw failure }
        return try context.logged(Query(self)) { _ in
            guard let table = try context.table(for: Record.schema, reading: plan.ranges) else { return 0 }
            return try context.count(table, plan)
        }
    }

    /// Returns whether the query finds any record.
    @inlinable
    public func _exists(in context: ReadContext) throws -> Bool { try single._count(in: context) > 0 }

    /// Returns a description of the plan.
    public func _explain(in context: ReadContext) throws -> String { try Query(self)._explain(in: context) }

    /// Returns a description of the plan of a count.
    public func _explainCount(in context: ReadContext) throws -> String { try Query(self)._explainCount(in: context) }
}
