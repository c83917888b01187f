// Reads stored records in their own layouts, without the Swift type.

import LMDB
import TroveCoding

/// Reads the stored records of a type, each in its own layout.
struct StoredRecordReader {
    private let type: StoredType
    private var layouts: [UInt32: RecordLayout] = [:]
    /// The size of the values read so far, in bytes.
    private(set) var readBytes = 0

    init(_ type: StoredType) { self.type = type }

    /// Returns an intact record.
    ///
    /// - Parameter version: The version of the record's layout.
    mutating func record(_ key: RawSpan, _ value: RawSpan, version: UInt32) throws -> StoredRecord {
        let layout = try layouts[version] ?? type.layout(of: version)
        layouts[version] = layout
        readBytes += value.byteCount
        do throws(CodingError) {
            let fields = try layout.read(key: key, fields: value.extracting(droppingFirst: StoredValue.headerSize))
            return StoredRecord(fieldsVersion: version, key: copiedBytes(key), fields: fields)
        } catch {
            throw StoreError(reading: type.storedKey(copiedBytes(key)), error)
        }
    }

    /// Returns the record with a key, after verifying its checksum; nil if there is none.
    mutating func record(_ key: [UInt8], in keyspace: Keyspace) throws -> StoredRecord? {
        var record: StoredRecord?
        _ = try keyspace.withEntry(type.records, key) { key, value in
            guard let version = try type.version(of: value, key: key) else { return }
            record = try self.record(key, value, version: version)
        }
        return record
    }
}

extension StoredType {
    /// Returns the version of a stored value, after verifying its checksum; nil for a value without a version.
    func version(of value: RawSpan, key: RawSpan) throws -> UInt32? {
        guard StoredValue.isIntact(value, key: key, seed: checksumSeed) else {
            throw StoreError.record(.checksumMismatch(type: name, key: storedKey(copiedBytes(key))))
        }
        return StoredValue.version(of: value)
    }
}
