// The part of a cursor that each row and each column touches: a struct in memory of C, with no reference but the first.
//
// With a class, a scan was twice as slow: reference counts and exclusivity checks.

import CSQLite
import LMDB
import TroveCoding

/// A row: the views of its key, its value and its index entry.
struct Row {
    var key = ByteView()
    /// The stored value with its header; empty for a row of an index entry alone.
    var value = ByteView()
    /// The index entry whose components are the columns; empty for a row with a value.
    var entry = ByteView()
    /// Whether the value has another layout than the newest.
    var isOld = false
    /// The number of the row among those of its record; negative for the only row.
    var ordinal = -1
    /// The relevance of the record in a search for words; otherwise NaN.
    var score = Double.nan
}

/// A cursor over a virtual table, as SQLite sees it. The first member is SQLite's own.
@safe struct RowCursor {
    var base = unsafe sqlite3_vtab_cursor()
    let scan: Unmanaged<TableScan>
    /// The current batch, and the position in it.
    var rows: UnsafeMutablePointer<Row>
    var position = 0
    var count = 0
    /// The number of rows that are left, if they are counted only: all rows, or those of a group of totals.
    var countedRows = 0
    /// The number of rows before, if they are counted only.
    var passedRows = 0
    var isOver = true
    /// Whether pages do not change before the transaction ends.
    var isLasting = true
    /// Whether the bytes of the rows' keys do not change before the transaction ends.
    var keyIsLasting = true

    /// Whether the statement may write.
    var mayWrite = false

    /// The steps of the fields, of the key, and of the entry of the current path.
    let fields: UnsafePointer<ValueStep>
    let fieldCount: Int
    let key: UnsafePointer<ValueStep>
    let keyCount: Int
    var entry: UnsafePointer<ValueStep>
    var entryCount = 0
    /// The component of the entry for each column, negative if there is none; the last is the component at which the
    /// record's key begins.
    var ordinals: UnsafePointer<Int16>

    /// The offsets of the values found so far in the current row.
    let fieldOffsets: UnsafeMutablePointer<Int>
    var knownFields = 0
    let keyOffsets: UnsafeMutablePointer<Int>
    var knownComponents = 0
    let entryOffsets: UnsafeMutablePointer<Int>
    var knownEntry = 0

    /// Memory for texts that must be put together.
    var scratch: UnsafeMutableRawPointer
    var scratchSize: Int
}

extension RowCursor {
    /// The current row.
    @inline(__always)
    var row: Row {
        unsafe rows[position]
    }

    /// Forgets the offsets of the row before.
    @inline(__always)
    mutating func beginRow() {
        knownFields = 0
        knownComponents = 0
        knownEntry = 0
    }

    /// Returns the value of a column; the hidden columns follow the properties, the key first.
    @inline(__always)
    mutating func cell(_ column: Int) -> Cell {
        if countedRows > 0 { return countedCell(column) }
        if row.entry.count > 0 { return entryCell(column) }
        if column < keyCount { return keyCell(column) }
        if column - keyCount < fieldCount { return fieldCell(column - keyCount) }
        return hiddenCell(column)
    }

    /// Returns a column of a row that is only counted.
    mutating func countedCell(_ column: Int) -> Cell {
        let isKey = column == keyCount + fieldCount
        if count > 0, !isKey { return entryCell(column) }
        // SQLite asks for the key alone, to tell the rows of a right join apart, and no statement sees it. Without
        // conditions, the number of the row is a key.
        let isWhole = unsafe scan._withUnsafeGuaranteedRef { $0.isCount }
        if isWhole { return Cell(.blob, copied(KeyWriter.bytes(of: passedRows)), isLasting: false) }
        // The key of a row that is found by another plan would not be equal to a number.
        let isRead = unsafe withUnsafeMutablePointer(to: &self) { itself in
            unsafe itself.pointee.scan._withUnsafeGuaranteedRef { unsafe $0.endCounting(itself) }
        }
        return isRead ? cell(column) : Cell(.failed)
    }

    mutating func hiddenCell(_ column: Int) -> Cell {
        switch unsafe scan._withUnsafeGuaranteedRef({ $0.table.hidden(column) }) {
        case .key where row.ordinal >= 0:
            Cell(.blob, copied(row.key.copy() + KeyWriter.bytes(of: row.ordinal)), isLasting: false)
        case .key: Cell(.blob, row.key, isLasting: keyIsLasting)
        // The least rank comes first.
        case .rank: Cell(-row.score)
        case .match: unsafe scan._withUnsafeGuaranteedRef { $0.foundCell(row) }
        case nil: Cell(.null)
        }
    }

    mutating func failed(_ reason: CodingError) -> Cell {
        unsafe scan._withUnsafeGuaranteedRef { $0.fail(row.key, reason) }
        return Cell(.failed)
    }

    // MARK: Fields

    @inline(__always)
    mutating func fieldCell(_ field: Int) -> Cell {
        if row.isOld { return convertedCell(field) }
        let fieldsOfValue = unsafe row.value.pointer
        let bytes = unsafe ByteView(
            UnsafeRawBufferPointer(rebasing: fieldsOfValue[StoredValueHeader.size...]))
        if knownFields == 0 {
            unsafe fieldOffsets[0] = 0
            knownFields = 1
        }
        while knownFields <= field {
            let step = unsafe fields[knownFields - 1]
            let end = skip(step, bytes, at: unsafe fieldOffsets[knownFields - 1], knownFields - 1)
            if end < 0 { return Cell(.failed) }
            unsafe fieldOffsets[knownFields] = end
            knownFields += 1
        }
        return read(unsafe fields[field], bytes, at: unsafe fieldOffsets[field], field, isLasting: isLasting)
    }

