// Decodes stored records, and creates the errors of failed decoding.

import LMDB
import TroveCoding

extension RecordTable {
    /// Throws if the value fails its checksum.
    func verify(_ key: RawSpan, _ value: RawSpan) throws {
        guard isIntact(key, value) else {
            throw StoreError.checksumMismatch(type: schema.name, key: storedKey(copiedBytes(key)))
        }
    }

    /// Throws for a value with a wrong checksum.
    @usableFromInline
    func verify(_ key: ByteView, _ value: ByteView) throws {
        try key.withSpan { key in try value.withSpan { try verify(key, $0) } }
    }

    /// Throws for an entry with a wrong checksum.
    func verify(_ entry: Entry) throws { try verify(entry.key, entry.value) }

    /// Returns whether a stored value passes its checksum.
    func isIntact(_ entry: Entry) -> Bool {
        entry.key.withSpan { key in entry.value.withSpan { isIntact(key, $0) } }
    }

    /// Returns whether a stored value passes its checksum.
    func isIntact(_ key: RawSpan, _ value: RawSpan) -> Bool {
        StoredValue.isIntact(value, key: key, seed: checksumSeed)
    }

    /// Returns the version of a stored value. Throws if the value has no header.
    func version(of key: RawSpan, _ value: RawSpan) throws -> UInt32 {
        guard let version = StoredValue.version(of: value) else {
            throw corrupted(key, StoredValue.missingHeader(value.byteCount))
        }
        return version
    }

    /// Creates the error for a record that failed to decode.
    @usableFromInline
    func corrupted(_ key: ByteView, _ reason: CodingError) -> StoreError {
        StoreError(reading: storedKey(key.copy()), reason)
    }

    /// Creates the error for a record that failed to decode.
    @usableFromInline
    func corrupted(_ key: RawSpan, _ reason: CodingError) -> StoreError {
        StoreError(reading: storedKey(copiedBytes(key)), reason)
    }
}

extension IndexKeyRecord {
    /// Decodes a stored record.
    @inlinable
    @inline(__always)
    static func decode(_ entry: Entry, _ table: RecordTable) throws -> Self {
        try decode(entry.key, entry.value, table)
    }

    /// Decodes a stored record from its key and its value.
    @inlinable
    @inline(__always)
    static func decode(_ key: RawSpan, _ value: RawSpan, _ table: RecordTable) throws -> Self {
        try ByteView.with(key) { key in try ByteView.with(value) { value in try decode(key, value, table) } }
    }

    /// Decodes a stored record.
    @inlinable
    @inline(__always)
    static func decode(_ key: ByteView, _ value: ByteView, _ table: RecordTable) throws -> Self {
        guard let version = StoredValue.version(of: value) else {
            throw table.corrupted(key, StoredValue.missingHeader(value.count))
        }
        if table.verifiesChecksums { try table.verify(key, value) }
        let fields = StoredValue.fields(of: value)
        guard version == table.fieldsVersion else { return try migrate(key, fields, version, table) }
        var reader = RecordReader(key: key, fields: fields)
        do throws(CodingError) {
            let record = try Self(decoding: &reader)
            try reader.finish()
            return record
        } catch {
            throw table.corrupted(key, error)
        }
    }

    /// Decodes a record of an older layout.
    @usableFromInline
    static func migrate(_ key: ByteView, _ fields: ByteView, _ version: UInt32, _ table: RecordTable) throws -> Self {
        try key.withSpan { key in try fields.withSpan { try migrate(key, $0, version, table) } }
    }

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
