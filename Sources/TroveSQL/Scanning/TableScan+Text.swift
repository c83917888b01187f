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
        hits = nil
        guard search.isSource else { return true }
        let limit = unsafe Self.count(search.limit, arguments)
        let offset = unsafe Self.count(search.offset, arguments) ?? 0
        let wanted = limit.map { min($0, .max - offset) + offset }
        if search.needsScores {
            // A write between two rows would change the scores of the later rows.
            try text.beginRanked(isLasting ? wanted : nil, leavesOut: search.leavesOut)
            if let wanted, !search.leavesOut { textBatch = min(textBatch, max(1, wanted)) }
        } else {
            try text.beginUnranked()
        }
        if !isLasting, table.connection.options.isStreaming { try findHits(text) }
        return true
    }

    /// Finds all hits, before a write changes the index.
    private func findHits(_ text: StoredTextScan) throws {
        var all: [Hit] = []
        while let (key, score) = try text.next() { all.append(Hit(key: key, score: score)) }
        hits = all.reversed()
    }

    private func nextHit(_ text: StoredTextScan) throws -> Hit? {
        if hits != nil { return hits?.popLast() }
        return try text.next().map { Hit(key: $0.key, score: $0.score) }
    }

    /// Returns the number in an argument of `LIMIT`; nil if there is none.
    @unsafe static func count(
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
        // A statement can have several functions of the row.
        let found = if let found, found.isOf(row, text) { found } else { FoundRow(row, of: table, text) }
        self.found = found
        var cell = Cell(.found)
        cell.integer = Int64(Int(bitPattern: unsafe Unmanaged.passRetained(found).toOpaque()))
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
                guard let hit = try nextHit(text) else {
                    // The rows before the last are the batch.
                    unsafe cursor.pointee.isOver = cursor.pointee.count == 0
                    unsafe cursor.pointee.beginRow()
                    return
                }
                let bytes = copied(hit.key)
                guard let value = try lookups?.value(of: bytes) else {
                    // A write between two rows can have deleted the record.
                    if hits != nil { continue }
                    throw table.stored.corrupted(
                        bytes, CodingError(.malformed(expected: "the record of an index entry")))
                }
                var row = try record(bytes, value)
                row.score = hit.score
                try unsafe add(row, cursor)
            }
        }
        unsafe cursor.pointee.beginRow()
    }
}
