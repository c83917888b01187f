// The scan that answers a query by a range of the key, without a planner.

import LMDB
import TroveCoding

extension Query {
    /// The scan of the records' own table that finds the matches in the query's order; nil if the query needs a plan.
    ///
    /// A query without filters, a sort, an offset, a source and requests for relations has such a scan. It costs a
    /// seek, and a step for each record.
    @usableFromInline var keyScan: ScanPlan? {
        guard isKeyScan else { return nil }
        return ScanPlan(ranges, ScanOrder(keyOrder ?? .ascending), limit: limit, after: continuation?.key)
    }

    /// Calls a closure with the bytes of each record of a scan, until the closure returns `.stop`.
    @inlinable
    @inline(__always)
    func scan(
        _ plan: ScanPlan, in source: some RecordReadable, mayWrite: Bool = false,
        _ body: (_ key: RawSpan, _ value: RawSpan, _ table: RecordTable) throws -> ScanControl
    ) throws {
        try source.reading { context in
            try context.logged(self) { _ in
                guard let table = try context.table(for: Record.schema, reading: plan.ranges) else { return }
                var scan = try TableScan(context, table, plan, mayWrite: mayWrite)
                while let batch = try scan.next() {
                    guard try batch.forEach({ key, value in try body(key, value, table) == .continue }) else { return }
                }
            }
        }
    }

    /// Reads properties of the records of a scan in runs of the current layout. A record of an older layout is decoded
    /// as a whole.
    @inlinable
    func project(
        _ plan: ScanPlan, in source: some RecordReadable, _ body: (inout RecordRun) throws(CodingError) -> Void,
        migrated: (Record) throws -> Void
    ) throws {
        try source.reading { context in
            try context.logged(self) { _ in
                guard let table = try context.table(for: Record.schema, reading: plan.ranges) else { return }
                var scan = try TableScan(context, table, plan, mayWrite: false)
                while let batch = try scan.next() {
                    var index = 0
                    while index < batch.count {
                        var run = try RecordRun(batch, from: index, table)
                        if run.count > 0 {
                            do throws(CodingError) { try body(&run) } catch { throw run.corrupted(table, error) }
                            index += run.count
                        } else {
                            try migrated(try Record.decode(batch[index], table))
                            index += 1
                        }
                    }
                }
            }
        }
    }
}
