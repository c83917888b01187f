// The narrow face by which the store speaks to its engine: tables of ordered bytes in one transaction.
//
// Everything above this file needs no more of an engine than what stands here, so that another ordered engine can take
// LMDB's place behind it.

import LMDB
import TroveCoding

/// The name of a table: the record type it belongs to, which of its tables it is, and which making of that.
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

    /// The name that a text is; nil where it is none.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let prefix = UInt32(parts[0], radix: 16),
            let table = UInt32(parts[1]).map(TableNumber.init(rawValue:)), let generation = UInt32(parts[2])
        else { return nil }
        self.init(keyPrefix: prefix, table: table, generation: generation)
        // Numbers can be written in several ways, names in one.
        guard self.text == text else { return nil }
    }

    /// The same table of the other generation: a migration that changes keys moves the records into it.
    var other: TableName { TableName(keyPrefix: keyPrefix, table: table, generation: generation ^ 1) }

    /// The checksum of the table's identity, with which the checksums of its values begin.
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

/// The tables of a store as one transaction sees them.
///
/// Each use is checked: on the transaction's thread, before its end, with no nested transaction open.
struct Keyspace {
    let core: TransactionCore
    let lease: UInt64

    init(_ core: TransactionCore, lease: UInt64) {
        self.core = core
        self.lease = lease
    }

    /// The tables as a transaction that has just begun sees them.
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

    /// Finds what is stored under a key that is about to be written: a put with `replaceNext` does not search again.
    func withValueToReplace(_ table: Database, _ key: RawSpan, _ body: (RawSpan) throws -> Void) throws -> Bool {
        try checked().withValueToReplace(table, key, body)
    }

    /// The first entry whose key does not sort before some bytes.
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

    /// A walk that hands its entries out in batches; nil where there is no such table.
    ///
    /// - Parameter mayWrite: Whether the caller writes while it reads a batch. In a write transaction, entries are then
    ///   copied one by one.
    func scan(_ table: Database, _ range: ScanRange, mayWrite: Bool) throws -> RangeScan? {
        try RangeScan(checked(), table, range, mayWrite: mayWrite)
    }

    /// Refuses all use of a write transaction until `returnPages`, while the caller reads entries in its pages.
    @inline(__always)
    func lendPages() { if !core.isReadOnly { core.openValue() } }

    /// Ends what `lendPages` began.
    @inline(__always)
    func returnPages() { if !core.isReadOnly { core.closeValue() } }

    /// Lookups of many keys; nil where there is no such table.
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

    /// Refuses a use on another thread, after the end, or while a nested transaction is open.
    @inline(__always)
    func check() throws(LMDBError) { try core.check(lease) }

    @inline(__always)
    private func checked() throws -> TransactionCore {
        try core.check(lease)
        return core
    }
}
