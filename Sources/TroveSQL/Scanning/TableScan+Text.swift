// Records from a search for words.

import CSQLite
import LMDB
import Trove
import TroveCoding

extension TableScan {
    /// Opens a search with the texts of a run. Returns false if no record matches.
    @unsafe func openText(
        _ search: ScanPlan.TextSearch, _ arguments: UnsafeMutablePointer<OpaquePointer?>?, _ run: Connection.Run
    ) throws -> Bool {
        var matches: [StoredTextMatch] = []
        for match in search.matches {
            let value = unsafe arguments?[match.argument] ?? nil
            // NULL matches nothing. A number is the text of its digits.
            guard unsafe sqlite3_value_type(value) != SQLITE_NULL else { return false }
            let copy = unsafe sqlite3_value_dup(value)
            defer { unsafe sqlite3_value_free(copy) }
            let start = unsafe sqlite3_value_text(copy)
            let count = Int(unsafe sqlite3_value_bytes(copy))
            let typed = unsafe String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
            matches.append(StoredTextMatch(typed, in: match.property))
        }
        // The inner table of a join is scanned again and again.
        if text == nil || !isLasting || textMatches != matches {
            text = try run.context.textScan(
                of: table.stored, matching: matches, analyzers: StatementCall.analyzers)
            textMatches = matches
        }
        guard let text else { return false }
        textBatch = EntryBatch.capacity
        guard search.isSource else { return true }
        guard search.needsScores else {
            try text.beginUnranked()
            return true
        }
        let limit = unsafe Self.count(search.limit, arguments)
        let offset = unsafe Self.count(search.offset, arguments) ?? 0
        let wanted = limit.map { min($0, .max - offset) + offset }
        // A write between two rows would change the scores of the later rows.
        try text.beginRanked(isLasting ? wanted : nil, leavesOut: search.leavesOut)
        if let wanted, !search.leavesOut { textBatch = min(textBatch, max(1, wanted)) }
        return true
    }

    /// Returns the number in an argument of `LIMIT`; nil if there is none.
    @unsafe private static func count(
        _ argument: Int?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?
    ) -> Int? {
        guard let argument, let value = unsafe arguments?[argument],
            unsafe sqlite3_value_type(value) == SQLITE_INTEGER
        else { return nil }
        let count = Int(clamping: unsafe sqlite3_value_int64(value))
        return count < 0 ? nil : count
    }

    /// Returns the value of the column for `MATCH`: a row that was found, for functions; NULL without a search. SQLite
    /// releases the row.
    func foundCell(_ row: Row) -> Cell {
        guard plan.text != nil, let text, row.value.count >= StoredTable.headerSize else { return Cell(.null) }
        var cell = Cell(.found)
        let found = unsafe Unmanaged.passRetained(FoundRow(row, of: table, text)).toOpaque()
        cell.integer = Int64(Int(bitPattern: found))
        return cell
    }

    /// Reads the next records of the search, until some pass the tests.
    @unsafe func fillFromText(_ cursor: UnsafeMutablePointer<RowCursor>) throws {
        guard let core, let records = table.stored.records, let text else { throw SQLError.outsideOfContext }
        freeCopies()
        // The next batch overwrites the keys.
        unsafe cursor.pointee.keyIsLasting = false
        while unsafe cursor.pointee.count == 0 {
            if lookups == nil { lookups = try PointLookup(core, records) }
            for _ in 0..<textBatch {
                guard let (key, score) = try text.next() else {
                    // The rows before the last are the batch.
                    unsafe cursor.pointee.isOver = cursor.pointee.count == 0
                    unsafe cursor.pointee.beginRow()
                    return
                }
                let bytes = copied(key)
                guard let value = try lookups?.value(of: bytes) else {
                    throw table.stored.corrupted(
                        bytes, CodingError(.malformed(expected: "the record of an index entry")))
                }
                var row = try record(bytes, value)
                row.score = score
                try unsafe add(row, cursor)
            }
        }
        unsafe cursor.pointee.beginRow()
    }
}
