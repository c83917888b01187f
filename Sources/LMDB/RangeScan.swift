// A range scan: one seek, then steps to the other bound, in batches.

import CTroveLMDB

/// A scan of a key range.
///
/// The scan seeks once, with `MDB_SET_RANGE`, and then steps, in batches. Entries point into the map, or into pages of
/// a write transaction. A reader's entries are valid as long as its transaction; those of a writer until it writes.
///
/// A writer that writes while it reads a batch gets one copied entry at a time, valid until the next entry is fetched.
/// It may write even to the keys under scan: the scan detects such writes and finds its position again from the last
/// key it returned.
@safe package struct RangeScan: ~Copyable {
    private let core: TransactionCore
    private let database: Database
    private let cursor: ScanCursor
    private let range: ScanRange
    private let lease: UInt64
    /// Whether entries are copied one by one.
    private let copies: Bool
    private var state = State.beginning
    /// The size of the next batch. It starts small, since many scans need only a few entries.
    private var batchSize = 4
    private var key = unsafe MDB_val()
    private var value = unsafe MDB_val()

    private enum State: Equatable {
        case beginning
        /// At the last entry returned, after the given number of changes to the transaction.
        case stepping(changes: UInt64)
        case over
    }

    /// Creates a scan without a seek; nil when the database does not exist in this snapshot.
    ///
    /// - Parameter mayWrite: Whether the caller writes while it reads a batch.
    package init?(
        _ core: TransactionCore, _ database: Database, _ range: ScanRange, mayWrite: Bool
    ) throws(LMDBError) {
        guard let handle = try core.handle(of: database) else { return nil }
        cursor = try core.scanCursor(handle, database)
        self.core = core
        self.database = database
        self.range = range
        lease = core.currentLease
        copies = mayWrite && !core.isReadOnly
    }

    deinit { core.giveBack(cursor, lease) }

    /// Returns the next entries of the range; nil at the end.
    package mutating func next(atMost limit: Int = .max) throws(LMDBError) -> EntryBatch? {
        guard state != .over, limit > 0 else { return nil }
        let count = copies ? try copyNext() : try fetch(min(limit, batchSize))
        return unsafe count > 0 ? EntryBatch(cursor.entries, count: count) : nil
    }

    /// Fetches a batch. Only its last key is compared with the bound. If it lies outside, a binary search finds the
    /// end.
    private mutating func fetch(_ limit: Int) throws(LMDBError) -> Int {
        try core.check(lease)
        var code = state == .beginning ? seek() : step()
        var count = 0
        let entries = unsafe cursor.entries
        while code == 0 {
            unsafe (entries + count).initialize(to: Entry(ByteView(key.bytes), ByteView(value.bytes)))
            count += 1
            if count == limit { break }
            code = step()
        }
        guard code == 0 || code == MDB_NOTFOUND else { throw core.failed(code, in: "mdb_cursor_get", database) }
        state = code == 0 ? .stepping(changes: 0) : .over
        batchSize = min(2 * batchSize, EntryBatch.capacity)
        guard count > 0, !isInside(unsafe entries[count - 1].key) else { return count }
        state = .over
        var (inside, outside) = (0, count - 1)
        while inside < outside {
            let middle = (inside + outside) / 2
            if isInside(unsafe entries[middle].key) { inside = middle + 1 } else { outside = middle }
        }
        return inside
    }

    private mutating func copyNext() throws(LMDBError) -> Int {
        try core.check(lease)
        let code: Int32 =
            switch state {
            case .stepping(core.changes): step()
            case .stepping: stepBeyond(cursor.copiedKey)
            default: seek()
            }
        guard code == 0 || code == MDB_NOTFOUND else { throw core.failed(code, in: "mdb_cursor_get", database) }
        guard code == 0, isInside(unsafe ByteView(key.bytes)) else {
            state = .over
            return 0
        }
        unsafe cursor.copy(key.bytes, value.bytes)
        state = .stepping(changes: core.changes)
        return 1
    }

    // MARK: Positions

    @inline(__always)
    private mutating func move(_ operation: MDB_cursor_op) -> Int32 {
        note(operation)
        return unsafe Calls.get(cursor.pointer, &key, &value, operation)
    }

    /// Counts a move, in debug builds.
    @inline(__always)
    private func note(_ operation: MDB_cursor_op) {
        #if DEBUG
        if operation == MDB_NEXT || operation == MDB_PREV {
            core.cursorMoves.steps += 1
        } else {
            core.cursorMoves.seeks += 1
        }
        #endif
    }

    @inline(__always)
    private mutating func step() -> Int32 { move(range.isDescending ? MDB_PREV : MDB_NEXT) }

    /// Whether a key is before the bound in the scan's direction.
    @inline(__always)
    private func isInside(_ key: ByteView) -> Bool {
        if range.isDescending { return key.compare(range.lower) >= 0 }
        guard let upper = range.upper else { return true }
        return key.compare(upper) < 0
    }

    private mutating func seek() -> Int32 {
        if range.isDescending {
            guard let upper = range.upper else { return move(MDB_LAST) }
            return seekBelow(upper)
        }
        return range.lower.isEmpty ? move(MDB_FIRST) : seekAtLeast(range.lower)
    }

    /// Moves to the first key after the last key returned. A write may have deleted the last key.
    private mutating func stepBeyond(_ last: [UInt8]) -> Int32 {
        if range.isDescending { return seekBelow(last) }
        let code = seekAtLeast(last)
        return unsafe code == 0 && ByteView(key.bytes).compare(last) == 0 ? move(MDB_NEXT) : code
    }

    private mutating func seekBelow(_ bound: [UInt8]) -> Int32 {
        guard !bound.isEmpty else { return MDB_NOTFOUND }
        let code = seekAtLeast(bound)
        return code == MDB_NOTFOUND ? move(MDB_LAST) : (code == 0 ? move(MDB_PREV) : code)
    }

    /// Seeks the least key at or above `bound`, which may be longer than any key.
    private mutating func seekAtLeast(_ bound: [UInt8]) -> Int32 {
        note(MDB_SET_RANGE)
        var code = unsafe bound.withUnsafeBytes { bytes in
            unsafe key = MDB_val(UnsafeRawBufferPointer(rebasing: bytes.prefix(Calls.maximumKeySize)))
            return unsafe Calls.get(cursor.pointer, &key, &value, MDB_SET_RANGE)
        }
        while code == 0, bound.count > Calls.maximumKeySize, unsafe ByteView(key.bytes).compare(bound) < 0 {
            code = move(MDB_NEXT)
        }
        return code
    }
}

