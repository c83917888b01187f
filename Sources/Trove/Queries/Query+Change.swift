// Removal and change of what a query finds.

import LMDB
import TroveCoding

extension Query {
    /// Removes the records that the query finds, all or none.
    ///
    /// - Parameter destination: The context of a write transaction, or a store.
    /// - Returns: How many there were.
    @discardableResult
    public func delete(in destination: some RecordWritable) throws -> Int {
        try destination.writing { context in
            guard try context.tableForRemoval(Record.schema) != nil, let run = try QueryRun(unsorted(), context, .keys)
            else { return 0 }
            if let keys = run.keysAlone { return try context.remove(Record.self, keys) }
            return try context.statement { context in
                var count = 0
                try run.forEach(context) { matches, index, _ in
                    if try matches[index].key.withSpan({ try context.replace($0, with: nil as Record?) }) { count += 1 }
                    return .continue
                }
                return count
            }
        }
    }

    /// Changes the records that the query finds, all or none.
    ///
    /// ```swift
    /// try User.filter(\.status == .invited).update(in: context) { user in
    ///     user.status = .active
    /// }
    /// ```
    ///
    /// It is a transaction within the one that is open: where the closure throws, all is as before. Unique values are
    /// compared at its end, so that records can swap theirs.
    ///
    /// - Parameters:
    ///   - destination: The context of a write transaction, or a store.
    ///   - change: Changes one record, whose key must stay.
    /// - Returns: How many were changed: all but those that a unique constraint's rule said to ignore.
    /// - Throws: ``StoreError/keyChanged(type:key:)``, ``StoreError/notUnique(type:index:key:existing:)``; what the
    ///   closure throws.
    @inlinable
    @discardableResult
    public func update(
        in destination: some RecordWritable, _ change: (inout Record) throws -> Void
    ) throws -> Int {
        try destination.writing { context in
            try context.statement { context in
                guard let run = try QueryRun(unsorted(), context) else { return 0 }
                var count = 0
                try run.forEach(context) { matches, index, table in
                    var record = try Record.decode(matches[index], table)
                    try change(&record)
                    try checkKey(of: record, is: matches[index].key)
                    if try context.insert(record) { count += 1 }
                    return .continue
                }
                return count
            }
        }
    }

    @usableFromInline
    func checkKey(of record: Record, is key: ByteView) throws {
        guard withKeyBytes(of: record.indexKey, { key.equals($0) }) else {
            throw StoreError.keyChanged(type: Record.schema.name, key: key.copy())
        }
    }
}

extension QueryRun {
    /// The keys that are found, where ranges of them are all there is to it.
    var keysAlone: ScanPlan? {
        guard !plan.scansIndexes, plan.isExact, !plan.sorts, plan.offset == 0,
            plan.scanOrder == .ascending || plan.scanOrder == .descending
        else { return nil }
        return ScanPlan(plan.ranges, plan.scanOrder, limit: plan.limit, after: start)
    }
}
