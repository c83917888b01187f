// Looking up keys that others have found, one after the other.

import CLMDB

/// Lookups of many keys in one database.
///
/// As long as what is found lies side by side, a cursor stays with it: liblmdb looks at its page before it searches from
/// the root. Where it does not, that look would be for nothing.
@safe package struct PointLookup: ~Copyable {
    private let core: TransactionCore
    private let database: Database
    private let cursor: ScanCursor
    private let lease: UInt64
    /// Where the value found last lies, in units that are a page of most systems.
    private var place: UInt = 0
    private var isNear = false

    /// Nil when the database does not exist in this snapshot.
    package init?(_ core: TransactionCore, _ database: Database) throws(LMDBError) {
        guard let handle = try core.handle(of: database) else { return nil }
        cursor = try core.scanCursor(handle, database)
        self.core = core
        self.database = database
        lease = core.currentLease
    }

    deinit { core.giveBack(cursor, lease) }

    /// The bytes stored for a key; nil when there are none. They lie in the map, and hold until the transaction writes or
    /// ends.
    @unsafe package mutating func value(of key: UnsafeRawBufferPointer) throws(LMDBError) -> UnsafeRawBufferPointer? {
        try core.check(lease)
        guard key.count > 0, key.count <= Calls.maximumKeySize, let pointer = unsafe core.pointer else { return nil }
        #if DEBUG
        core.cursorMoves.seeks += 1
        #endif
        var key = unsafe MDB_val(key)
        var value = unsafe MDB_val()
        let code =
            isNear
            ? unsafe Calls.get(cursor.pointer, &key, &value, MDB_SET)
            : unsafe Calls.get(pointer, cursor.handle, &key, &value)
        if code == MDB_NOTFOUND { return nil }
        guard code == 0 else { throw core.failed(code, in: "mdb_get", database) }
        let newPlace = unsafe UInt(bitPattern: value.mv_data) >> 12
        isNear = newPlace == place
        place = newPlace
        return unsafe value.bytes
    }
}
