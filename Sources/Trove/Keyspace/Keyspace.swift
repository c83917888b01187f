// The interface between the store and its engine: tables of ordered bytes in one transaction.
//
// The code above this file needs nothing else of an engine, so another ordered engine can take LMDB's place.

import LMDB
import TroveCoding

/// The tables of a store in one transaction.
///
/// Each use is checked: on the transaction's thread, before its end, with no nested transaction open. The exceptions
/// are the methods for values in place: their caller has called ``check()``.
struct Keyspace {
    let core: TransactionCore
    let lease: UInt64

    @inline(__always)
    init(_ core: TransactionCore, lease: UInt64) {
        self.core = core
        self.lease = lease
    }

    /// Creates the keyspace of a new transaction.
    init(_ core: TransactionCore) { self.init(core, lease: core.currentLease) }

    /// Throws on another thread, after the end, or while a nested transaction is open.
    @inline(__always)
    func check() throws(LMDBError) { try core.check(lease) }

    @inline(__always)
    private func checked() throws -> TransactionCore {
        try core.check(lease)
        return core
    }
}

// MARK: Tables

extension Keyspace {
    func table(named name: String) throws -> Database? {
        try checked().database(named: name)
    }

    func hasTable(named name: String) throws -> Bool {
        try checked().hasDatabase(named: name)
    }

    func tableNames() throws -> [String] {
        try checked().databaseNames()
    }

    /// Returns a table that the catalog knows.
    func openTable(_ name: TableName) throws -> Database {
        if let table = try table(named: name.text) { return table }
        throw StoreError.record(
            .corrupted(
                type: "catalog", key: StoredKey([], of: "catalog"),
                reason: CodingError(.malformed(expected: "table \(name.text)"))))
    }

    func createTable(named name: String) throws -> Database {
        try checked().createDatabase(name)
    }

    func count(_ table: Database) throws -> Int {
        try checked().count(table)
    }

    func statistics(of table: Database) throws -> DatabaseStatistics {
        try checked().databaseStatistics(of: table)
    }
}

// MARK: Reading

extension Keyspace {
    func withValue(_ table: Database, _ key: RawSpan, _ body: (RawSpan) throws -> Void) throws -> Bool {
        try checked().withValue(table, key, body)
    }

    /// Calls a closure with a key and the value stored for the key. Returns false when the key is absent.
    func withEntry(
        _ table: Database, _ key: [UInt8], _ body: (_ key: RawSpan, _ value: RawSpan) throws -> Void
    ) throws -> Bool {
        try key.withRawSpan { key in try withValue(table, key) { value in try body(key, value) } }
    }

    /// Calls a closure with the value of a key before the value is replaced. A put with `replaceNext` then does not
    /// search again.
    func withValueToReplace(_ table: Database, _ key: RawSpan, _ body: (RawSpan) throws -> Void) throws -> Bool {
        try checked().withValueToReplace(table, key, body)
    }

    /// Returns whether a table may have a key with a prefix: a single seek.
    ///
    /// A put of such a key with `replaceNext` does not search again.
    func hasKey(_ table: Database, startingWith prefix: RawSpan) throws -> Bool {
        var hasKey = false
        try checked().withFirstKey(table, from: prefix) { key in
            hasKey = ByteView.with(key) { key in ByteView.with(prefix) { key.starts(with: $0) } }
        }
        return hasKey
    }

    /// Calls a closure with the first key that has a prefix, as a key before or after others is searched before it is
    /// written: a single seek, and a put of such a key with `replaceNext` does not search again. Does nothing if there
    /// is no such key.
    func withFirstKey(
        _ table: Database, startingWith prefix: ByteView, _ body: (ByteView) throws -> Void
    ) throws {
        try prefix.withSpan { lower in
            try checked().withFirstKey(table, from: lower) { key in
                try ByteView.with(key) { key in if key.starts(with: prefix) { try body(key) } }
            }
        }
    }

    /// Returns the first entry whose key is not less than a key, in its page, in a write transaction. The bytes are
    /// valid until the next write, and a put near the entry with `replaceNext` does not search again.
    func firstEntry(_ table: Database, from lower: [UInt8]) throws -> Entry? {
        let core = try checked()
        return try lower.withRawSpan { (lower) throws(LMDBError) in try core.firstEntry(table, from: lower) }
    }

    /// Returns a cursor that seeks keys and steps on from them; nil if the table does not exist.
    func seeks(in table: Database) throws -> SeekCursor? {
        try SeekCursor(checked(), table)
    }

    /// Calls a closure with the last key below a bound; does nothing if there is no such key.
    func withLastKey(_ table: Database, below bound: [UInt8], _ body: (RawSpan) throws -> Void) throws {
        try bound.withRawSpan { try checked().withLastKey(table, below: $0, body) }
    }

    func scan(_ table: Database, _ range: ScanRange, _ body: (RawSpan, RawSpan) throws -> ScanControl) throws {
        try checked().scan(table, range, body)
    }

