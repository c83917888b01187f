// Counting and removing the records of a scan.

import LMDB
import TroveCoding

extension ReadContext {
    /// Counts the keys of a plan's ranges, up to its limit.
    @usableFromInline
    final func count(_ table: RecordTable, _ plan: ScanPlan) throws -> Int { try count(table.database, plan) }

    /// Counts the keys of a plan's ranges in a table, up to its limit.
    final func count(_ database: Database, _ plan: ScanPlan) throws -> Int {
        try translatingErrors {
            if plan.isWholeTable, plan.limit == nil { return try keyspace.count(database) }
            let limit = max(0, plan.limit ?? .max)
            return try plan.ranges.reduce(0) { count, range in
                try count + keyspace.count(database, ScanRange(range), atMost: limit - count)
            }
        }
    }
}

extension TransactionContext {
    /// Removes the records of a plan. Returns the number of records removed.
    @usableFromInline
    func remove<Record: IndexKeyRecord>(_ type: Record.Type, _ plan: ScanPlan) throws -> Int {
        guard var table = try tableForRemoval(Record.schema) else { return 0 }
        let hasIndexes = !Record.schema.indexes.isEmpty
        if hasIndexes { table = try tableForWriting(Record.schema).table }
        if plan.limit == nil, !Record.schema.isOfEntities, plan.isWholeTable || !hasIndexes {
            return try removeAll(plan, from: table)
        }
        return try statement { context in
            // The first delete shows whether the type has hooks.
            let part = plan.limit == nil && plan.isWholeTable ? Record.schema.writePart : nil
            var isEmptied = part?.canBeEmptied ?? false
            var removed = 0
            if !isEmptied {
                try context.forEachKey(table, plan, keysFirst: Record.schema.mayAddByDeleting) { key in
                    if try context.replace(key, with: nil as Record?) { removed += 1 }
                    isEmptied = removed == 1 && part?.canBeEmptied ?? false
                    return !isEmptied
                }
            }
            guard isEmptied else { return removed }
            try part?.removeLinks(ofAll: table, in: context)
            return try removed + context.removeAll(plan, from: table)
        }
    }

    /// Calls a closure with the keys of a plan, until it returns false. The closure may remove records.
    ///
    /// - Parameter keysFirst: Whether the keys are collected before the first call, so that no key is visited that the
    ///   closure adds.
    private func forEachKey(
        _ table: RecordTable, _ plan: ScanPlan, keysFirst: Bool, _ body: (RawSpan) throws -> Bool
    ) throws {
        guard keysFirst else {
            var scan = try TableScan(self, table, plan, mayWrite: true)
            while let batch = try scan.next(), try batch.forEach({ key, _ in try body(key) }) {}
            return
        }
        let keys = EntryBuffer()
        try collectKeys(table, plan, into: keys)
        while let batch = keys.next(), try batch.forEach({ key, _ in try body(key) }) {}
    }

    private func collectKeys(_ table: RecordTable, _ plan: ScanPlan, into keys: EntryBuffer) throws {
        var scan = try TableScan(self, table, plan, mayWrite: false)
        while let batch = try scan.next() {
            _ = batch.forEach { key, _ in
                ByteView.with(key) { keys.append(key: $0) }
                return true
            }
        }
    }

    /// Removes the whole ranges of a plan. Returns the number of records removed.
    private func removeAll(_ plan: ScanPlan, from table: RecordTable) throws -> Int {
        let removed = try translatingErrors {
            guard plan.isWholeTable else { return try removeRanges(plan.ranges, from: table) }
            try emptyIndexes(of: table)
            let count = try keyspace.count(table.database)
            if count > 0 {
                try noteRemovals(from: table, in: [KeyRange(prefix: [])])
                try keyspace.deleteAll(table.database)
                changedKeys.noteAny(table.schema.keyPrefix)
            }
            return count
        }
        if removed > 0 { noteChange() }
        return removed
    }

    private func removeRanges(_ ranges: [KeyRange], from table: RecordTable) throws -> Int {
        try noteRemovals(from: table, in: ranges)
        return try ranges.reduce(0) { removed, range in
            let count = try keyspace.deleteRange(table.database, ScanRange(range))
            if count > 0 { changedKeys.note(table.schema.keyPrefix, range) }
            return removed + count
        }
    }
}
