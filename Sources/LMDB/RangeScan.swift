// The walk over a range of keys: one seek, then steps, until the other bound.

import CLMDB

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The keys from `lower` (inclusive) to `upper` (exclusive), in either direction.
public struct ScanRange: Hashable, Sendable {
    /// The first key that belongs to the range; empty for the beginning of the database.
    public var lower: [UInt8]
    /// The first key beyond the range; nil for the end of the database.
    public var upper: [UInt8]?
    /// Whether the walk goes from the greatest key to the least.
    public var isDescending: Bool

    /// Makes a range; without arguments, all keys in ascending order.
    public init(from lower: [UInt8] = [], upTo upper: [UInt8]? = nil, isDescending: Bool = false) {
        self.lower = lower
        self.upper = upper
        self.isDescending = isDescending
    }
}

/// What a scan does after a key.
public enum ScanStep: Sendable {
    /// Goes on with the next key.
    case `continue`
    /// Ends the scan here.
    case stop
}

#if DEBUG
/// Moves of cursors: to a key that was searched for, and to the key beside.
package struct CursorMoves: Hashable, Sendable {
    package var seeks: Int
    package var steps: Int

    package init(seeks: Int = 0, steps: Int = 0) {
        self.seeks = seeks
        self.steps = steps
    }
}
#endif

/// One walk over a range.
///
/// It seeks once, with `MDB_SET_RANGE`, and steps from there. Keys and values are handed out as spans which hold until
/// the closure returns: of the map in a read transaction, of copies in a write transaction. There the closure may
/// write, to the very keys that are being walked: the scan notices, and finds its place again by the last key that it
/// showed.
@safe struct RangeScan: ~Copyable {
    private let core: TransactionCore
    private let database: Database
    private let handle: Handle
    private let cursor: CursorPointer
    private let range: ScanRange
    private let lease: UInt64
    private var key = unsafe MDB_val()
    private var value = unsafe MDB_val()

    /// Positions nothing yet; nil when the database does not exist in this snapshot.
    init?(_ core: TransactionCore, _ database: Database, _ range: ScanRange) throws(LMDBError) {
        guard let handle = try core.handle(of: database) else { return nil }
        if let idle = unsafe core.cursors.takeIdle(handle), let pointer = unsafe core.pointer {
            let code = unsafe Calls.renew(pointer, idle)
            guard code == 0 else {
                unsafe Calls.close(cursor: idle)
                throw core.failed(code, in: "mdb_cursor_renew", database)
            }
            unsafe cursor = idle
        } else {
            unsafe cursor = try core.openCursor(handle, database)
        }
        self.core = core
        self.database = database
        self.handle = handle
        self.range = range
        lease = core.currentLease
    }

    deinit {
        let isInUse = core.isInUse(lease)
        if core.isReadOnly, isInUse {
            unsafe core.cursors.putIdle(handle, cursor)
        } else if core.isReadOnly || isInUse {
            // Otherwise the transaction has ended meanwhile, and liblmdb has freed its cursor.
            unsafe Calls.close(cursor: cursor)
        }
    }

    /// Walks the range.
    mutating func run(_ body: (_ key: RawSpan, _ value: RawSpan) throws -> ScanStep) throws {
        var code = seek()
        if core.isReadOnly {
            while code == 0, isInside {
                guard try body(unsafe key.bytes.bytes, unsafe value.bytes.bytes) == .continue else { return }
                code = step()
            }
        } else {
            var last: [UInt8] = []
            var copy: [UInt8] = []
            while code == 0, isInside {
                let changes = core.changes
                unsafe last.replaceSubrange(0..., with: key.bytes)
                unsafe copy.replaceSubrange(0..., with: value.bytes)
                guard try body(unsafe last.span.bytes, unsafe copy.span.bytes) == .continue else { return }
                try core.check(lease)
                code = core.changes == changes ? step() : stepBeyond(last)
            }
        }
        guard code == 0 || code == MDB_NOTFOUND else { throw core.failed(code, in: "mdb_cursor_get", database) }
    }

