// The cursors that a transaction keeps: idle ones of a reader, and the staying ones by which a writer appends.

import CLMDB

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A reader's cursor that nobody uses.
@safe struct IdleCursor {
    let handle: Handle
    let cursor: CursorPointer

    init(handle: Handle, cursor: CursorPointer) {
        self.handle = handle
        unsafe self.cursor = cursor
    }
}

/// A transaction's cursors.
///
/// A reader's outlive its end, since `mdb_cursor_renew` binds them to the next snapshot. A writer's end with it:
/// liblmdb frees them itself.
@safe struct CursorCache {
    private var idle: [IdleCursor] = []
    var appendPositions: [AppendPosition] = []

    /// An idle cursor on that database, to be renewed before use.
    mutating func takeIdle(_ handle: Handle) -> CursorPointer? {
        guard let index = idle.lastIndex(where: { $0.handle == handle }) else { return nil }
        return unsafe idle.remove(at: index).cursor
    }

    mutating func putIdle(_ handle: Handle, _ cursor: CursorPointer) {
        unsafe idle.append(IdleCursor(handle: handle, cursor: cursor))
    }

    @inline(__always)
    func appendPosition(_ handle: Handle) -> AppendPosition? {
        for position in appendPositions where position.handle == handle { return position }
        return nil
    }

    mutating func forgetAppendPositions() {
        for position in appendPositions { position.isKnown = false }
    }

    /// Drops a writer's cursors, which liblmdb frees at the end of the transaction.
    mutating func forgetAll() {
        appendPositions = []
    }

    /// Closes a reader's cursors.
    mutating func closeAll() {
        for entry in idle { unsafe Calls.close(cursor: entry.cursor) }
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
