// Reads and writes of keys in a transaction. Callers have called `check` first.

import CTroveLMDB

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension TransactionCore {
    /// Returns the handle of a database for this transaction; nil when the database does not exist in this snapshot.
    @inline(__always)
    func handle(of database: Database) throws(LMDBError) -> Handle? {
        if database.isPublished(by: knownPublications), isInSameEnvironment(database) { return database.handle }
        return try unusualHandle(of: database)
    }

    @inline(__always)
    private func isInSameEnvironment(_ database: Database) -> Bool {
        environmentIdentity == database.environment
    }

    private func unusualHandle(of database: Database) throws(LMDBError) -> Handle? {
        if isInSameEnvironment(database) {
            if !isReadOnly, database.isCreated(in: serial) { return database.handle }
            // Published after this reader began: most likely created after its snapshot.
            if isReadOnly, database.isLive, try !hasDatabase(named: database.name) { return nil }
        }
        throw refused(.databaseNotUsable, in: "database", database)
    }

    // MARK: Reading

    /// Returns the bytes stored for a key, as they lie in the map; nil when the key is absent.
    ///
    /// They are valid until the next write of this transaction, or its end.
    package func value(_ database: Database, _ key: RawSpan) throws(LMDBError) -> ByteView? {
        guard key.byteCount > 0, key.byteCount <= Calls.maximumKeySize, let handle = try handle(of: database),
            let pointer = unsafe pointer
        else { return nil }
        // A get before a save leaves the cursor on the record's page.
        if !isReadOnly, cursors.hasAppendPosition(handle) { return try seek(database, key, MDB_SET)?.value }
        var value = unsafe MDB_val()
        let code = unsafe key.withUnsafeBytes { bytes in
            var key = unsafe MDB_val(bytes)
            return unsafe Calls.get(pointer, handle, &key, &value)
        }
        guard code == 0 else {
            if code == MDB_NOTFOUND { return nil }
            throw failed(code, in: "mdb_get", database)
        }
        return unsafe ByteView(value.bytes)
    }

    /// Calls `body` with the bytes stored for a key. Returns false when the key is absent.
    ///
    /// The bytes are valid until `body` returns. A reader's bytes lie in the map; a writer's bytes are a copy, since
    /// its next write may move the bytes in the map.
    package func withValue(_ database: Database, _ key: RawSpan, _ body: (RawSpan) throws -> Void) throws -> Bool {
        guard let value = try value(database, key) else { return false }
        if isReadOnly {
            try value.withSpan(body)
        } else {
            try unsafe withUnsafeTemporaryAllocation(byteCount: value.count, alignment: 8) { copy in
                unsafe copy.copyMemory(from: value.pointer)
                try body(unsafe UnsafeRawBufferPointer(copy).bytes)
            }
        }
        return true
    }

    /// Returns the number of keys in a database, without a scan.
    package func count(_ database: Database) throws(LMDBError) -> Int {
        try statistics(of: database)?.ms_entries ?? 0
    }

    /// Returns the shape of a database's tree.
    package func databaseStatistics(of database: Database) throws(LMDBError) -> DatabaseStatistics {
        guard let stat = try statistics(of: database) else { return DatabaseStatistics() }
        return DatabaseStatistics(stat)
    }

    private func statistics(of database: Database) throws(LMDBError) -> MDB_stat? {
        guard let handle = try handle(of: database), let pointer = unsafe pointer else { return nil }
        var stat = MDB_stat()
        let code = unsafe Calls.statistics(pointer, handle, &stat)
        guard code == 0 else { throw failed(code, in: "mdb_stat", database) }
        return stat
    }

    // MARK: Writing

    /// The treatment of an existing value.
    package enum PutMode {
        case replace, keep
        /// The value is replaced, and its key follows closely after the key of the last value written.
        case replaceNext
    }

    /// Reserves `size` bytes in the map for a value. The caller must fill them before any other operation.
    ///
    /// A key after all other keys is appended, which fills pages completely.
    ///
    /// - Returns: Nil if the key exists and `mode` keeps its value.
    package func reserve(
        _ database: Database, _ key: RawSpan, size: Int, mode: PutMode
    ) throws(LMDBError) -> ReservedValue? {
        try checkSizes(key, size, database)
        guard let handle = try handle(of: database), let pointer = unsafe pointer else {
            throw refused(.databaseNotUsable, in: "put", database)
        }
        let position = try unsafe appendPosition(handle, database)
        changes += 1
        putBytes += size
        var value = unsafe MDB_val(mv_size: size, mv_data: nil)
        var code = unsafe key.withUnsafeBytes { bytes in
            unsafe position._withUnsafeGuaranteedRef { unsafe $0.append(bytes, &value) }
        }
        if code == AppendPosition.isNotLast {
            unsafe value = MDB_val(mv_size: size, mv_data: nil)
            let flags = UInt32(mode == .keep ? MDB_RESERVE | MDB_NOOVERWRITE : MDB_RESERVE)
            code = unsafe key.withUnsafeBytes { bytes in
                var key = unsafe MDB_val(bytes)
                // With a cursor, liblmdb first compares the key with the keys around the cursor's position.
                guard mode == .replaceNext else { return unsafe Calls.put(pointer, handle, &key, &value, flags) }
                return unsafe position._withUnsafeGuaranteedRef { unsafe Calls.put($0.cursor, &key, &value, flags) }
            }
        }
        guard code == 0 else {
            if code == MDB_KEYEXIST, mode == .keep { return nil }
            throw failed(code, in: "mdb_put", database)
        }
        return unsafe ReservedValue(value.mutableBytes)
    }

    /// The place of a new value, or the value that the key has already.
    package enum Reservation {
        case new(ReservedValue)
        /// The bytes as they lie in the map, valid until the next write of this transaction.
        case stored(ByteView)
    }

    /// Reserves `size` bytes in the map for the value of a new key. The caller must fill them before any other
    /// operation.
    ///
    /// If the key exists, nothing is written, and a put with `replaceNext` needs no second search.
    package func reserveUnlessStored(
        _ database: Database, _ key: RawSpan, size: Int
    ) throws(LMDBError) -> Reservation {
        try checkSizes(key, size, database)
        guard let handle = try handle(of: database) else { throw refused(.databaseNotUsable, in: "put", database) }
        let position = try unsafe appendPosition(handle, database)
        var value = unsafe MDB_val(mv_size: size, mv_data: nil)
        var code = unsafe key.withUnsafeBytes { bytes in
            unsafe position._withUnsafeGuaranteedRef { unsafe $0.append(bytes, &value) }
        }
        if code == AppendPosition.isNotLast {
            unsafe value = MDB_val(mv_size: size, mv_data: nil)
            code = unsafe key.withUnsafeBytes { bytes in
                var key = unsafe MDB_val(bytes)
                return unsafe position._withUnsafeGuaranteedRef {
                    unsafe Calls.put($0.cursor, &key, &value, UInt32(MDB_RESERVE | MDB_NOOVERWRITE))
                }
            }
        }
        if code == MDB_KEYEXIST { return unsafe .stored(ByteView(value.bytes)) }
        guard code == 0 else { throw failed(code, in: "mdb_put", database) }
        changes += 1
        putBytes += size
        return unsafe .new(ReservedValue(value.mutableBytes))
    }

    /// Calls `body` with the bytes stored for a key that is about to be written. Returns false when the key is absent.
    ///
    /// The append cursor finds them, so a put with `replaceNext` needs no second search. The bytes lie in the map:
    /// `body` cannot use the transaction.
    package func withValueToReplace(
        _ database: Database, _ key: RawSpan, _ body: (RawSpan) throws -> Void
    ) throws -> Bool {
        guard let found = try seek(database, key, MDB_SET) else { return false }
        try withOpenValue { try found.value.withSpan(body) }
        return true
    }

    /// Calls `body` with the first key at or above `lower`, with the append cursor: a put with `replaceNext` needs no
    /// second search.
    package func withFirstKey(_ database: Database, from lower: RawSpan, _ body: (RawSpan) throws -> Void) throws {
        guard let found = try seek(database, lower, MDB_SET_RANGE) else { return }
        try withOpenValue { try found.key.withSpan(body) }
    }

    /// Returns the first entry at or above `lower`, with the append cursor: a put with `replaceNext` needs no second
    /// search. The bytes lie in the map, valid until the next write of this transaction.
    package func firstEntry(_ database: Database, from lower: RawSpan) throws(LMDBError) -> Entry? {
        try seek(database, lower, MDB_SET_RANGE)
    }

    /// Calls `body` with the last key below `upper`, with the append cursor.
    package func withLastKey(_ database: Database, below upper: RawSpan, _ body: (RawSpan) throws -> Void) throws {
        guard let handle = try handle(of: database) else { return }
        let position = try unsafe appendPosition(handle, database)
        let isAbove = try unsafe seek(position, to: upper, by: MDB_SET_RANGE, in: database) != nil
        var key = unsafe MDB_val()
        var value = unsafe MDB_val()
        let code = unsafe position._withUnsafeGuaranteedRef {
            unsafe Calls.get($0.cursor, &key, &value, isAbove ? MDB_PREV : MDB_LAST)
        }
        if code == MDB_NOTFOUND { return }
        guard code == 0 else { throw failed(code, in: "mdb_cursor_get", database) }
        try withOpenValue { try unsafe ByteView(key.bytes).withSpan(body) }
    }

    /// Calls `body` with the bytes stored for a key, and removes the key: a single search. Returns false when the key
    /// is absent. If `body` throws, the key stays.
    package func remove(_ database: Database, _ key: RawSpan, _ body: (RawSpan) throws -> Void) throws -> Bool {
        guard let handle = try handle(of: database) else { return false }
        let position = try unsafe appendPosition(handle, database)
        guard let found = try unsafe seek(position, to: key, by: MDB_SET, in: database) else { return false }
        try withOpenValue { try found.value.withSpan(body) }
        let code = unsafe position._withUnsafeGuaranteedRef { unsafe Calls.delete($0.cursor) }
        guard code == 0 else { throw failed(code, in: "mdb_cursor_del", database) }
        changes += 1
        return true
    }

    /// Moves the append cursor, unless the key sorts after all keys. Returns the entry at its position.
    private func seek(_ database: Database, _ key: RawSpan, _ operation: MDB_cursor_op) throws(LMDBError) -> Entry? {
        guard let handle = try handle(of: database) else { return nil }
        return try unsafe seek(appendPosition(handle, database), to: key, by: operation, in: database)
    }

    private func seek(
        _ position: Unmanaged<AppendPosition>, to key: RawSpan, by operation: MDB_cursor_op, in database: Database
    ) throws(LMDBError) -> Entry? {
        guard key.byteCount > 0, key.byteCount <= Calls.maximumKeySize else { return nil }
        var value = unsafe MDB_val()
        var found = unsafe MDB_val()
        let code = unsafe key.withUnsafeBytes { bytes in
            unsafe position._withUnsafeGuaranteedRef { position in
                if unsafe position.isBeyond(bytes) { return MDB_NOTFOUND }
                unsafe found = MDB_val(bytes)
                return unsafe Calls.get(position.cursor, &found, &value, operation)
            }
        }
        if code == MDB_NOTFOUND { return nil }
        guard code == 0 else { throw failed(code, in: "mdb_cursor_get", database) }
        return unsafe Entry(ByteView(found.bytes), ByteView(value.bytes))
    }

    /// Stores a value of `size` bytes; `fill` writes it directly into the map. `fill` cannot use the transaction: a
    /// write would move the bytes.
    ///
    /// - Returns: False if the key exists and `mode` keeps its value.
    package func put(
        _ database: Database, _ key: RawSpan, size: Int, mode: PutMode,
        _ fill: (inout MutableRawSpan) throws -> Void
    ) throws -> Bool {
        guard let value = try reserve(database, key, size: size, mode: mode) else { return false }
        do {
            try withOpenValue { try value.write(fill) }
        } catch {
            poison(because: error, in: "put", database)
            throw error
        }
        return true
    }

    /// Stores keys with empty values. Ascending order is best: it fills pages completely where no other keys follow.
    ///
    /// - Parameter next: Returns the next key, valid until the following call; nil at the end.
    package func putKeys(_ database: Database, _ next: () -> ByteView?) throws(LMDBError) {
        guard let handle = try handle(of: database) else {
            throw refused(.databaseNotUsable, in: "put", database)
        }
        changes += 1
        let position = try unsafe appendPosition(handle, database).takeUnretainedValue()
        position.isKnown = false
        var isAppending = false
        while let bytes = next() {
            try checkSizes(unsafe bytes.pointer.bytes, 0, database)
            var key = unsafe MDB_val(bytes.pointer)
            var value = unsafe MDB_val(mv_size: 0, mv_data: nil)
            var code = MDB_KEYEXIST
            if isAppending || (unsafe position.isBeyond(bytes.pointer)) {
                // liblmdb refuses a key at or below the key before.
                code = unsafe Calls.put(position.cursor, &key, &value, UInt32(MDB_APPEND))
                isAppending = code == 0
            }
            if code == MDB_KEYEXIST { code = unsafe Calls.put(position.cursor, &key, &value, 0) }
            guard code == 0 else { throw failed(code, in: "mdb_put", database) }
        }
    }

    /// Returns whether a key sorts after every key of the database.
    func sortsLast(_ database: Database, _ key: RawSpan) throws(LMDBError) -> Bool {
        try checkSizes(key, 0, database)
        guard let handle = try handle(of: database) else { return true }
        let position = try unsafe appendPosition(handle, database).takeUnretainedValue()
        if unsafe key.withUnsafeBytes({ unsafe position.isBeyond($0) }) { return true }
        // The remembered key may have been deleted since: check again before returning false.
        position.isKnown = false
        _ = try unsafe appendPosition(handle, database)
        return unsafe key.withUnsafeBytes { unsafe position.isBeyond($0) }
    }

    /// Removes a key. Returns false when it was absent.
    package func delete(_ database: Database, _ key: RawSpan) throws(LMDBError) -> Bool {
        guard key.byteCount > 0, key.byteCount <= Calls.maximumKeySize, let handle = try handle(of: database),
            let pointer = unsafe pointer
        else { return false }
        let code = unsafe key.withUnsafeBytes { bytes in
            var key = unsafe MDB_val(bytes)
            return unsafe Calls.delete(pointer, handle, &key)
        }
        if code == MDB_NOTFOUND { return false }
        guard code == 0 else { throw failed(code, in: "mdb_del", database) }
        changes += 1
        return true
    }

    /// Removes a database with its handle, when no other transaction can be using it.
    func drop(_ database: Database) throws(LMDBError) {
        guard let handle = try handle(of: database), let pointer = unsafe pointer else { return }
        let code = unsafe Calls.drop(pointer, handle)
        guard code == 0 else { throw failed(code, in: "mdb_drop", database) }
        changes += 1
    }

    /// Removes every key of a database; the database remains.
    package func removeAll(_ database: Database) throws(LMDBError) {
        guard let handle = try handle(of: database), let pointer = unsafe pointer else { return }
        let code = unsafe Calls.empty(pointer, handle)
        guard code == 0 else { throw failed(code, in: "mdb_drop", database) }
        changes += 1
        cursors.forgetAppendPositions()
    }

    private func checkSizes(_ key: RawSpan, _ size: Int, _ database: Database) throws(LMDBError) {
        guard key.byteCount > 0, key.byteCount <= Calls.maximumKeySize else {
            throw refused(.badKeySize, in: "put", database, limit: Calls.maximumKeySize)
        }
        guard size >= 0, size <= Environment.maximumValueSize else {
            throw refused(.badValueSize, in: "put", database, limit: Environment.maximumValueSize)
        }
    }

    /// Returns the append position on a database, with its greatest key known. The transaction holds it, so a put needs
    /// no reference counting.
    @inline(__always)
    private func appendPosition(_ handle: Handle, _ database: Database) throws(LMDBError) -> Unmanaged<AppendPosition> {
        if let known = unsafe cursors.latestPosition,
            unsafe known._withUnsafeGuaranteedRef({ $0.handle == handle && $0.isKnown })
        {
            return unsafe known
        }
        return try unsafe findAppendPosition(handle, database)
    }

    private func findAppendPosition(_ handle: Handle, _ database: Database) throws(LMDBError)
        -> Unmanaged<AppendPosition>
    {
        if let known = unsafe cursors.appendPosition(handle), unsafe known._withUnsafeGuaranteedRef({ $0.isKnown }) {
            return unsafe known
        }
        // A reader's snapshot changes between its transactions; a kept cursor would read pages that are in use again.
        guard !isReadOnly else { throw refused(.invalidArgument, in: "cursor of a writer", database) }
        let position: AppendPosition
        if let known = unsafe cursors.appendPosition(handle) {
            position = unsafe known.takeUnretainedValue()
        } else {
            position = unsafe AppendPosition(handle: handle, cursor: try openCursor(handle, database))
            cursors.add(position)
        }
        if !position.isKnown {
            var key = unsafe MDB_val()
            var value = unsafe MDB_val()
            let code = unsafe Calls.get(position.cursor, &key, &value, MDB_LAST)
            guard code == 0 || code == MDB_NOTFOUND else { throw failed(code, in: "mdb_cursor_get", database) }
            if code == 0 {
                unsafe position.remember(key.bytes)
            } else {
                // Empty, or dropped by another process: liblmdb crashes at a put into a missing table.
                guard try hasDatabase(named: database.name) else {
                    throw refused(.databaseNotFound, in: "put", database)
                }
                position.rememberEmpty()
            }
        }
        return unsafe Unmanaged.passUnretained(position)
    }
}
