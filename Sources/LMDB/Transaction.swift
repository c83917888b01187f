// What read and write transactions have in common: reading.

/// A transaction of either kind, for reading.
///
/// Keys are ordered byte by byte. Spans that a closure receives hold until it returns; those of a read transaction lie
/// in the map, those of a write transaction are copies, since its next write may move what lies there.
public protocol Transaction: ~Copyable {
    /// What stands behind the transaction. Not for use.
    var core: TransactionAccess { get }
}

/// The token by which a transaction reaches liblmdb, checked at each use.
public struct TransactionAccess {
    let core: TransactionCore
    let lease: UInt64

    /// The core, if this thread may use it now.
    package func checked() throws(LMDBError) -> TransactionCore {
        try core.check(lease)
        return core
    }
}

extension Transaction where Self: ~Copyable {
    /// The database of that name in this snapshot; nil where there is none.
    ///
    /// - Throws: ``LMDBError/Code/databaseNotUsable`` in a read transaction, for a database of another process that
    ///   nobody in this one had opened before the transaction began: `Environment/openDatabase(_:)` does.
    public func database(_ name: String) throws(LMDBError) -> Database? {
        try core.checked().database(named: name)
    }

    /// The bytes stored for a key, copied; nil where there are none.
    ///
    /// - Complexity: O(log *n*) in the number of keys.
    public func get(_ key: [UInt8], from database: Database) throws -> [UInt8]? {
        var result: [UInt8]?
        _ = try core.checked().withValue(database, unsafe key.span.bytes) { value in
            result = copiedBytes(value)
        }
        return result
    }

    /// Calls a closure with the bytes stored for a key.
    ///
    /// - Parameters:
    ///   - key: The key; one that no database could hold is simply not found.
    ///   - database: Where to look.
    ///   - body: Receives the value.
    /// - Returns: Whether the key was found.
    public func withValue(
        for key: RawSpan, in database: Database, _ body: (RawSpan) throws -> Void
    ) throws -> Bool {
        try core.checked().withValue(database, key, body)
    }

    /// Walks the keys of a range in order, with one seek.
    ///
    /// - Parameters:
    ///   - database: What to walk.
    ///   - range: Which keys, and in which direction.
    ///   - body: Receives each key and its value, and says whether to go on. In a write transaction it may write, to
    ///     the keys that are being walked too: the walk goes on behind the last key that it showed.
    /// - Complexity: O(log *n* + *m*) for *m* keys shown of *n*.
    public func scan(
        _ database: Database, _ range: ScanRange = ScanRange(),
        _ body: (_ key: RawSpan, _ value: RawSpan) throws -> ScanControl
    ) throws {
        try core.checked().scan(database, range, body)
    }

    /// How many keys a database holds.
    ///
    /// - Complexity: O(1).
    public func count(of database: Database) throws(LMDBError) -> Int {
        try core.checked().count(database)
    }

    /// How many keys a range holds.
    ///
    /// - Complexity: O(log *n* + *m*) for *m* keys in the range.
    public func count(of database: Database, in range: ScanRange) throws(LMDBError) -> Int {
        try core.checked().count(database, range)
    }

    /// The shape of a database's tree.
    public func statistics(of database: Database) throws(LMDBError) -> DatabaseStatistics {
        try core.checked().databaseStatistics(of: database)
    }

    /// The number of the snapshot that is read, or of the commit that is being prepared.
    public var identifier: Int {
        get throws(LMDBError) { try core.checked().identifier }
    }
}

/// The bytes of a span as an array.
package func copiedBytes(_ span: RawSpan) -> [UInt8] {
    unsafe span.withUnsafeBytes { unsafe Array($0) }
}

/// Appends the bytes of a span.
package func appendBytes(_ span: RawSpan, to bytes: inout [UInt8]) {
    unsafe span.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
}

/// A read transaction: a snapshot, on one thread, for the length of a closure.
public struct ReadTransaction: Transaction, ~Copyable {
    /// What stands behind the transaction. Not for use.
    public let core: TransactionAccess

    init(core: TransactionCore, lease: UInt64) {
        self.core = TransactionAccess(core: core, lease: lease)
    }
}
