// Rows that are counted instead of read: rows of an OFFSET, of a group of totals, and those of which no column is used.

import LMDB
import Trove
import TroveCoding

extension TableScan {
    /// Whether the rows are all records, which are only counted.
    var isCount: Bool { plan.isCount }

    // MARK: Offsets

    /// Moves the ranges to the first row after the offset, if counts find it faster than a scan.
    func skipByCounts() throws {
        // The tests of a run can be more than those of the plan.
        guard rowsToSkip > StoredRanks.nearCount, tests.isEmpty, plan.text == nil, scan == nil,
            let ranks = path.index?.ranks, let context = table.connection.run?.context,
            let left = try ranks.ranges(ranges, after: rowsToSkip, isDescending: plan.isDescending, in: context)
        else { return }
        ranges = left
        rowsToSkip = 0
    }

    /// Returns the number of entries of a batch that are left out without reading their records.
    func skip(_ batch: EntryBatch) -> Int {
        guard rowsToSkip > 0, tests.isEmpty, plan.text == nil, table.kind.isOfRecords else { return 0 }
        let count = min(rowsToSkip, batch.count)
        rowsToSkip -= count
        return count
    }

    /// Begins with the first row of the batch that is not left out. Returns false if there is none.
    @unsafe func hasRows(_ cursor: UnsafeMutablePointer<RowCursor>) -> Bool {
        let count = unsafe min(rowsToSkip, cursor.pointee.count)
        rowsToSkip -= count
        unsafe cursor.pointee.position = count
        if unsafe cursor.pointee.position == cursor.pointee.count {
            unsafe cursor.pointee.position = 0
            unsafe cursor.pointee.count = 0
            return false
        }
        // The offsets are those of the row that was tested last.
        unsafe cursor.pointee.beginRow()
        return true
    }

    // MARK: Totals

    /// Adds a group of totals: a row for each of its records, or one row.
    @unsafe func addGroup(
        _ entry: Entry, _ totals: StoredTotals, _ cursor: UnsafeMutablePointer<RowCursor>
    ) throws {
        guard let context = table.connection.run?.context else { throw SQLError.outsideOfContext }
        let group = try totals.group(of: entry, in: context)
        if plan.needsWholeEntries, group.key.count >= StoredTable.Index.headSize { throw PlanViolation() }
        freeCopies()
        var row = Row()
        row.entry = copied(group.key)
        try unsafe add(row, cursor)
        guard unsafe cursor.pointee.count > 0 else { return }
        let rows = plan.isDistinct ? 1 : group.count
        let skipped = min(rowsToSkip, rows)
        rowsToSkip -= skipped
        unsafe cursor.pointee.countedRows = rows - skipped
        if skipped == rows { unsafe cursor.pointee.count = 0 }
    }

    // MARK: Ranked indexes

    /// Counts the rows by the counts of a ranked index. Returns false if they must be read.
    @unsafe func countFirst(_ run: Connection.Run, _ cursor: UnsafeMutablePointer<RowCursor>) throws -> Bool {
        // A write between two rows would change their number.
        guard plan.isCountedFirst, tests.isEmpty, isLasting || !table.connection.options.isStreaming,
            let ranks = path.index?.ranks
        else { return false }
        let count = try ranks.count(ranges, in: run.context)
        unsafe cursor.pointee.countedRows = max(0, count - rowsToSkip)
        unsafe cursor.pointee.isOver = cursor.pointee.countedRows == 0
        return true
    }

    /// Reads the current row and the rows after it, which have only been counted so far. Returns false after an error.
    @unsafe func endCounting(_ cursor: UnsafeMutablePointer<RowCursor>) -> Bool {
        do {
            // A group of totals has no keys.
            if path.totals != nil { throw PlanViolation() }
            rowsToSkip += unsafe cursor.pointee.passedRows
            unsafe cursor.pointee.countedRows = 0
            try translatingEngineErrors { try unsafe fill(cursor) }
            return unsafe !cursor.pointee.isOver
        } catch {
            table.connection.failure = table.connection.failure ?? error
            return false
        }
    }
}

extension KeyRange {
    /// The range as one of the rows of totals.
    var ofGroups: KeyRange {
        let mark = StoredTotals.mark
        return KeyRange(lower: [mark] + lower, upper: upper.map { [mark] + $0 } ?? [mark + 1])
    }
}
