// The rows of entries: records, and entries of indexes with their records.

import LMDB
import Trove
import TroveCoding

extension TableScan {
    /// Adds the rows of an entry that pass the tests.
    @unsafe func addRows(of entry: Entry, _ cursor: UnsafeMutablePointer<RowCursor>) throws {
        switch table.kind {
        case .records: if let row = try row(entry) { try unsafe add(row, cursor) }
        case .elements(let list):
            guard let row = try row(entry) else { return }
            // All rows of a record are those of its first entry.
            if path.index != nil, !plan.beginsWithPoint, !seenKeys.insert(row.key.copy()).inserted { return }
            try unsafe addElements(of: row, list, cursor)
        case .links(let links): try unsafe add(row(of: entry, links), cursor)
        case .list: break
        }
    }

    /// Returns the row of an entry; nil if its record is missing.
    func row(_ entry: Entry) throws -> Row? {
        if path.isRecords { return try record(entry.key, entry.value) }
        guard let index = path.index else { return nil }
        let isLong = !entry.value.isEmpty
        if isLong, plan.needsWholeEntries { throw PlanViolation() }
        if !isLong, plan.isCovering {
            var row = Row()
            row.entry = lasting(entry.key)
            return row
        }
        let key: ByteView
        if isLong {
            guard let found = index.recordKey(ofLong: entry) else {
                throw table.stored.corrupted(entry.key, CodingError(.malformed(expected: "an index entry")))
            }
            key = found
        } else {
            guard let size = end(ofFirst: path.propertyCount, in: entry.key) else {
                throw table.stored.corrupted(entry.key, CodingError(.malformed(expected: "an index entry")))
            }
            key = entry.key.dropFirst(size)
        }
        guard let core, let records = table.stored.records else { return nil }
        if lookups == nil { lookups = try PointLookup(core, records) }
        guard let value = try lookups?.value(of: key) else {
            throw table.stored.corrupted(key, CodingError(.malformed(expected: "the record of an index entry")))
        }
        return try record(key, value)
    }

    func record(_ key: ByteView, _ value: ByteView) throws -> Row {
        guard let version = table.stored.version(of: value) else {
            throw table.stored.corrupted(
                key, CodingError(.truncated(needed: StoredTable.headerSize, available: value.count)))
        }
        if verifies, !table.stored.isIntact(key, value) { throw table.stored.checksumMismatch(key) }
        var row = Row()
        row.key = lasting(key)
        row.value = lasting(value)
        row.isOld = version != newestVersion
        return row
    }

    /// Returns bytes that later writes of the transaction do not change.
    private func lasting(_ bytes: ByteView) -> ByteView {
        guard !isLasting, let start = unsafe bytes.pointer.baseAddress else { return bytes }
        let copy = UnsafeMutableRawPointer.allocate(byteCount: max(1, bytes.count), alignment: 8)
        unsafe copies.append(copy)
        unsafe copy.copyMemory(from: start, byteCount: bytes.count)
        return unsafe ByteView(UnsafeRawBufferPointer(start: copy, count: bytes.count))
    }

    /// Returns the offset after the first components of an entry; nil if the bytes are not an entry.
    func end(ofFirst count: Int, in entry: ByteView) -> Int? {
        var offset = 0
        for ordinal in 0..<count {
            let step = unsafe path.steps.pointer[ordinal]
            if step.isOptional {
                guard offset < entry.count else { return nil }
                let tag = unsafe entry.pointer[offset] ^ step.mask
                offset += 1
                if tag == 0 { continue }
            }
            if let size = step.kind.fixedSize {
                offset += size
                guard offset <= entry.count else { return nil }
                continue
            }
            switch step.kind {
            case .string, .data, .opaque:
                var isClosed = false
                while offset < entry.count, !isClosed {
                    isClosed = unsafe entry.pointer[offset] == step.mask
                    offset += 1
                }
                guard isClosed else { return nil }
            default: return RowScanner().size(ofFirst: count, in: entry.copy(), of: path)
            }
        }
        return offset
    }
}
