// The write transaction: reading and writing.

/// The single write transaction of an environment, on one thread, for the duration of a closure.
public struct WriteTransaction: Transaction, ~Copyable {
    /// The internals of the transaction. Not for use.
    public let core: TransactionAccess

    init(core: TransactionCore, lease: UInt64) {
        self.core = TransactionAccess(core: core, lease: lease)
    }
}

extension WriteTransaction {
    /// Creates a database, or returns the existing database.
    ///
    /// - Throws: ``LMDBError/Code/tooManyDatabases`` with the limit.
    public func createDatabase(_ name: String) throws(LMDBError) -> Database {
        try core.checked().createDatabase(name)
    }

    /// Stores a value for a key, and replaces an existing value.
    ///
    /// - Throws: ``LMDBError/Code/badKeySize`` for an empty key or a key longer than 511 bytes. In this case nothing is
    ///   written, and the transaction stays usable. After ``LMDBError/Code/mapFull``, the transaction can no longer
    ///   commit.
    /// - Complexity: O(log *n*); O(1) for the last key in order.
    public func put(_ value: [UInt8], for key: [UInt8], in database: Database) throws {
        try put(unsafe key.span.bytes, size: value.count, in: database) { destination in
            copyBytes(unsafe value.span.bytes, into: &destination)
        }
    }

    /// Reserves space for a value. A closure writes the value directly into the map.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - size: The size of the value in bytes.
    ///   - database: The database to write to.
    ///   - fill: Writes the value. If it throws, the transaction can no longer commit.
    public func put(
        _ key: RawSpan, size: Int, in database: Database, _ fill: (inout MutableRawSpan) throws -> Void
    ) throws {
        _ = try core.checked().put(database, key, size: size, mode: .replace, fill)
    }

    /// Stores a value for a key unless the key exists.
    ///
    /// - Returns: False if the key exists already; its value is kept.
    public func putIfAbsent(_ value: [UInt8], for key: [UInt8], in database: Database) throws -> Bool {
        try core.checked().put(database, unsafe key.span.bytes, size: value.count, mode: .keep) { destination in
            copyBytes(unsafe value.span.bytes, into: &destination)
        }
    }

    /// Stores a value for a key that must sort after all other keys.
    ///
    /// - Throws: ``LMDBError/Code/notAscending`` if the key does not sort last; the transaction stays usable.
    public func append(_ value: [UInt8], for key: [UInt8], in database: Database) throws {
        let core = try core.checked()
        guard try core.sortsLast(database, unsafe key.span.bytes) else {
            throw core.refused(.notAscending, in: "append", database)
        }
        try put(value, for: key, in: database)
    }

    /// Removes a key.
    ///
    /// - Returns: Whether the key existed.
    @discardableResult
    public func delete(_ key: [UInt8], from database: Database) throws(LMDBError) -> Bool {
        try core.checked().delete(database, unsafe key.span.bytes)
    }

    /// Removes every key of a range.
    ///
    /// - Returns: The number of keys removed.
    @discardableResult
    public func delete(_ range: ScanRange, from database: Database) throws(LMDBError) -> Int {
        try core.checked().deleteRange(database, range)
    }

    /// Removes every key of a database at once. The database remains; its pages become reusable two transactions later.
    public func removeAll(from database: Database) throws(LMDBError) {
        try core.checked().removeAll(database)
    }

    /// Runs a closure in a nested transaction, which takes effect when the closure returns. If the closure throws, only
    /// the nested transaction is rolled back.
    ///
    /// The outer transaction cannot be used until the closure returns. A nested transaction costs about a microsecond.
    public func nested<R>(_ body: (borrowing WriteTransaction) throws -> R) throws -> R {
        let child = try core.checked().beginNested()
        defer { child.endNested() }
        let result = try body(WriteTransaction(core: child, lease: child.currentLease))
        try child.commit()
        return result
    }
}

/// Copies bytes up to the size of the smaller buffer.
///
/// - Parameter offset: The offset in the destination.
package func copyBytes(_ source: RawSpan, into destination: inout MutableRawSpan, at offset: Int = 0) {
    unsafe destination.withUnsafeMutableBytes { destination in
        let destination = unsafe UnsafeMutableRawBufferPointer(rebasing: destination.dropFirst(offset))
        unsafe source.withUnsafeBytes { source in
            unsafe destination.copyMemory(from: UnsafeRawBufferPointer(rebasing: source.prefix(destination.count)))
        }
    }
}