extension TransactionCore {
    /// Scans a range of a database; see `RangeScan`.
    package func scan(
        _ database: Database, _ range: ScanRange, _ body: (_ key: RawSpan, _ value: RawSpan) throws -> ScanControl
    ) throws {
        guard var scan = try RangeScan(self, database, range, mayWrite: true) else { return }
        while let batch = try scan.next() {
            guard try batch.forEach({ key, value in try body(key, value) == .continue }) else { return }
        }
    }

    /// Returns the number of keys in a range, up to a limit.
    package func count(_ database: Database, _ range: ScanRange, atMost limit: Int = .max) throws(LMDBError) -> Int {
        guard var scan = try RangeScan(self, database, range, mayWrite: false) else { return 0 }
        return try scan.count(atMost: limit)
    }

    /// Removes the keys in a range, in ascending order whatever its direction. Returns the number of keys removed.
    package func deleteRange(_ database: Database, _ range: ScanRange) throws(LMDBError) -> Int {
        let range = ScanRange(from: range.lower, upTo: range.upper)
        guard var scan = try RangeScan(self, database, range, mayWrite: false) else { return 0 }
        return try scan.deleteAll()
    }
}

extension RangeScan {
    /// Returns the number of keys in the range, without reading values.
    mutating func count(atMost limit: Int) throws(LMDBError) -> Int {
        var count = 0
        while state != .over, count < limit { count += try fetch(min(limit - count, EntryBatch.capacity)) }
        return count
    }

    /// Removes every key of an ascending range.
    mutating func deleteAll() throws(LMDBError) -> Int {
        var count = 0
        var code = seek()
        while code == 0, isInside(unsafe ByteView(key.bytes)) {
            code = unsafe Calls.delete(cursor.pointer)
            guard code == 0 else { break }
            count += 1
            core.changes += 1
            // The cursor is at the key after the deleted key, and MDB_NEXT takes this into account.
            code = move(MDB_NEXT)
        }
        guard code == 0 || code == MDB_NOTFOUND else { throw core.failed(code, in: "mdb_cursor_del", database) }
        return count
    }
}
