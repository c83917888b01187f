// From the rows of an index to the records that they lead to, in batches.

import LMDB

/// The walk over the records that rows of an index lead to.
@safe struct IndexFetch: ~Copyable {
    private let source: IndexReader
    private let records: Database
    private let plan: QueryPlan
    private let start: [UInt8]?
    private let hasKeyRanges: Bool
    private let readsRecords: Bool
    private var remaining: Int
    private var isBegun = false
    private var rows: IndexCursor?
    private var groups: ReversedGroupsCursor?
    private var ties: IncrementalSortCursor?
    private var lookups: PointLookup?
    private let found = EntryBatch.Storage()

    /// - Parameters:
    ///   - limit: How many records at most.
    ///   - start: The entry behind which the walk begins.
    ///   - readsRecords: Whether the records are wanted, not only their keys.
    init(
        _ source: IndexReader, _ table: RecordTable, _ plan: QueryPlan, limit: Int?, after start: [UInt8]?,
        readsRecords: Bool
    ) {
        self.source = source
        records = table.database
        self.plan = plan
        self.start = start
        hasKeyRanges = !plan.keyRanges.isEverything
        self.readsRecords = readsRecords
        remaining = limit ?? .max
    }

    /// Goes on to the next records, which hold until this is called again, or something is written; nil at the end.
    ///
    /// Where records are not wanted, their values are empty.
    mutating func next() throws -> EntryBatch? {
        let source = source
        return try translatingErrors {
            while remaining > 0, let batch = try nextRows() {
                var count = 0
                var head = ByteView()
                for index in 0..<batch.count where count < remaining {
                    let row = batch[index]
                    let key = try source.recordKey(of: row, &head)
                    if hasKeyRanges, !KeyRange.contains(plan.keyRanges, key) { continue }
                    let value = readsRecords ? try value(of: key, row) : ByteView()
                    found[count] = Entry(key, value)
                    count += 1
                }
                remaining -= count
                if count > 0 { return found.batch(count: count) }
            }
            return nil
        }
    }

    private mutating func nextRows() throws -> EntryBatch? {
        let limit = hasKeyRanges ? Int.max : remaining
        if !isBegun { try begin() }
        return try rows?.next(atMost: limit) ?? groups?.next(atMost: limit) ?? ties?.next(atMost: limit)
    }

    private mutating func begin() throws {
        isBegun = true
        switch plan.scanOrder {
        case .groups(let components) where !plan.sorts:
            groups = try ReversedGroupsCursor(source, plan.ranges, components: components, after: start)
        case .ties(let components, let isDescending):
            ties = try IncrementalSortCursor(
                source, plan.ranges, components: components, isDescending: isDescending, after: start)
        case .ascending, .descending, .groups:
            rows = IndexCursor(
                source, plan.ranges, isDescending: plan.scanOrder == .descending,
                order: plan.sorts ? nil : plan.scanOrder,
                after: start)
        }
    }

    private mutating func value(of key: ByteView, _ row: Entry) throws -> ByteView {
        if lookups == nil { lookups = try source.keyspace.lookups(in: records) }
        guard let value = try lookups?.value(of: key) else { throw source.damaged(row.key) }
        return value
    }
}
