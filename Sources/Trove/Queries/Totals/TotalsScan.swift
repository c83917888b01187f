// The scan of the rows of an index of totals.

import LMDB
import TroveCoding

extension TotalsPlan {
    /// Calls a closure with each group in the ranges and its totals, until it returns `.stop`. Returns false, without a
    /// call, if the totals do not have all records: they were emptied in this transaction.
    ///
    /// The rows are read as if anyone had written them: no count overflows, and an ``ImpossibleTotals`` of the closure
    /// becomes the error of the row. The group holds until the closure returns.
    func forEachGroup(
        in table: RecordTable, _ context: ReadContext,
        _ body: (_ group: ByteView, GroupTotals) throws -> ScanControl
    ) throws -> Bool {
        guard let open = table.indexes[totals.ordinal].totals else { return false }
        return try translatingErrors {
            try context.flushOwnParts()
            let keyspace = context.keyspace
            guard try CountedRecords(open, keyspace).isComplete else { return false }
            let (ranges, areCut) = storedRanges
            var row = GroupTotals(sums: totals.sums.count)
            var isStopped = false
            var count = 0
            for range in ranges where !isStopped {
                try keyspace.scan(open.rows.database, ScanRange(range)) { key, value in
                    let control = try ByteView.with(key) { key in
                        try ByteView.with(value) { value -> ScanControl in
                            let group = try open.read(key, value, into: &row)
                            if areCut, !hasGroup(group.copy()) { return .continue }
                            count += row.count
                            guard count <= GroupTotals.countLimit else { throw open.rows.damaged(key) }
                            do {
                                return try body(group, row)
                            } catch is ImpossibleTotals {
                                throw open.rows.damaged(key)
                            }
                        }
                    }
                    isStopped = control == .stop
                    return control
                }
            }
            return true
        }
    }

    private func hasGroup(_ group: [UInt8]) -> Bool { plan.ranges.contains { $0.contains(group) } }

    /// Returns the number of rows to read, in words.
    func rowCount(in table: RecordTable, _ context: ReadContext) throws -> String {
        let limit = 1_000
        let database = table.indexes[totals.ordinal].database
        return try translatingErrors {
            try context.flushOwnParts()
            var count = 0
            for range in storedRanges.ranges where count <= limit {
                count += try context.keyspace.count(database, ScanRange(range), atMost: limit + 1)
            }
            return count > limit ? "more than \(limit)" : "\(count)"
        }
    }

    // MARK: Ranges

    /// The ranges of the keys of the rows, and whether bounds are longer than the head of a cut key: then rows are
    /// compared with the ranges.
    private var storedRanges: (ranges: [KeyRange], areCut: Bool) {
        let marked = plan.ranges.map { $0.prefixed(by: [GroupTotals.mark]) }
        let areCut = marked.contains(where: \.isBeyondHeads)
        return (areCut ? KeyRange.united(marked.map(\.overHeads)) : marked, areCut)
    }

    // MARK: Groups

    /// Returns the key of a row's group in the query.
    ///
    /// - Parameter ends: Receives 0 and the ends of the group's components, in memory for all rows.
    func groupKey(of group: ByteView, _ rows: RowTable, _ ends: inout [Int]) throws -> [UInt8] {
        var reader = KeyReader(group)
        ends.removeAll(keepingCapacity: true)
        ends.append(0)
        for skip in totals.path.skips {
            do throws(CodingError) { try skip(&reader) } catch {
                throw rows.damaged(GroupTotals.key(of: group.copy()))
            }
            ends.append(reader.offset)
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(group.count)
        for column in key {
            let start = bytes.count
            group[ends[column.place]..<ends[column.place + 1]].append(to: &bytes)
            if column.isComplemented { for place in start..<bytes.count { bytes[place] = ~bytes[place] } }
        }
        return bytes
    }
}
