// The running of a plan: its ranges one after the other, in batches of entries, up to its limit.

import LMDB

/// The walk over the records of a plan.
///
/// The loop over a batch is compiled into the code of whoever runs the query; a call stands between batches alone.
@usableFromInline
@safe struct RecordScan: ~Copyable {
    private let keyspace: Keyspace
    private let table: RecordTable
    private let ranges: [ScanRange]
    private var nextRange = 0
    private var remaining: Int
    private var current: RangeScan?

    @usableFromInline
    init(_ context: ReadContext, _ table: RecordTable, _ plan: ScanPlan) {
        keyspace = context.keyspace
        self.table = table
        ranges = plan.ranges
        remaining = plan.limit ?? .max
    }

    /// Goes on to the next entries, which hold until this is called again; nil at the end.
    @usableFromInline
    mutating func next() throws -> EntryBatch? {
        do {
            while remaining > 0 {
                if let batch = try current?.next(atMost: remaining) {
                    remaining -= batch.count
                    return batch
                }
                guard nextRange < ranges.count else { return nil }
                current = try keyspace.scan(table.database, ranges[nextRange])
                nextRange += 1
            }
            return nil
        } catch let error as LMDBError {
            throw StoreError(error)
        }
    }
}
