// Decodes stored records, and creates the errors of failed decoding.

import LMDB
import TroveCoding

extension RecordTable {
    /// Throws if the value fails its checksum.
    func verify(_ key: RawSpan, _ value: RawSpan) throws {
        guard isIntact(key, value) else {
            throw StoreError.record(.checksumMismatch(type: schema.name, key: storedKey(copiedBytes(key))))
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

extension RecordTable {
    /// Creates the error for a stored value that failed to decode: an intact one is refused by the record's type.
    @usableFromInline
    func undecodable(_ key: ByteView, _ value: ByteView, _ reason: CodingError) -> StoreError {
        key.withSpan { key in value.withSpan { undecodable(key, $0, reason) } }
    }

    private func undecodable(_ key: RawSpan, _ value: RawSpan, _ reason: CodingError) -> StoreError {
        let error = corrupted(key, reason)
        guard case .record(.corrupted) = error, isIntact(key, value) else { return error }
        let isCurrent = StoredValue.version(of: value) == fieldsVersion
        let fields = value.extracting(droppingFirst: StoredValue.headerSize)
        return .record(
            .unreadable(
                type: schema.name, key: storedKey(copiedBytes(key)),
                field: isCurrent ? schema.propertyName(at: reason.offset, key, fields) : "", reason: reason))
    }
}

extension RecordSchema {
    /// Returns the name of the property that failed to decode; an empty text if it is not known.
    ///
    /// - Parameter offset: The offset of the error, in the key or in the fields.
    fileprivate func propertyName(at offset: Int, _ key: RawSpan, _ fields: RawSpan) -> String {
        if let component = unreadableComponent(of: key) { return component }
        do throws(CodingError) {
            let layout = try parsedLayout()
            return layout.unknownPart == nil ? layout.fieldName(at: offset, in: fields) : ""
        } catch {
            return ""
        }
    }

    /// Returns the name of the first key component that its type cannot read; nil if there is none.
    private func unreadableComponent(of bytes: RawSpan) -> String? {
        func read<Component: KeyComponent>(
            _ type: Component.Type, _ reader: inout KeyReader
        ) throws(CodingError) { _ = try Component(decodingKey: &reader) }
        var name: String?
        do throws(CodingError) {
            try KeyReader.read(bytes) { (reader) throws(CodingError) in
                for component in key {
                    name = component.name
                    try read(component.type, &reader)
                }
            }
            return nil
        } catch {
            return name
        }
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
        guard version == table.fieldsVersion else { return try migrate(key, value: value, from: version, in: table) }
        var reader = RecordReader(key: key, fields: fields)
        do throws(CodingError) {
            let record = try Self(decoding: &reader)
            try reader.finish()
            return record
        } catch {
            throw table.undecodable(key, value, error)
        }
    }

    /// Decodes a stored record of an older layout.
    @usableFromInline
    static func migrate(
        _ key: ByteView, value: ByteView, from version: UInt32, in table: RecordTable
    ) throws -> Self {
        do {
            return try key.withSpan { key in
                try StoredValue.fields(of: value).withSpan { try migrate(key, $0, from: version, in: table) }
            }
        } catch StoreError.record(.corrupted(_, _, let reason)) {
            throw table.undecodable(key, value, reason)
        }
    }
}
