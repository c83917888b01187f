// Looking up keys that others have found: many of them, often near each other, by one cursor that stays.

import CLMDB

/// Lookups in one database.
///
/// liblmdb first looks at the page on which the cursor stands: a key near the last one costs no search from the root.
/// What is found lies in the map, and holds until the transaction writes or ends.
@safe package struct PointScan: ~Copyable {
    private let core: TransactionCore
    private let database: Database
    private let cursor: ScanCursor
    private let lease: UInt64

    /// Nil when the database does not exist in this snapshot.
    package init?(_ core: TransactionCore, _ database: Database) throws(LMDBError) {
        guard let handle = try core.handle(of: database) else { return nil }
        cursor = try core.scanCursor(handle, database)
        self.core = core
        self.database = database
        lease = core.currentLease
    }

    deinit { core.giveBack(cursor, lease) }

    /// The bytes stored for a key; nil when there are none.
    @unsafe package func value(of key: UnsafeRawBufferPointer) throws(LMDBError) -> UnsafeRawBufferPointer? {
        try core.check(lease)
        guard key.count > 0, key.count <= Calls.maximumKeySize else { return nil }
        #if DEBUG
        core.cursorMoves.seeks += 1
        #endif
        var key = unsafe MDB_val(key)
        var value = unsafe MDB_val()
        let code = unsafe Calls.get(cursor.pointer, &key, &value, MDB_SET)
        if code == MDB_NOTFOUND { return nil }
        guard code == 0 else { throw core.failed(code, in: "mdb_cursor_get", database) }
        return unsafe value.bytes
    }
}
