// The write transaction: what reading transactions can, and change.

/// The one write transaction of an environment, on one thread, for the length of a closure.
public struct WriteTransaction: Transaction, ~Copyable {
    /// What stands behind the transaction. Not for use.
    public let core: TransactionAccess

    init(core: TransactionCore, lease: UInt64) {
        self.core = TransactionAccess(core: core, lease: lease)
    }
}

extension WriteTransaction {
    /// Creates a database, or gives the one that exists.
    ///
    /// - Throws: ``LMDBError/Code/tooManyDatabases`` with the limit.
    public func createDatabase(_ name: String) throws(LMDBError) -> Database {
        try core.checked().createDatabase(name)
    }

    /// Stores a value for a key, and replaces one that is there.
    ///
    /// - Throws: ``LMDBError/Code/badKeySize`` for a key that is empty or longer than 511 bytes: nothing is written
    ///   then, and the transaction stays usable. ``LMDBError/Code/mapFull``: the transaction cannot commit any more.
    /// - Complexity: O(log *n*); O(1) for a key that sorts last.
    public func put(_ value: [UInt8], for key: [UInt8], in database: Database) throws {
        try put(unsafe key.span.bytes, size: value.count, in: database) { destination in
            copyBytes(unsafe value.span.bytes, into: &destination)
        }
    }

    /// Reserves room for a value, which a closure writes straight into the map.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - size: The size of the value in bytes.
    ///   - database: Where to store it.
    ///   - fill: Writes the value. When it throws, the transaction cannot commit any more.
    public func put(
        _ key: RawSpan, size: Int, in database: Database, _ fill: (inout MutableRawSpan) throws -> Void
    ) throws {
        _ = try core.checked().put(database, key, size: size, mode: .replace, fill)
    }

    /// Stores a value for a key that is not there yet.
    ///
    /// - Returns: False when the key is there; its value stays.
    public func putIfAbsent(_ value: [UInt8], for key: [UInt8], in database: Database) throws -> Bool {
        try core.checked().put(database, unsafe key.span.bytes, size: value.count, mode: .keep) { destination in
            copyBytes(unsafe value.span.bytes, into: &destination)
        }
    }

    /// Stores a value for a key that must sort after all others.
    ///
    /// - Throws: ``LMDBError/Code/notAscending`` when it does not; the transaction stays usable.
    public func append(_ value: [UInt8], for key: [UInt8], in database: Database) throws {
        let core = try core.checked()
        guard try core.sortsLast(database, unsafe key.span.bytes) else {
            throw core.refused(.notAscending, in: "append", database)
        }
        try put(value, for: key, in: database)
    }

    /// Removes a key.
    ///
    /// - Returns: Whether it was there.
    @discardableResult
    public func delete(_ key: [UInt8], from database: Database) throws(LMDBError) -> Bool {
        try core.checked().delete(database, unsafe key.span.bytes)
    }

    /// Removes every key of a range.
    ///
    /// - Returns: How many there were.
    @discardableResult
    public func delete(_ range: ScanRange, from database: Database) throws(LMDBError) -> Int {
        try core.checked().deleteRange(database, range)
    }

    /// Removes every key of a database at once. The database stays; its pages are free for use two transactions later.
    public func removeAll(from database: Database) throws(LMDBError) {
        try core.checked().removeAll(database)
    }

    /// Runs a closure in a transaction within this one, which takes effect when it returns, and is undone alone when
    /// it throws.
    ///
    /// This transaction cannot be used until the closure returns. It takes about a microsecond.
    public func nested<R>(_ body: (borrowing WriteTransaction) throws -> R) throws -> R {
        let child = try core.checked().beginNested()
        defer { child.endNested() }
        let result = try body(WriteTransaction(core: child, lease: child.currentLease))
        try child.commit()
        return result
    }
}

/// Copies as many bytes as both have.
///
/// - Parameter offset: Where they go.
package func copyBytes(_ source: RawSpan, into destination: inout MutableRawSpan, at offset: Int = 0) {
    unsafe destination.withUnsafeMutableBytes { destination in
        let destination = unsafe UnsafeMutableRawBufferPointer(rebasing: destination.dropFirst(offset))
        unsafe source.withUnsafeBytes { source in
            unsafe destination.copyMemory(from: UnsafeRawBufferPointer(rebasing: source.prefix(destination.count)))
        }
    }
}
