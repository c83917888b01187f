// The cursor tree of a plan, in the shape printed by `explain`.

import LMDB
import TroveCoding

/// The cursor over the records of a plan, before its filter is tested.
enum CursorTree: ~Copyable, BatchCursor {
    case table(TableScan)
    case index(IndexFetch)
    case keys(KeyFetch)
    case source(SourceFetch)

    mutating func next(atMost limit: Int) throws -> EntryBatch? {
        switch consume self {
        case .table(var cursor):
            let batch = Result { try cursor.next(atMost: limit) }
            self = .table(cursor)
            return try batch.get()
        case .index(var cursor):
            let batch = Result { try translatingErrors { try cursor.next(atMost: limit) } }
            self = .index(cursor)
            return try batch.get()
        case .keys(var cursor):
            let batch = Result { try translatingErrors { try cursor.next(atMost: limit) } }
            self = .keys(cursor)
            return try batch.get()
        case .source(var cursor):
            let batch = Result { try translatingErrors { try cursor.next(atMost: limit) } }
            self = .source(cursor)
            return try batch.get()
        }
    }

    /// Creates the tree of a plan.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of records to return.
    ///   - start: The entry after which to begin.
    ///   - readsRecords: Whether to return the records' values; otherwise an index returns empty values.
    ///   - keyTest: The conditions on keys that an index tests before it looks up records; nil if there are none.
    ///   - mayWrite: Whether the caller writes while it reads a batch.
    init<Record: IndexKeyRecord>(
        _ plan: QueryPlan, of type: Record.Type, _ context: ReadContext, _ table: RecordTable, limit: Int?,
        after start: [UInt8]?, readsRecords: Bool, keyTest: FilterTest?, mayWrite: Bool
    ) throws {
        if let source = plan.source {
            self = .source(
                SourceFetch(
                    source, in: context, table: table, plan: plan, limit: limit, after: start,
                    readsRecords: readsRecords
                ) { try source.keys(of: $0, type, context, table, after: start) })
        } else if let merged = plan.merged {
            self = .keys(
                KeyFetch(context.keyspace, table, limit: limit, readsRecords: readsRecords) { key in
                    merged.damaged(table.storedKey(key))
                } collectKeys: {
                    try merged.keys(of: type, plan, context, table, after: start)
                })
        } else if case .index(let index) = plan.path.kind {
            let reader = IndexReader(
                of: table, plan.path, table.indexes[index], context.keyspace
            ) { key, storedKey in try context.entry(of: key, storedAs: storedKey, type, index) }
            self = .index(
                try IndexFetch(
                    reader, table, plan, limit: limit, after: start, readsRecords: readsRecords, keyTest: keyTest))
        } else {
            let scan = ScanPlan(plan.ranges, plan.scanOrder, limit: limit, after: start)
            self = .table(try TableScan(context, table, scan, mayWrite: mayWrite))
        }
    }
}

extension QueryPlan.MergedScan {
    /// Returns the record keys common to all parts, or found by any part, in the order of the scan.
    fileprivate func keys<Record: IndexKeyRecord>(
        of type: Record.Type, _ plan: QueryPlan, _ context: ReadContext, _ table: RecordTable, after start: [UInt8]?
    ) throws -> EntryBuffer {
        let keys = EntryBuffer()
        let isDescending = plan.scanOrder == .descending
        let rest = start.map { isDescending ? KeyRange.all.before($0) : KeyRange.all.after($0) }
        let ranges = KeyRange.common(plan.keyRanges, rest.map { [$0] } ?? [.all])
        for part in parts {
            var cursor = try FilterCursor<Record>(
                context, table, part, after: nil, readsProperties: false, keysSuffice: true, mayWrite: false)
            while var matches = try cursor.next() {
                while let index = matches.popFirst() {
                    let key = matches[index].key
                    if ranges == [.all] || KeyRange.contains(ranges, key) { keys.append(key: key) }
                }
            }
        }
        keys.keepKeys(inAtLeast: isUnion ? 1 : parts.count, isDescending: isDescending)
        return keys
    }
}
