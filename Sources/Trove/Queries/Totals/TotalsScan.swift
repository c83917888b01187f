// The scan of the rows of an index of totals.

import LMDB
import TroveCoding

extension TotalsPlan {
    /// Calls a closure with each group in the ranges and its totals, until it returns `.stop`. Returns false, without a
    /// call, if the totals do not have all records: they were emptied in this transaction.
    ///
    /// The rows are read as if anyone had written them: no count overflows, and an ``ImpossibleTotals`` of the closure
    /// becomes the error of the row.
    func forEachGroup(
        in table: RecordTable, _ context: ReadContext,
        _ body: (_ group: [UInt8], GroupTotals) throws -> ScanControl
    ) throws -> Bool {
        guard let open = table.indexes[totals.ordinal].totals else { return false }
        return try translatingErrors {
            try context.flushOwnParts()
            let keyspace = context.keyspace
            guard try CountedRecords(open, keyspace).isComplete else { return false }
            var isStopped = false
            var count = 0
            for range in storedRanges where !isStopped {
                try keyspace.scan(open.rows.database, ScanRange(range)) { key, value in
                    let (group, totals) = try open.row(key, value, sums: totals.sums.count)
                    if hasCutBounds, !plan.ranges.contains(where: { $0.contains(group) }) { return .continue }
                    count += totals.count
                    guard count <= GroupTotals.countLimit else { throw open.rows.damaged(copiedBytes(key)) }
                    do {
                        let control = try body(group, totals)
                        isStopped = control == .stop
                        return control
                    } catch is ImpossibleTotals {
                        throw open.rows.damaged(copiedBytes(key))
                    }
                }
            }
            return true
        }
    }

    /// Returns the number of rows to read, in words.
    func rowCount(in table: RecordTable, _ context: ReadContext) throws -> String {
        let limit = 1_000
        let database = table.indexes[totals.ordinal].database
        return try translatingErrors {
            try context.flushOwnParts()
            var count = 0
            for range in storedRanges where count <= limit {
                count += try context.keyspace.count(database, ScanRange(range), atMost: limit + 1)
            }
            return count > limit ? "more than \(limit)" : "\(count)"
        }
    }

    // MARK: Ranges

    private var markedRanges: [KeyRange] { plan.ranges.map { $0.prefixed(by: [GroupTotals.mark]) } }

    /// Whether bounds are longer than the head of a cut key: then rows are compared with the ranges.
    private var hasCutBounds: Bool { markedRanges.contains(where: \.isBeyondHeads) }

    /// The ranges of the keys of the rows.
    private var storedRanges: [KeyRange] {
        hasCutBounds ? KeyRange.united(markedRanges.map(\.overHeads)) : markedRanges
    }

    // MARK: Groups

    /// Returns the key of a row's group in the query.
    func groupKey(of group: [UInt8], _ rows: RowTable) throws -> [UInt8] {
        try ByteView.with(group) { bytes in
            var reader = KeyReader(bytes)
            var ends = [0]
            for skip in totals.path.skips {
                do throws(CodingError) { try skip(&reader) } catch { throw rows.damaged(GroupTotals.key(of: group)) }
                ends.append(reader.offset)
            }
            return key.flatMap { column in
                let component = bytes[ends[column.place]..<ends[column.place + 1]].copy()
                return column.isComplemented ? component.map { ~$0 } : component
            }
        }
    }
}
