// The entries of a table in a scan order.

import LMDB
import TroveCoding

/// The cursor for a scan order.
enum OrderedCursor: ~Copyable, BatchCursor {
    case ranges(RangesCursor)
    case index(IndexCursor)
    case reversedGroups(ReversedGroupsCursor)
    case incrementalSort(IncrementalSortCursor)

    mutating func next(atMost limit: Int) throws -> EntryBatch? {
        switch consume self {
        case .ranges(var cursor):
            let batch = Result { try cursor.next(atMost: limit) }
            self = .ranges(cursor)
            return try batch.get()
        case .index(var cursor):
            let batch = Result { try cursor.next(atMost: limit) }
            self = .index(cursor)
            return try batch.get()
        case .reversedGroups(var cursor):
            let batch = Result { try cursor.next(atMost: limit) }
            self = .reversedGroups(cursor)
            return try batch.get()
        case .incrementalSort(var cursor):
            let batch = Result { try cursor.next(atMost: limit) }
            self = .incrementalSort(cursor)
            return try batch.get()
        }
    }

    /// Creates the cursor over an index.
    ///
    /// - Parameters:
    ///   - entry: The entry after which to begin.
    ///   - mayWrite: Whether the caller writes while it reads a batch.
    init(_ reader: IndexReader, _ plan: QueryPlan, after entry: [UInt8]?, mayWrite: Bool) throws {
        switch plan.scanOrder {
        case .groups(let components) where !plan.sorts:
            self = .reversedGroups(
                try ReversedGroupsCursor(reader, plan.ranges, components: components, after: entry, mayWrite: mayWrite))
        case .ties(let components, let isDescending):
            self = .incrementalSort(
                try IncrementalSortCursor(
                    reader, plan.ranges, components: components, isDescending: isDescending, after: entry,
                    mayWrite: mayWrite))
        case .ascending, .descending, .groups:
            self = .index(
                IndexCursor(
                    reader, plan.ranges, isDescending: plan.scanOrder == .descending,
                    order: plan.sorts ? nil : plan.scanOrder, after: entry, mayWrite: mayWrite))
        }
    }

    /// Creates the cursor over the records' own table.
    ///
    /// - Parameter mayWrite: Whether the caller writes while it reads a batch.
    init(_ table: RecordTable, _ keyspace: Keyspace, _ plan: ScanPlan, mayWrite: Bool) throws {
        if case .groups(let components) = plan.scanOrder {
            let reader = EntryReader(table, table.schema.candidates[0], keyspace)
            self = .reversedGroups(
                try ReversedGroupsCursor(
                    reader, plan.ranges, components: components, after: plan.continuation, mayWrite: mayWrite))
        } else {
            self = .ranges(
                RangesCursor(
                    keyspace, table.database, plan.ranges, isDescending: plan.scanOrder == .descending,
                    mayWrite: mayWrite))
        }
    }
}
