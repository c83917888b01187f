// The bytes of a stored record, around the fields that its type writes.
//
//     value    = fieldsVersion checksum fields
//     fieldsVersion = 4 bytes, little-endian
//     checksum = 4 bytes, little-endian: CRC32C over the table's identity, the key, fieldsVersion and the fields
//     fields   = what the type's encodeFields(into:) writes

import LMDB
import TroveCoding

@usableFromInline
enum StoredValue {
    /// The bytes before the fields.
    @inlinable
    static var headerSize: Int { 8 }

    /// The version of a value's fields; nil where it has none.
    @unsafe static func version(of value: UnsafeRawBufferPointer) -> UInt32? {
        guard value.count >= headerSize else { return nil }
        return UInt32(littleEndian: unsafe value.loadUnaligned(as: UInt32.self))
    }

    /// Fills in what stands before the fields of a value, which are written.
    ///
    /// - Parameters:
    ///   - value: The whole value, in place.
    ///   - fieldsVersion: The version of its fields.
    ///   - key: Its key.
    ///   - seed: The checksum of the table's identity.
    static func seal(_ value: inout MutableRawSpan, _ fieldsVersion: UInt32, key: RawSpan, seed: CRC32C) {
        value.storeBytes(of: fieldsVersion.littleEndian, toByteOffset: 0, as: UInt32.self)
        let checksum = checksum(of: value.bytes, key: key, seed: seed)
        value.storeBytes(of: checksum.littleEndian, toByteOffset: 4, as: UInt32.self)
    }

    /// Whether a value is what was sealed.
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
