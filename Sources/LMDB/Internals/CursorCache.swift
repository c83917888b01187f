// The cursors of a transaction: a reader's idle cursors, and a writer's append cursors.

import CLMDB

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A cursor with a buffer for the entries of a scan.
@safe final class ScanCursor {
    let handle: Handle
    let pointer: CursorPointer
    let entries = UnsafeMutablePointer<Entry>.allocate(capacity: EntryBatch.capacity)
    /// A copy of a key, followed by its value.
    private var copies = unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private var copiedKeySize = 0

    init(handle: Handle, pointer: CursorPointer) {
        self.handle = handle
        unsafe self.pointer = pointer
    }

    deinit {
        unsafe entries.deallocate()
        unsafe copies.deallocate()
    }

    /// Copies a key and its value, as the only entry.
    func copy(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        let size = key.count + value.count
        if unsafe copies.count < size {
            unsafe copies.deallocate()
            unsafe copies = .allocate(byteCount: size + size / 2, alignment: 8)
        }
        copiedKeySize = key.count
        let keyCopy = unsafe UnsafeMutableRawBufferPointer(rebasing: copies[..<key.count])
        let valueCopy = unsafe UnsafeMutableRawBufferPointer(rebasing: copies[key.count..<size])
        unsafe keyCopy.copyMemory(from: key)
        unsafe valueCopy.copyMemory(from: value)
        unsafe entries.initialize(
            to: Entry(ByteView(UnsafeRawBufferPointer(keyCopy)), ByteView(UnsafeRawBufferPointer(valueCopy))))
    }

    /// The last key copied.
    var copiedKey: [UInt8] { unsafe Array(copies[..<copiedKeySize]) }
}

/// The cursors of a transaction.
///
/// A reader's cursors outlive its end, since `mdb_cursor_renew` binds them to the next snapshot. A writer's cursors end
/// with it: liblmdb frees them itself.
@safe struct CursorCache {
    private var idle: [ScanCursor] = []
    private var appendPositions: [AppendPosition] = []
    /// The same positions, for a search without reference counting.
    private var positions = unsafe [Unmanaged<AppendPosition>]()
    /// The position used last.
    private(set) var latestPosition: Unmanaged<AppendPosition>?

    /// Returns an idle cursor on a database. The caller must renew it before use.
    mutating func takeIdle(_ handle: Handle) -> ScanCursor? {
        guard let index = idle.lastIndex(where: { $0.handle == handle }) else { return nil }
        return idle.remove(at: index)
    }

    mutating func putIdle(_ cursor: ScanCursor) { idle.append(cursor) }

    /// Returns the position on a database, and marks it as the position used last.
    mutating func appendPosition(_ handle: Handle) -> Unmanaged<AppendPosition>? {
        guard let index = index(of: handle) else { return nil }
        unsafe latestPosition = positions[index]
        return unsafe latestPosition
    }

    /// Returns whether there is a position on a database.
    func hasAppendPosition(_ handle: Handle) -> Bool { index(of: handle) != nil }

    private func index(of handle: Handle) -> Int? {
        unsafe positions.firstIndex { unsafe $0._withUnsafeGuaranteedRef { $0.handle == handle } }
    }

    /// Adds the first position on a database, and marks it as the position used last.
    mutating func add(_ position: AppendPosition) {
        appendPositions.append(position)
        unsafe positions.append(Unmanaged.passUnretained(position))
        unsafe latestPosition = Unmanaged.passUnretained(position)
    }

    mutating func forgetAppendPositions() {
        for position in appendPositions { position.isKnown = false }
    }

    /// Drops a writer's cursors; liblmdb frees them at the end of the transaction.
    mutating func forgetAll() {
        appendPositions = []
        unsafe positions = []
        unsafe latestPosition = nil
    }

    /// Closes a reader's cursors.
    mutating func closeAll() {
        for cursor in idle { unsafe Calls.close(cursor: cursor.pointer) }
        idle = []
    }
}

/// A writer's append cursor on a database, and the greatest key it has seen.
@safe final class AppendPosition {
    let handle: Handle
    let cursor: CursorPointer
    /// Whether no key of the database sorts after the remembered key.
    var isKnown = false
    private let greatest = UnsafeMutableRawPointer.allocate(byteCount: Calls.maximumKeySize, alignment: 8)
    private var count = 0

    init(handle: Handle, cursor: CursorPointer) {
        self.handle = handle
        unsafe self.cursor = cursor
    }

    deinit { unsafe greatest.deallocate() }

    /// Returns whether a key sorts after every key of the database.
    @inline(__always)
    func isBeyond(_ key: UnsafeRawBufferPointer) -> Bool {
        guard let base = key.baseAddress else { return false }
        let order = unsafe memcmp(base, greatest, min(key.count, count))
        return order > 0 || (order == 0 && key.count > count)
    }

    /// The result of `append` for a key that does not sort last. It differs from all codes of liblmdb.
    static let isNotLast: Int32 = .max

    /// Reserves space for a value after all others. Returns `isNotLast` if the key does not sort last.
    @inline(__always)
    func append(_ bytes: UnsafeRawBufferPointer, _ value: inout MDB_val) -> Int32 {
        guard unsafe isBeyond(bytes) else { return Self.isNotLast }
        var key = unsafe MDB_val(bytes)
        let code = unsafe Calls.put(cursor, &key, &value, UInt32(MDB_RESERVE | MDB_APPEND))
        if code == 0 { unsafe remember(bytes) }
        guard code == MDB_KEYEXIST else { return code }
        // A nested transaction or a second cursor has added a later key in the meantime.
        isKnown = false
        return Self.isNotLast
    }

    @inline(__always)
    func remember(_ key: UnsafeRawBufferPointer) {
        unsafe UnsafeMutableRawBufferPointer(start: greatest, count: Calls.maximumKeySize).copyMemory(from: key)
        count = key.count
        isKnown = true
    }

    func rememberEmpty() {
        count = 0
        isKnown = true
    }
}

extension TransactionCore {
    /// Returns a cursor for a scan: a reader's idle cursor, bound to the current snapshot, or a new cursor.
    func scanCursor(_ handle: Handle, _ database: Database) throws(LMDBError) -> ScanCursor {
        guard let idle = cursors.takeIdle(handle), let pointer = unsafe pointer else {
            return unsafe ScanCursor(handle: handle, pointer: try openCursor(handle, database))
        }
        let code = unsafe Calls.renew(pointer, idle.pointer)
        guard code == 0 else {
            unsafe Calls.close(cursor: idle.pointer)
            throw failed(code, in: "mdb_cursor_renew", database)
        }
        return idle
    }

    /// Takes back the cursor of a finished scan, for the use of the transaction that `lease` identifies.
    func giveBack(_ cursor: ScanCursor, _ lease: UInt64) {
        let isInUse = isInUse(lease)
        if isReadOnly, isInUse {
            cursors.putIdle(cursor)
        } else if isReadOnly || isInUse {
            // Otherwise the transaction has ended in the meantime, and liblmdb has freed its cursor.
            unsafe Calls.close(cursor: cursor.pointer)
        }
    }
}
