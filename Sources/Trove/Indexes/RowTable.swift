// A table of rows with checksums of their own, and the errors of damaged rows. The rows are those of an index without
// entries, or the counts of a ranked index.

import LMDB
import TroveCoding

/// A table of the rows of an index, or of rows that the indexes of a type share.
final class RowTable: Sendable {
    let database: Database
    /// The names of the type and of the index in errors.
    private let type: String
    private let index: String
    private let seed: CRC32C
    private let verifiesChecksums: Bool

    init(_ database: Database, _ name: TableName, type: String, index: String, verifiesChecksums: Bool) {
        self.database = database
        self.type = type
        self.index = index
        self.verifiesChecksums = verifiesChecksums
        seed = name.checksumSeed
    }

    // MARK: Reading

    /// Returns the content of a row in its page; nil if the key is absent. The bytes are valid until the transaction's
    /// end, in a write transaction until its next write.
    @inline(__always)
    func content(_ key: [UInt8], _ keyspace: Keyspace) throws -> ByteView? {
        try keyspace.check()
        guard let value = try key.withRawSpan({ (key) throws(LMDBError) in try keyspace.value(database, key) })
        else { return nil }
        return try ByteView.with(key) { try content(of: value, key: $0) }
    }

    /// Returns the content of a row whose checksum is verified in any store: a row that is read to be changed receives
    /// a new checksum, which would hide the damage.
    func verifiedContent(_ key: [UInt8], _ keyspace: Keyspace) throws -> ByteView? {
        try keyspace.check()
        guard let value = try key.withRawSpan({ (key) throws(LMDBError) in try keyspace.value(database, key) })
        else { return nil }
        guard ByteView.with(key, { isIntact(value, key: $0) }) else { throw damaged(key) }
        return value.dropFirst(StoredRow.checksumSize)
    }

    /// Returns the content of a stored value.
    ///
    /// - Throws: ``StoreError/RecordError/indexDamaged(type:index:key:)`` without room for a checksum, or for a wrong
    ///   checksum if checksums are verified.
    @inline(__always)
    func content(of value: ByteView, key: ByteView) throws -> ByteView {
        guard value.count >= StoredRow.checksumSize, !verifiesChecksums || isIntact(value, key: key) else {
            throw damaged(key)
        }
        return value.dropFirst(StoredRow.checksumSize)
    }

    /// Returns whether a stored value has its original bytes.
    func isIntact(_ value: ByteView, key: ByteView) -> Bool { StoredRow.isIntact(value, key: key, seed: seed) }

    /// Returns whether the row of a key has its original bytes, or does not exist.
    func isSound(_ key: [UInt8], _ keyspace: Keyspace) throws -> Bool {
        try keyspace.check()
        guard let value = try key.withRawSpan({ (key) throws(LMDBError) in try keyspace.value(database, key) })
        else { return true }
        return ByteView.with(key) { isIntact(value, key: $0) }
    }

    /// Returns the error for a row that no writer would have written.
    func damaged(_ key: ByteView) -> StoreError {
        .record(.indexDamaged(type: type, index: index, key: StoredKey(key.copy(), of: type)))
    }

    /// Returns the error for a row that no writer would have written.
    func damaged(_ key: [UInt8]) -> StoreError { ByteView.with(key) { damaged($0) } }

    /// The error for a number that has no stored form.
    var exhausted: StoreError { .text(.idsExhausted(type: type, index: index)) }

    /// Calls a closure that reads the row of a key, and converts its errors.
    @inline(__always)
    func reading<R>(_ key: [UInt8], _ body: () throws(CodingError) -> R) throws -> R {
        do throws(CodingError) {
            return try body()
        } catch {
            throw damaged(key)
        }
    }

    /// Calls a closure that reads the row of a key, and converts its errors.
    @inline(__always)
    func reading<R>(_ key: ByteView, _ body: () throws(CodingError) -> R) throws -> R {
        do throws(CodingError) {
            return try body()
        } catch {
            throw damaged(key)
        }
    }

    /// Reads all rows.
    ///
    /// - Throws: ``StoreError/RecordError/indexDamaged(type:index:key:)`` for the first row that fails its checksum.
    func verify(_ keyspace: Keyspace) throws {
        try keyspace.scan(database, ScanRange()) { key, value in
            try ByteView.with(key) { key in
                try ByteView.with(value) { if !isIntact($0, key: key) { throw damaged(key) } }
            }
            return .continue
        }
    }

    // MARK: Writing

    /// Stores a row with its checksum.
    ///
    /// - Parameter row: The row with an unset checksum; see ``StoredRow/begin(_:)``.
    func put(
        _ key: [UInt8], _ row: inout [UInt8], _ keyspace: Keyspace, mode: TransactionCore.PutMode = .replaceNext
    ) throws {
        StoredRow.seal(&row, key: key, seed: seed)
        try keyspace.put(database, key, row, mode: mode)
    }
}
