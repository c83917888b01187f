// Seeks and steps in a database, an entry at a time.

import CTroveLMDB

/// A cursor that seeks keys and steps on from them, forward.
///
/// The bytes of an entry lie in the map. A reader's entries are valid as long as its transaction, those of a writer
/// until it writes. A writer may write between two calls, even to the keys at the cursor.
@safe package struct SeekCursor: ~Copyable {
    private let core: TransactionCore
    private let database: Database
    private var cursor: ScanCursor
    private let lease: UInt64
    /// The number of changes to the transaction at the last call.
    private var changes: UInt64
    /// The key of the last entry of a writer, to find its place again after a write.
    private var lastKey: [UInt8] = []

    /// Creates the cursor; nil when the database does not exist in this snapshot.
    package init?(_ core: TransactionCore, _ database: Database) throws(LMDBError) {
        guard let handle = try core.handle(of: database) else { return nil }
        cursor = try core.scanCursor(handle, database)
        self.core = core
        self.database = database
        lease = core.currentLease
        changes = core.changes
    }

    deinit { core.giveBack(cursor, lease) }

    /// Returns the first entry whose key is not less than a key; nil if there is none.
    ///
    /// - Parameter key: The key, not empty and no longer than a key of the engine.
    package mutating func seek(_ key: ByteView) throws(LMDBError) -> Entry? {
        try core.check(lease)
        #if DEBUG
        core.cursorMoves.seeks += 1
        #endif
        try renew()
        return try unsafe move(MDB_SET_RANGE, MDB_val(key.pointer))
    }

    /// Opens the cursor again if the transaction has written since the last call.
    ///
    /// A cursor of liblmdb that has found nothing can keep a page that a later write frees, and then reads that page.
    private mutating func renew() throws(LMDBError) {
        if core.isReadOnly || changes == core.changes { return }
        let new = try core.scanCursor(cursor.handle, database)
        core.giveBack(cursor, lease)
        cursor = new
        changes = core.changes
    }

    /// Returns the entry after the last returned entry; nil if there is none.
    package mutating func next() throws(LMDBError) -> Entry? {
        try core.check(lease)
        #if DEBUG
        core.cursorMoves.steps += 1
        #endif
        if core.isReadOnly || changes == core.changes { return try unsafe move(MDB_NEXT, MDB_val()) }
        try renew()
        let last = lastKey
        let found = try last.withRawSpan { (last) throws(LMDBError) in
            try ByteView.with(last) { (last) throws(LMDBError) in try unsafe move(MDB_SET_RANGE, MDB_val(last.pointer))
            }
        }
        guard let found, found.key.compare(last) == 0 else { return found }
        return try unsafe move(MDB_NEXT, MDB_val())
    }

    private mutating func move(_ operation: MDB_cursor_op, _ start: MDB_val) throws(LMDBError) -> Entry? {
        var key = unsafe start
        var value = unsafe MDB_val()
        let code = unsafe Calls.get(cursor.pointer, &key, &value, operation)
        if code == MDB_NOTFOUND { return nil }
        guard code == 0 else { throw core.failed(code, in: "mdb_cursor_get", database) }
        if !core.isReadOnly {
            changes = core.changes
            lastKey.removeAll(keepingCapacity: true)
            unsafe ByteView(key.bytes).append(to: &lastKey)
        }
        return unsafe Entry(ByteView(key.bytes), ByteView(value.bytes))
    }
}
