// The narrow interface between the store and its engine: tables of ordered bytes in a transaction.
//
// The code above this file uses nothing else of the engine, so another ordered engine could replace LMDB.

import LMDB
import TroveCoding

/// The name of a table: the key prefix of its record type, its number within the type, and its generation.
///
///     name = keyPrefix as 8 hexadecimal digits "." table as decimal "." generation as decimal
struct TableName: Hashable {
    var keyPrefix: UInt32
    var table: TableNumber
    var generation: UInt32

    init(keyPrefix: UInt32, table: TableNumber = .records, generation: UInt32 = 0) {
        self.keyPrefix = keyPrefix
        self.table = table
        self.generation = generation
    }

    var text: String {
        let prefix = String(keyPrefix, radix: 16, uppercase: true)
        return String(repeating: "0", count: 8 - prefix.count) + prefix + ".\(table.rawValue).\(generation)"
    }

    /// Parses a name; nil if the text is not a table name.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let prefix = UInt32(parts[0], radix: 16),
            let table = UInt32(parts[1]).map(TableNumber.init(rawValue:)), let generation = UInt32(parts[2])
        else { return nil }
        self.init(keyPrefix: prefix, table: table, generation: generation)
        // A number has several spellings, but a name has only one.
        guard self.text == text else { return nil }
    }

    /// The same table of the other generation. A migration that changes keys moves the records into it.
    var other: TableName { TableName(keyPrefix: keyPrefix, table: table, generation: generation ^ 1) }

    /// The checksum of the table's identity. The checksums of its values start from it.
    var checksumSeed: CRC32C {
        var checksum = CRC32C()
        let identity = KeyWriter.bytes { writer in
            writer.writeInteger(keyPrefix)
            writer.writeInteger(table.rawValue)
            writer.writeInteger(generation)
        }
        unsafe checksum.update(identity.span.bytes)
        return checksum
    }
}

/// The tables of a store, as a transaction sees them.
///
/// Each use is checked: on the transaction's thread, before its end, without an open nested transaction.
struct Keyspace {
    let core: TransactionCore
    let lease: UInt64

    init(_ core: TransactionCore, lease: UInt64) {
        self.core = core
        self.lease = lease
    }

    /// Creates the keyspace of a transaction that has just begun.
    init(_ core: TransactionCore) { self.init(core, lease: core.currentLease) }

    func table(named name: String) throws -> Database? {
        try checked().database(named: name)
    }

    func hasTable(named name: String) throws -> Bool {
        try checked().hasDatabase(named: name)
    }

    func tableNames() throws -> [String] {
        try checked().databaseNames()
    }

    func createTable(named name: String) throws -> Database {
        try checked().createDatabase(name)
    }

    func withValue(_ table: Database, _ key: RawSpan, _ body: (RawSpan) throws -> Void) throws -> Bool {
        try checked().withValue(table, key, body)
    }

    /// Looks up a key that is about to be written. A put with `replaceNext` then does not search again.
    func withValueToReplace(_ table: Database, _ key: RawSpan, _ body: (RawSpan) throws -> Void) throws -> Bool {
        try checked().withValueToReplace(table, key, body)
    }

    /// Calls a closure with the first key that does not sort before some bytes.
    func withFirst(_ table: Database, from lower: RawSpan, _ body: (RawSpan) throws -> Void) throws {
        try checked().withFirstKey(table, from: lower, body)
    }

    func put(
        _ table: Database, _ key: RawSpan, size: Int, mode: TransactionCore.PutMode = .replace,
        _ fill: (inout MutableRawSpan) throws -> Void
    ) throws -> Bool {
        try checked().put(table, key, size: size, mode: mode, fill)
    }

    /// Stores keys with empty values.
    @unsafe func putKeys(_ table: Database, _ next: () -> UnsafeRawBufferPointer?) throws {
        try unsafe checked().putKeys(table, next)
    }

    func delete(_ table: Database, _ key: RawSpan) throws -> Bool {
        try checked().delete(table, key)
    }

    func scan(_ table: Database, _ range: ScanRange, _ body: (RawSpan, RawSpan) throws -> ScanControl) throws {
        try checked().scan(table, range, body)
    }

    /// Returns a cursor that reads entries in batches; nil if the table does not exist.
    ///
    /// - Parameter mayWrite: Whether the caller writes while it reads a batch. In a write transaction, entries are then
    ///   copied one at a time.
    func scan(_ table: Database, _ range: ScanRange, mayWrite: Bool) throws -> RangeScan? {
        try RangeScan(checked(), table, range, mayWrite: mayWrite)
    }

    /// Refuses all use of a write transaction until `returnPages`, while the caller reads entries in its pages. Returns
    /// false for a read transaction, whose pages never change.
    @inline(__always)
    func lendPages() -> Bool {
        if core.isReadOnly { return false }
        core.openValue()
        return true
    }

    /// Ends what `lendPages` began.
    @inline(__always)
    func returnPages() { core.closeValue() }

    /// Returns a cursor for lookups of many keys; nil if the table does not exist.
    func lookups(in table: Database) throws -> PointLookup? {
        try PointLookup(checked(), table)
    }

    func count(_ table: Database, _ range: ScanRange, atMost limit: Int = .max) throws -> Int {
        try checked().count(table, range, atMost: limit)
    }

    func count(_ table: Database) throws -> Int {
        try checked().count(table)
    }

    func statistics(of table: Database) throws -> DatabaseStatistics {
        try checked().databaseStatistics(of: table)
    }

    func deleteRange(_ table: Database, _ range: ScanRange) throws -> Int {
        try checked().deleteRange(table, range)
    }

    func deleteAll(_ table: Database) throws {
        try checked().removeAll(table)
    }

    /// Throws for a use on another thread, after the end, or while a nested transaction is open.
    @inline(__always)
    func check() throws(LMDBError) { try core.check(lease) }

    @inline(__always)
    private func checked() throws -> TransactionCore {
        try core.check(lease)
        return core
    }
}
