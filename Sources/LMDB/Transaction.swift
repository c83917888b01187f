// The common part of read and write transactions: reading.

/// A transaction of either kind, for reading.
///
/// Keys are ordered byte by byte. Spans passed to a closure are valid until the closure returns. In a read transaction
/// they point into the map. In a write transaction they are copies, since the next write may move the bytes in the map.
public protocol Transaction: ~Copyable {
    /// The internals of the transaction. Not for use.
    var core: TransactionAccess { get }
}

extension Transaction where Self: ~Copyable {
    /// Returns the database with a name in this snapshot; nil if it does not exist.
    ///
    /// - Throws: ``LMDBError/Code/databaseNotUsable`` in a read transaction, for a database of another process, if this
    ///   process had not opened it before the transaction began. `Environment/openDatabase(_:)` opens it.
    public func database(_ name: String) throws(LMDBError) -> Database? {
        try core.checked().database(named: name)
    }

    /// Returns a copy of the bytes stored for a key; nil when the key is absent.
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
    ///   - key: The key. A key of invalid size counts as not found.
    ///   - database: The database to search.
    ///   - body: Receives the value.
    /// - Returns: Whether the key was found.
    public func withValue(
        for key: RawSpan, in database: Database, _ body: (RawSpan) throws -> Void
    ) throws -> Bool {
        try core.checked().withValue(database, key, body)
    }

    /// Scans the keys of a range in order, with a single seek.
    ///
    /// - Parameters:
    ///   - database: The database to scan.
    ///   - range: The keys and the direction.
    ///   - body: Receives each key and its value, and returns whether to continue. In a write transaction it may write,
    ///     even to the keys under scan: the scan continues after the last key passed to `body`.
    /// - Complexity: O(log *n* + *m*) for *m* keys scanned of *n*.
    public func scan(
        _ database: Database, _ range: ScanRange = ScanRange(),
        _ body: (_ key: RawSpan, _ value: RawSpan) throws -> ScanControl
    ) throws {
        try core.checked().scan(database, range, body)
    }

    /// Returns the number of keys in a database.
    ///
    /// - Complexity: O(1).
    public func count(of database: Database) throws(LMDBError) -> Int {
        try core.checked().count(database)
    }

    /// Returns the number of keys in a range.
    ///
    /// - Complexity: O(log *n* + *m*) for *m* keys in the range.
    public func count(of database: Database, in range: ScanRange) throws(LMDBError) -> Int {
        try core.checked().count(database, range)
    }

    /// Returns the shape of a database's tree.
    public func statistics(of database: Database) throws(LMDBError) -> DatabaseStatistics {
        try core.checked().databaseStatistics(of: database)
    }

    /// The number of the snapshot of a read transaction, or of the coming commit of a write transaction.
    public var identifier: Int {
        get throws(LMDBError) { try core.checked().identifier }
    }
}

/// Returns the bytes of a span as an array.
package func copiedBytes(_ span: RawSpan) -> [UInt8] {
    unsafe span.withUnsafeBytes { unsafe Array($0) }
}

/// Appends the bytes of a span.
package func appendBytes(_ span: RawSpan, to bytes: inout [UInt8]) {
    unsafe span.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
}
