// The position of a write cursor.

import CTroveLMDB
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

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