    /// Returns the value of a field of an older layout.
    mutating func convertedCell(_ field: Int) -> Cell {
        let row = row
        let bytes = unsafe scan._withUnsafeGuaranteedRef { $0.converted(field, row) }
        let copy: ByteView
        switch bytes {
        case .success(let bytes?): copy = copied(bytes)
        case .success(nil): return Cell(.null)
        case .failure(let error): return failed(error)
        }
        return read(unsafe fields[field], copy, at: 0, field, isLasting: false)
    }

    /// Returns the offset after a field; negative after an error.
    @inline(__always)
    mutating func skip(_ step: ValueStep, _ bytes: ByteView, at start: Int, _ field: Int) -> Int {
        var offset = start
        if step.isOptional {
            guard offset < bytes.count else { return malformed(bytes, offset) }
            let tag = unsafe bytes.pointer[offset]
            offset += 1
            if tag == 0 { return offset }
            if tag != 1 { return malformed(bytes, start) }
        }
        if let size = step.kind.fixedSize {
            guard bytes.count - offset >= size else { return malformed(bytes, offset) }
            return offset + size
        }
        switch step.kind {
        case .string, .data, .decimal:
            let length = self.length(bytes, at: &offset)
            guard length >= 0, bytes.count - offset >= length else { return malformed(bytes, offset) }
            return offset + length
        case .unreadable: return start
        default: return skipSlowly(bytes, at: start, field)
        }
    }

    mutating func skipSlowly(_ bytes: ByteView, at start: Int, _ field: Int) -> Int {
        do throws(CodingError) {
            return try unsafe scan.takeUnretainedValue().table.end(of: field, from: start, in: bytes)
        } catch {
            _ = failed(error)
            return -1
        }
    }

    mutating func malformed(_ bytes: ByteView, _ offset: Int) -> Int {
        _ = failed(CodingError(.truncated(needed: 1, available: max(0, bytes.count - offset)), at: offset))
        return -1
    }

    /// Reads a length in its variable form, and moves past it. Returns -1 for malformed bytes.
    @inline(__always)
    func length(_ bytes: ByteView, at offset: inout Int) -> Int {
        guard offset < bytes.count else { return -1 }
        let first = unsafe bytes.pointer[offset]
        offset += 1
        if first < 0x80 { return Int(first) }
        var length = Int(first & 0x7F)
        var shift = 7
        while offset < bytes.count, shift < 63 {
            let byte = unsafe bytes.pointer[offset]
            offset += 1
            length |= Int(byte & 0x7F) << shift
            if byte < 0x80 { return length }
            shift += 7
        }
        return -1
    }

    /// Reads a field.
    @inline(__always)
    mutating func read(
        _ step: ValueStep, _ bytes: ByteView, at start: Int, _ field: Int, isLasting: Bool
    ) -> Cell {
        var offset = start
        if step.isOptional {
            guard offset < bytes.count else { return failedCell(bytes, offset) }
            let tag = unsafe bytes.pointer[offset]
            if tag == 0 { return Cell(.null) }
            if tag != 1 { return failedCell(bytes, offset) }
            offset += 1
        }
        if let size = step.kind.fixedSize, bytes.count - offset < size { return failedCell(bytes, offset) }
        switch step.kind {
        case .string, .data, .decimal:
            let length = self.length(bytes, at: &offset)
            guard length >= 0, bytes.count - offset >= length else { return failedCell(bytes, offset) }
            let content = bytes[offset..<offset + length]
            if step.kind == .decimal { return decimal(content) }
            return Cell(step.kind == .string ? .text : .blob, content, isLasting: isLasting)
        case .url: return url(bytes, at: offset)
        case .complex: return complex(bytes, at: start, field)
        case .opaque, .unreadable: return Cell(.null)
        default: return fixedCell(step.kind, bytes, offset, FieldForm())
        }
    }

    mutating func failedCell(_ bytes: ByteView, _ offset: Int) -> Cell {
        _ = malformed(bytes, offset)
        return Cell(.failed)
    }

    mutating func url(_ bytes: ByteView, at start: Int) -> Cell {
        var offset = start
        let length = self.length(bytes, at: &offset)
        guard length >= 0, bytes.count - offset > length else { return failedCell(bytes, offset) }
        let text = bytes[offset..<offset + length]
        offset += length
        let hasBase = unsafe bytes.pointer[offset] != 0
        if !hasBase { return Cell(.text, text, isLasting: false) }
        offset += 1
        let baseLength = self.length(bytes, at: &offset)
        guard baseLength >= 0, bytes.count - offset >= baseLength else { return failedCell(bytes, offset) }
        let base = bytes[offset..<offset + baseLength]
        return Cell(.text, copied(text.copy() + Array(" <".utf8) + base.copy() + Array(">".utf8)), isLasting: false)
    }

    mutating func complex(_ bytes: ByteView, at start: Int, _ field: Int) -> Cell {
        do throws(CodingError) {
            return cell(of: try unsafe scan.takeUnretainedValue().table.text(of: field, from: start, in: bytes))
        } catch {
            return failed(error)
        }
    }

    mutating func cell(of text: ComplexText) -> Cell {
        switch text {
        case .null: Cell(.null)
        case .text(let text): Cell(.text, copied(Array(text.utf8)), isLasting: false)
        case .json(let text): Cell(.json, copied(Array(text.utf8)), isLasting: false)
        }
    }
}

/// The header of a stored value.
enum StoredValueHeader {
    /// The number of bytes before the fields.
    @inline(__always)
    static var size: Int { 8 }
}
