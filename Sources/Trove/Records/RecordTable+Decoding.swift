// Decodes stored records, and creates the errors for records that fail to decode.

import LMDB
import TroveCoding

extension RecordTable {
    /// Throws if the value fails its checksum.
    @usableFromInline
    func verify(_ key: RawSpan, _ value: RawSpan) throws {
        guard StoredValue.isIntact(value, key: key, seed: checksumSeed) else {
            throw StoreError.checksumMismatch(type: schema.name, key: copiedBytes(key))
        }
    }

    /// Returns whether a stored value passes its checksum.
    func isIntact(_ entry: Entry) -> Bool {
        entry.key.withSpan { key in entry.value.withSpan { isIntact(key, $0) } }
    }

    /// Returns whether a stored value passes its checksum.
    func isIntact(_ key: RawSpan, _ value: RawSpan) -> Bool {
        StoredValue.isIntact(value, key: key, seed: checksumSeed)
    }

    /// Throws if the value fails its checksum.
    func verify(_ entry: Entry) throws {
        try entry.key.withSpan { key in try entry.value.withSpan { try verify(key, $0) } }
    }

    /// Returns the error of a record that failed to decode.
    @usableFromInline
    func corrupted(_ key: ByteView, _ reason: CodingError) -> StoreError {
        StoreError(reading: schema.name, key: key.copy(), reason)
    }

    /// Returns the error of a record that failed to decode.
    @usableFromInline
    func corrupted(_ key: RawSpan, _ reason: CodingError) -> StoreError {
        StoreError(reading: schema.name, key: copiedBytes(key), reason)
    }

    @usableFromInline
    func tooShort(_ value: RawSpan) -> CodingError {
        CodingError(.truncated(needed: StoredValue.headerSize, available: value.byteCount))
    }
}

extension IndexKeyRecord {
    /// Decodes a stored record.
    @inlinable
    @inline(__always)
    static func decode(_ entry: Entry, _ table: RecordTable) throws -> Self {
        try unsafe decode(entry.key.pointer.bytes, entry.value.pointer.bytes, table)
    }

    /// Decodes a stored record from its key and its value.
    @inlinable
    @inline(__always)
    static func decode(_ key: RawSpan, _ value: RawSpan, _ table: RecordTable) throws -> Self {
        guard value.byteCount >= StoredValue.headerSize else { throw table.corrupted(key, table.tooShort(value)) }
        if table.verifiesChecksums { try table.verify(key, value) }
        let version = UInt32(littleEndian: unsafe value.unsafeLoadUnaligned(as: UInt32.self))
        let fields = value.extracting(droppingFirst: StoredValue.headerSize)
        guard version == table.fieldsVersion else { return try migrate(key, fields, version, table) }
        return try unsafe key.withUnsafeBytes { keyBytes in
            try unsafe fields.withUnsafeBytes { fieldBytes in
                var reader = unsafe RecordReader(key: keyBytes, fields: fieldBytes)
                do throws(CodingError) {
                    let record = try Self(decoding: &reader)
                    try reader.finish()
                    return record
                } catch {
                    throw table.corrupted(key, error)
                }
            }
        }
    }
}

extension IndexKeyRecord {
    /// Decodes a stored record; nil if it is damaged and fails to decode.
    static func decodeUnlessDamaged(_ key: RawSpan, _ value: RawSpan, _ table: RecordTable) throws -> Self? {
        do {
            return try decode(key, value, table)
        } catch {
            // An intact record that fails to decode is not damaged: a later program may be able to decode it.
            if table.isIntact(key, value) { throw error }
            return nil
        }
    }
}
