// A cursor for single steps: a position in a database.

import CTroveLMDB

/// A cursor over a database of a transaction.
///
/// A new cursor has no position: seek or move it first. To scan a range, `Transaction/scan(_:_:_:)` is simpler and
/// faster.
///
/// ```swift
/// try environment.read { transaction in
///     var cursor = try transaction.cursor(on: words)
///     while try cursor.moveToNext() { names.append(cursor.key) }
/// }
/// ```
@safe public struct Cursor: ~Copyable {
    private let access: TransactionAccess
    private let database: Database
    private var cursor: CursorPointer?
    private var current: [UInt8]?
    private var changes: UInt64

    init(_ access: TransactionAccess, _ database: Database) throws(LMDBError) {
        let core = try access.checked()
        if let handle = try core.handle(of: database) {
            unsafe cursor = try core.openCursor(handle, database)
        } else {
            unsafe cursor = nil
        }
        self.access = access
        self.database = database
        changes = core.changes
    }

    deinit {
        // A writer's cursor is freed with its transaction at the latest; a reader's cursor must always be closed.
        guard let cursor = unsafe cursor else { return }
        let core = access.core
        if core.isReadOnly || core.isInUse(access.lease) { unsafe Calls.close(cursor: cursor) }
    }

    /// Moves to the first key. Returns false if the database is empty.
    public mutating func moveToFirst() throws(LMDBError) -> Bool { try move(MDB_FIRST) }

    /// Moves to the last key. Returns false if the database is empty.
    public mutating func moveToLast() throws(LMDBError) -> Bool { try move(MDB_LAST) }

    /// Moves to the next key, or to the first key if the cursor has no position. Returns false at the end.
    public mutating func moveToNext() throws(LMDBError) -> Bool {
        guard let last = current else { return try move(MDB_FIRST) }
        guard try access.checked().changes != changes else { return try move(MDB_NEXT) }
        // The transaction has written since: find the position again by the key.
        guard try move(MDB_SET_RANGE, last) else { return false }
        return current == last ? try move(MDB_NEXT) : true
    }

    /// Moves to the previous key, or to the last key if the cursor has no position. Returns false at the beginning.
    public mutating func moveToPrevious() throws(LMDBError) -> Bool {
        guard let last = current else { return try move(MDB_LAST) }
        guard try access.checked().changes != changes else { return try move(MDB_PREV) }
        return try move(MDB_SET_RANGE, last) ? try move(MDB_PREV) : try move(MDB_LAST)
    }

    /// Moves to the least key at or above `key`. Returns false if there is no such key.
    public mutating func seek(_ key: [UInt8]) throws(LMDBError) -> Bool {
        guard !key.isEmpty else { return try moveToFirst() }
        var found = try move(MDB_SET_RANGE, Array(key.prefix(Calls.maximumKeySize)))
        while found, let current, current.lexicographicallyPrecedes(key) { found = try move(MDB_NEXT) }
        return found
    }

    /// A copy of the key at the cursor; nil without a position.
    public var key: [UInt8]? { current }

    /// Returns a copy of the value at the cursor; nil without a position, or after the key was removed.
    public func value() throws -> [UInt8]? {
        guard let current else { return nil }
        var value: [UInt8]?
        _ = try access.checked().withValue(database, unsafe current.span.bytes) { value = copiedBytes($0) }
        return value
    }

    /// Returns the cursor, opened again if the transaction has written since the last move.
    ///
    /// A cursor of liblmdb that has found nothing can keep a page that a later write frees, and then reads that page.
    private mutating func current(_ core: TransactionCore) throws(LMDBError) -> CursorPointer? {
        guard let old = unsafe cursor, !core.isReadOnly, changes != core.changes else { return unsafe cursor }
        unsafe cursor = nil
        unsafe Calls.close(cursor: old)
        guard let handle = try core.handle(of: database) else { return nil }
        unsafe cursor = try core.openCursor(handle, database)
        return unsafe cursor
    }

    private mutating func move(_ operation: MDB_cursor_op, _ seek: [UInt8] = []) throws(LMDBError) -> Bool {
        let core = try access.checked()
        guard let cursor = try unsafe current(core) else { return false }
        var value = unsafe MDB_val()
        var found: [UInt8]?
        let code = unsafe seek.withUnsafeBytes { bytes in
            var key = unsafe MDB_val(bytes)
            let code = unsafe Calls.get(cursor, &key, &value, operation)
            if code == 0 { unsafe found = Array(key.bytes) }
            return code
        }
        current = found
        changes = core.changes
        guard code == 0 || code == MDB_NOTFOUND else { throw core.failed(code, in: "mdb_cursor_get", database) }
        return code == 0
    }
}

extension Transaction where Self: ~Copyable {
    /// Returns a cursor over a database. It must not outlive the closure of this transaction.
    public func cursor(on database: Database) throws(LMDBError) -> Cursor {
        try Cursor(core, database)
    }
}
