// The bytes of a stored record: the fields that its type writes, after a header.
//
//     value    = fieldsVersion checksum fields
//     fieldsVersion = 4 bytes, little-endian
//     checksum = 4 bytes, little-endian: CRC32C over the table's identity, the key, fieldsVersion and the fields
//     fields   = the output of the type's encodeFields(into:)

import LMDB
import TroveCoding

@usableFromInline
enum StoredValue {
    /// The bytes before the fields.
    @inlinable
    static var headerSize: Int { 8 }

    /// Returns the version of a value's fields; nil for a value without a header.
    @inlinable
    @inline(__always)
    static func version(of value: ByteView) -> UInt32? {
        value.count >= headerSize ? value.littleEndianUInt32 : nil
    }

    /// Writes the header of a value whose fields are already written.
    ///
    /// - Parameters:
    ///   - value: The whole value, in place.
    ///   - fieldsVersion: The version of the fields.
    ///   - key: The record's key.
    ///   - seed: The checksum of the table's identity.
    static func seal(_ value: inout MutableRawSpan, _ fieldsVersion: UInt32, key: RawSpan, seed: CRC32C) {
        value.storeBytes(of: fieldsVersion.littleEndian, toByteOffset: 0, as: UInt32.self)
        let checksum = checksum(of: value.bytes, key: key, seed: seed)
        value.storeBytes(of: checksum.littleEndian, toByteOffset: 4, as: UInt32.self)
    }

    /// Writes the header of a value that is not in its page yet.
    static func seal(_ value: inout [UInt8], _ fieldsVersion: UInt32, key: [UInt8], seed: CRC32C) {
        unsafe value.withUnsafeMutableBytes { bytes in
            var bytes = unsafe bytes.mutableBytes
            seal(&bytes, fieldsVersion, key: unsafe key.span.bytes, seed: seed)
        }
    }

    /// Returns whether a value passes its checksum.
    static func isIntact(_ value: RawSpan, key: RawSpan, seed: CRC32C) -> Bool {
        guard value.byteCount >= headerSize else { return false }
        let stored = unsafe value.unsafeLoadUnaligned(fromByteOffset: 4, as: UInt32.self)
        return UInt32(littleEndian: stored) == checksum(of: value, key: key, seed: seed)
    }

    private static func checksum(of value: RawSpan, key: RawSpan, seed: CRC32C) -> UInt32 {
        var checksum = seed
        checksum.update(key, value.extracting(first: 4), value.extracting(droppingFirst: headerSize))
        return checksum.value
    }
}
