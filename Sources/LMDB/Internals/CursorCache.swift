// The cursors of a transaction: a reader's idle cursors, and a writer's append cursors.

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

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

    func openCursor(_ handle: Handle, _ database: Database) throws(LMDBError) -> CursorPointer {
        guard let pointer = unsafe pointer else { throw refused(.transactionEnded, in: "cursor") }
        var made: CursorPointer?
        let code = unsafe Calls.openCursor(pointer, handle, &made)
        guard code == 0, let cursor = unsafe made else { throw failed(code, in: "mdb_cursor_open", database) }
        return unsafe cursor
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