    /// Counts the range without looking at values.
    mutating func count() throws(LMDBError) -> Int {
        var count = 0
        var code = seek()
        while code == 0, isInside {
            count += 1
            code = step()
        }
        guard code == 0 || code == MDB_NOTFOUND else { throw core.failed(code, in: "mdb_cursor_get", database) }
        return count
    }

    // MARK: Positions

    @inline(__always)
    private mutating func move(_ operation: MDB_cursor_op) -> Int32 {
        note(operation)
        return unsafe Calls.get(cursor, &key, &value, operation)
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

    /// Whether the current key has not passed the bound that the walk goes towards.
    @inline(__always)
    private var isInside: Bool {
        if range.isDescending { return compareKey(range.lower) >= 0 }
        guard let upper = range.upper else { return true }
        return compareKey(upper) < 0
    }

    @inline(__always)
    private func compareKey(_ bound: [UInt8]) -> Int {
        unsafe bound.withUnsafeBytes { bound in
            guard let start = bound.baseAddress, bound.count > 0 else { return 1 }
            let order = unsafe memcmp(key.mv_data, start, min(key.mv_size, bound.count))
            return order != 0 ? Int(order) : unsafe key.mv_size - bound.count
        }
    }

    private mutating func seek() -> Int32 {
        if range.isDescending {
            guard let upper = range.upper else { return move(MDB_LAST) }
            return seekBelow(upper)
        }
        return range.lower.isEmpty ? move(MDB_FIRST) : seekAtLeast(range.lower)
    }

    /// Goes on after a write: to the first key beyond the last one shown, which may be gone.
    private mutating func stepBeyond(_ last: [UInt8]) -> Int32 {
        if range.isDescending { return seekBelow(last) }
        let code = seekAtLeast(last)
        return code == 0 && compareKey(last) == 0 ? move(MDB_NEXT) : code
    }

    private mutating func seekBelow(_ bound: [UInt8]) -> Int32 {
        guard !bound.isEmpty else { return MDB_NOTFOUND }
        let code = seekAtLeast(bound)
        return code == MDB_NOTFOUND ? move(MDB_LAST) : (code == 0 ? move(MDB_PREV) : code)
    }

    /// Seeks the least key that is not less than `bound`, which may be longer than any key.
    private mutating func seekAtLeast(_ bound: [UInt8]) -> Int32 {
        note(MDB_SET_RANGE)
        var code = unsafe bound.withUnsafeBytes { bytes in
            unsafe key = MDB_val(UnsafeRawBufferPointer(rebasing: bytes.prefix(Calls.maximumKeySize)))
            return unsafe Calls.get(cursor, &key, &value, MDB_SET_RANGE)
        }
        while code == 0, bound.count > Calls.maximumKeySize, compareKey(bound) < 0 { code = move(MDB_NEXT) }
        return code
    }
}

extension TransactionCore {
    /// Walks a range of a database; see `RangeScan`.
    package func scan(
        _ database: Database, _ range: ScanRange, _ body: (_ key: RawSpan, _ value: RawSpan) throws -> ScanStep
    ) throws {
        guard var scan = try RangeScan(self, database, range) else { return }
        try scan.run(body)
    }

    /// Counts the keys in a range.
    package func count(_ database: Database, _ range: ScanRange) throws(LMDBError) -> Int {
        guard var scan = try RangeScan(self, database, range) else { return 0 }
        return try scan.count()
    }

    /// Removes the keys in a range, from the least up whatever its direction; gives how many there were.
    package func deleteRange(_ database: Database, _ range: ScanRange) throws(LMDBError) -> Int {
        let range = ScanRange(from: range.lower, upTo: range.upper)
        guard var scan = try RangeScan(self, database, range) else { return 0 }
        return try scan.deleteAll()
    }
}

extension RangeScan {
    /// Removes every key of an ascending range.
    mutating func deleteAll() throws(LMDBError) -> Int {
        var count = 0
        var code = seek()
        while code == 0, isInside {
            code = unsafe Calls.delete(cursor)
            guard code == 0 else { break }
            count += 1
            core.changes += 1
            // The cursor stands on the key after the deleted one, and MDB_NEXT knows that.
            code = move(MDB_NEXT)
        }
        guard code == 0 || code == MDB_NOTFOUND else { throw core.failed(code, in: "mdb_cursor_del", database) }
        return count
    }
}
