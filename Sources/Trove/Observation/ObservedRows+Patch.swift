// Patches the rows of an observed query: the rows of changed records leave their places and enter new ones.
//
//     rows before      a b c d e │ …        of a window, nothing is known after the last row
//     leaving          b   d                changed records that have another place, or none
//     staying          c                    changed records with the same place: new contents
//     entering         B                    found places among the known rows
//     rows             a B c e              too many: the last are cut. Too few: more are read after e

import TroveCoding

extension ObservedRows {
    /// Reads the rows of some records again, and puts them in their places.
    ///
    /// - Parameter touched: The keys of the records, each once.
    func patch(_ touched: [[UInt8]], in context: ReadContext) throws -> RowsChange? {
        let found = try source.rows(of: touched, decodes: source.keepsRecords, in: context).filter {
            isComplete || !keys.isBehindLast($0.row.place)
        }
        let end = records.last
        let new = Dictionary(uniqueKeysWithValues: found.map { ($0.row.key, $0) })
        var leaving: [RowsChange.Row] = []
        var staying: [[UInt8]: Int] = [:]
        for offset in touched.compactMap({ keys.offset(ofKey: $0) }).sorted() {
            let row = keys[offset]
            if new[row.key]?.row.place == row.place {
                staying[row.key] = row.hash
            } else {
                leaving.append(RowsChange.Row(offset: offset, key: row.key, hash: row.hash))
            }
        }
        for row in leaving.reversed() { remove(at: row.offset) }
        let entering = found.filter { staying[$0.row.key] == nil }.map(insert)
        let (kept, entered, cut) = trim(leaving, entering)
        let changed = found.filter { found in staying[found.row.key].map { $0 != found.row.hash } ?? false }
        let updated = changed.compactMap(replace)
        let filled = try fill(after: end, in: context)
        return RowsChange(
            removed: (kept + cut).sorted { $0.offset < $1.offset }, inserted: entered + filled, updated: updated)
    }

    // MARK: Rows

    private func remove(at offset: Int) {
        keys.remove(at: offset)
        if source.keepsRecords { records.remove(at: offset) }
    }

    /// Inserts a row. Rows are inserted in order, so that each keeps its offset.
    private func insert(_ found: QueryRow<Record>) -> RowsChange.Row {
        let offset = keys.offset(ofPlace: found.row.place)
        insert(found, at: offset)
        return RowsChange.Row(offset: offset, key: found.row.key, hash: found.row.hash)
    }

    private func insert(_ found: QueryRow<Record>, at offset: Int) {
        keys.insert(found.row, at: offset)
        if source.keepsRecords, let record = found.record { records.insert(record, at: offset) }
    }

    /// Sets the contents of a row that keeps its place. Returns nil if it was cut.
    private func replace(_ found: QueryRow<Record>) -> RowsChange.Row? {
        guard let offset = keys.offset(ofKey: found.row.key) else { return nil }
        keys.setHash(found.row.hash, at: offset)
        if source.keepsRecords, let record = found.record { records[offset] = record }
        return RowsChange.Row(offset: offset, key: found.row.key, hash: found.row.hash)
    }

    // MARK: The end of a window

    /// Removes rows beyond the limit.
    ///
    /// - Parameters:
    ///   - leaving: The rows that have left, at their offsets before.
    ///   - entering: The rows that have entered.
    /// - Returns: The rows that have left and that have entered, and the old rows removed at their offsets before.
    private func trim(
        _ leaving: [RowsChange.Row], _ entering: [RowsChange.Row]
    ) -> (left: [RowsChange.Row], entered: [RowsChange.Row], cut: [RowsChange.Row]) {
        guard let limit, count >= limit else { return (leaving, entering, []) }
        isComplete = false
        var entered = entering
        var cut: [RowsChange.Row] = []
        while count > limit {
            let offset = count - 1
            if entered.last?.offset == offset {
                entered.removeLast()
            } else {
                // The number of other rows before is the same before and after.
                var old = offset - entered.count
                for row in leaving where row.offset <= old { old += 1 }
                cut.append(RowsChange.Row(offset: old, key: keys.key(at: offset), hash: keys.hash(at: offset)))
            }
            remove(at: offset)
        }
        return (leaving, entered, cut)
    }

    /// Reads the rows after the last known one, up to the limit, if some are missing.
    ///
    /// - Parameter end: The last record whose place was known before the patch; nil if no row was known.
    private func fill(after end: Record?, in context: ReadContext) throws -> [RowsChange.Row] {
        guard !isComplete, !isFull else { return [] }
        let missing = limit.map { $0 - count }
        if !mayBeLong, try source.mayBeLong(after: end, limit: missing, in: context) {
            isTorn = true
            throw LongReading()
        }
        let found = try source.rows(after: end, limit: missing, in: context)
        isComplete = missing.map { found.count < $0 } ?? true
        return found.map { row in
            insert(row, at: count)
            return RowsChange.Row(offset: count - 1, key: row.row.key, hash: row.row.hash)
        }
    }
}