    /// Returns a cursor over the entries of a range, in batches; nil if the table does not exist.
    ///
    /// - Parameter mayWrite: Whether the caller writes while it reads a batch. In a write transaction, entries are then
    ///   copied one at a time.
    func scan(_ table: Database, _ range: ScanRange, mayWrite: Bool) throws -> RangeScan? {
        try RangeScan(checked(), table, range, mayWrite: mayWrite)
    }

    /// Returns a lookup of many keys; nil if the table does not exist.
    func lookups(in table: Database) throws -> PointLookup? {
        try PointLookup(checked(), table)
    }

    func count(_ table: Database, _ range: ScanRange, atMost limit: Int = .max) throws -> Int {
        try checked().count(table, range, atMost: limit)
    }
}

// MARK: Writing

extension Keyspace {
    func put(
        _ table: Database, _ key: RawSpan, size: Int, mode: TransactionCore.PutMode = .replace,
        _ fill: (inout MutableRawSpan) throws -> Void
    ) throws -> Bool {
        try checked().put(table, key, size: size, mode: mode, fill)
    }

    func put(
        _ table: Database, _ key: [UInt8], size: Int, mode: TransactionCore.PutMode = .replace,
        _ fill: (inout MutableRawSpan) throws -> Void
    ) throws -> Bool {
        try key.withRawSpan { try put(table, $0, size: size, mode: mode, fill) }
    }

    func put(
        _ table: Database, _ key: RawSpan, _ value: [UInt8], mode: TransactionCore.PutMode = .replace
    ) throws {
        _ = try value.withRawSpan { value in
            try put(table, key, size: value.byteCount, mode: mode) { copyBytes(value, into: &$0) }
        }
    }

    func put(
        _ table: Database, _ key: [UInt8], _ value: [UInt8], mode: TransactionCore.PutMode = .replace
    ) throws {
        try key.withRawSpan { try put(table, $0, value, mode: mode) }
    }

    /// Stores keys with empty values.
    ///
    /// - Parameter next: Returns the next key, valid until the following call; nil at the end.
    func putKeys(_ table: Database, _ next: () -> ByteView?) throws {
        try checked().putKeys(table, next)
    }

    /// Calls a closure with the value stored for a key, and removes the key. Returns false when the key is absent.
    func remove(_ table: Database, _ key: RawSpan, _ body: (RawSpan) throws -> Void) throws -> Bool {
        try checked().remove(table, key, body)
    }

    func delete(_ table: Database, _ key: RawSpan) throws -> Bool {
        try checked().delete(table, key)
    }

    @discardableResult
    func delete(_ table: Database, _ key: [UInt8]) throws -> Bool {
        try key.withRawSpan { try delete(table, $0) }
    }

    @discardableResult
    func delete(_ table: Database, _ key: ArraySlice<UInt8>) throws -> Bool {
        try key.withRawSpan { try delete(table, $0) }
    }

    func deleteRange(_ table: Database, _ range: ScanRange) throws -> Int {
        try checked().deleteRange(table, range)
    }

    func deleteAll(_ table: Database) throws {
        try checked().removeAll(table)
    }
}

// MARK: Values in place

extension Keyspace {
    /// Returns the value of a key in its page; nil if the key is absent.
    ///
    /// The bytes are valid until the transaction's end, in a write transaction until its next write: open the value.
    @inline(__always)
    func value(_ table: Database, _ key: RawSpan) throws(LMDBError) -> ByteView? {
        try core.value(table, key)
    }

    /// Reserves bytes for a value in its page; nil if the key exists and `mode` keeps its value.
    ///
    /// Fill the bytes before any other use of the transaction: open the value.
    @inline(__always)
    func reserve(
        _ table: Database, _ key: RawSpan, size: Int, mode: TransactionCore.PutMode
    ) throws(LMDBError) -> ReservedValue? {
        try core.reserve(table, key, size: size, mode: mode)
    }

    /// Reserves bytes for the value of a new key in its page, or returns the stored value.
    @inline(__always)
    func reserveUnlessStored(
        _ table: Database, _ key: RawSpan, size: Int
    ) throws(LMDBError) -> TransactionCore.Reservation {
        try core.reserveUnlessStored(table, key, size: size)
    }

    /// Prevents all use of a write transaction until ``closeValue()``, while a value is read or written in place.
    @inline(__always)
    func openValue() { if !core.isReadOnly { core.openValue() } }

    /// Prevents all use of a write transaction until ``closeValue()``, while the caller reads entries in its pages.
    /// Returns false for a read transaction: its pages never change.
    @inline(__always)
    func lendPages() -> Bool {
        if core.isReadOnly { return false }
        core.openValue()
        return true
    }

    /// Allows the use of a write transaction again.
    @inline(__always)
    func closeValue() { if !core.isReadOnly { core.closeValue() } }

    /// Prevents the transaction from committing.
    func poison(because error: any Error, in operation: String, _ table: Database) {
        core.poison(because: error, in: operation, table)
    }
}
