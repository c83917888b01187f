// Lookups of given keys, usually found by another scan.

import CTroveLMDB

/// Lookups of many keys in a database.
///
/// While successive keys are found on the same page, a cursor does the lookups: liblmdb checks the cursor's page before
/// it searches from the root. Keys that follow each other in the database are found by a step, without any search. For
/// scattered keys, both would be wasted, so lookups bypass the cursor.
@safe package struct PointLookup: ~Copyable {
    private let core: TransactionCore
    private let database: Database
    private let cursor: ScanCursor
    private let lease: UInt64
    /// The address of the last value found, in units of 4,096 bytes, a page on most systems.
    private var place: UInt = 0
    private var isNear = false
    /// The number of lookups near the last that search, before a step is tried.
    private var searches = 0
    /// The number of searches after a step that did not lead to the key.
    private static let searchesAfterStep = 8

    /// Creates the lookups; nil when the database does not exist in this snapshot.
    package init?(_ core: TransactionCore, _ database: Database) throws(LMDBError) {
        guard let handle = try core.handle(of: database) else { return nil }
        cursor = try core.scanCursor(handle, database)
        self.core = core
        self.database = database
        lease = core.currentLease
    }

    deinit { core.giveBack(cursor, lease) }

    /// Returns the bytes stored for a key; nil when the key is absent. The bytes lie in the map and are valid until the
    /// transaction writes or ends.
    package mutating func value(of key: ByteView) throws(LMDBError) -> ByteView? {
        try core.check(lease)
        guard key.count > 0, key.count <= Calls.maximumKeySize, let pointer = unsafe core.pointer else { return nil }
        var key = unsafe MDB_val(key.pointer)
        var value = unsafe MDB_val()
        if isNear {
            if searches == 0 {
                if let value = unsafe try step(to: key) { return value }
                searches = Self.searchesAfterStep
            }
            searches -= 1
        }
        #if DEBUG
        core.cursorMoves.seeks += 1
        #endif
        let code =
            isNear
            ? unsafe Calls.get(cursor.pointer, &key, &value, MDB_SET)
            : unsafe Calls.get(pointer, cursor.handle, &key, &value)
        if code == MDB_NOTFOUND { return nil }
        guard code == 0 else { throw core.failed(code, in: "mdb_get", database) }
        let newPlace = unsafe UInt(bitPattern: value.mv_data) >> 12
        // A lookup that bypassed the cursor has not moved it.
        if !isNear { searches = 1 }
        isNear = newPlace == place
        place = newPlace
        return unsafe ByteView(value.bytes)
    }
    /// Returns the value of the next entry; nil if its key is another.
    private func step(to key: MDB_val) throws(LMDBError) -> ByteView? {
        #if DEBUG
        core.cursorMoves.steps += 1
        #endif
        var next = unsafe MDB_val()
        var value = unsafe MDB_val()
        let code = unsafe Calls.get(cursor.pointer, &next, &value, MDB_NEXT)
        if code == MDB_NOTFOUND { return nil }
        guard code == 0 else { throw core.failed(code, in: "mdb_cursor_get", database) }
        return unsafe ByteView(next.bytes).equals(ByteView(key.bytes)) ? ByteView(value.bytes) : nil
    }
}
