// The cursors that a transaction keeps: idle ones of a reader, and the staying ones by which a writer appends.

import CLMDB

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A cursor with room for what a scan finds by it.
@safe final class ScanCursor {
    let handle: Handle
    let pointer: CursorPointer
    let entries = UnsafeMutablePointer<Entry>.allocate(capacity: EntryBatch.capacity)
    /// A copy of a key, and of its value behind it.
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

    /// Makes a copy of a key and its value the one entry.
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
        unsafe entries.initialize(to: Entry(UnsafeRawBufferPointer(keyCopy), UnsafeRawBufferPointer(valueCopy)))
    }

    /// The key that was copied last.
    var copiedKey: [UInt8] { unsafe Array(copies[..<copiedKeySize]) }
}

/// A transaction's cursors.
///
/// A reader's outlive its end, since `mdb_cursor_renew` binds them to the next snapshot. A writer's end with it:
/// liblmdb frees them itself.
@safe struct CursorCache {
    private var idle: [ScanCursor] = []
    private var appendPositions: [AppendPosition] = []
    /// The one that was used last.
    private(set) var latestPosition: Unmanaged<AppendPosition>?

    /// An idle cursor on that database, to be renewed before use.
    mutating func takeIdle(_ handle: Handle) -> ScanCursor? {
        guard let index = idle.lastIndex(where: { $0.handle == handle }) else { return nil }
        return idle.remove(at: index)
    }

    mutating func putIdle(_ cursor: ScanCursor) { idle.append(cursor) }

    /// The position on a database, which is the one used last from now on.
    mutating func appendPosition(_ handle: Handle) -> Unmanaged<AppendPosition>? {
        for index in appendPositions.indices where appendPositions[index].handle == handle {
            unsafe latestPosition = Unmanaged.passUnretained(appendPositions[index])
            return unsafe latestPosition
        }
        return nil
    }

    /// Adds the position on a database that had none; it is the one used last from now on.
    mutating func add(_ position: AppendPosition) {
        appendPositions.append(position)
        unsafe latestPosition = Unmanaged.passUnretained(position)
    }

    mutating func forgetAppendPositions() {
        for position in appendPositions { position.isKnown = false }
    }

    /// Drops a writer's cursors, which liblmdb frees at the end of the transaction.
    mutating func forgetAll() {
        appendPositions = []
        unsafe latestPosition = nil
    }

    /// Closes a reader's cursors.
    mutating func closeAll() {
        for cursor in idle { unsafe Calls.close(cursor: cursor.pointer) }
        idle = []
    }
}

/// A writer's staying cursor on one database, and the greatest key that it knows of.
@safe final class AppendPosition {
    let handle: Handle
    let cursor: CursorPointer
    /// Whether no key of the database sorts after the remembered one.
    var isKnown = false
    private let greatest = UnsafeMutableRawPointer.allocate(byteCount: Calls.maximumKeySize, alignment: 8)
    private var count = 0

    init(handle: Handle, cursor: CursorPointer) {
        self.handle = handle
        unsafe self.cursor = cursor
    }

    deinit { unsafe greatest.deallocate() }

    /// Whether a key sorts after every key of the database.
    @inline(__always)
    func isBeyond(_ key: UnsafeRawBufferPointer) -> Bool {
        guard let base = key.baseAddress else { return false }
        let order = unsafe memcmp(base, greatest, min(key.count, count))
        return order > 0 || (order == 0 && key.count > count)
    }

    /// What `append` gives for a key that does not sort last: none of liblmdb's codes.
    static let isNotLast: Int32 = .max

    /// Makes room for a value behind all others; `isNotLast` where the key does not belong there.
    @inline(__always)
    func append(_ bytes: UnsafeRawBufferPointer, _ value: inout MDB_val) -> Int32 {
        guard unsafe isBeyond(bytes) else { return Self.isNotLast }
        var key = unsafe MDB_val(bytes)
        let code = unsafe Calls.put(cursor, &key, &value, UInt32(MDB_RESERVE | MDB_APPEND))
        if code == 0 { unsafe remember(bytes) }
        guard code == MDB_KEYEXIST else { return code }
        // A nested transaction or a second cursor has added a later key meanwhile.
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
    /// A cursor for one scan: a reader's idle one, bound to the present snapshot, or a new one.
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

    /// Takes back the cursor of a scan that is over, in the use of the transaction that a lease stands for.
    func giveBack(_ cursor: ScanCursor, _ lease: UInt64) {
        let isInUse = isInUse(lease)
        if isReadOnly, isInUse {
            cursors.putIdle(cursor)
        } else if isReadOnly || isInUse {
            // Otherwise the transaction has ended meanwhile, and liblmdb has freed its cursor.
            unsafe Calls.close(cursor: cursor.pointer)
        }
    }
}
