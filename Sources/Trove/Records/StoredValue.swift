// The bytes of a stored record: a header, and the fields written by its type.
//
//     value    = fieldsVersion checksum fields
//     fieldsVersion = 4 bytes, little-endian
//     checksum = 4 bytes, little-endian: CRC32C over the table's identity, the key, fieldsVersion and the fields
//     fields   = the output of the type's encodeFields(into:)

import LMDB
import TroveCoding

/// The header of a stored value: the version of the fields, and a checksum.
@usableFromInline
package enum StoredValue {
    /// The number of bytes before the fields.
    @inlinable
    static var headerSize: Int { 8 }

    /// The maximum number of bytes of the fields.
    @inlinable
    static var largestFields: Int { Environment.maximumValueSize - headerSize }

    /// Creates the error for fields that are too large.
    @usableFromInline
    @inline(never)
    static func tooLarge(_ size: Int) -> CodingError {
        CodingError(.valueTooLarge(size: size, limit: largestFields))
    }

    private static let checksumOffset = 4

    // MARK: Reading

    /// Returns the version of a value's fields; nil for a value without a header.
    @inlinable
    @inline(__always)
    static func version(of value: ByteView) -> UInt32? {
        value.count >= headerSize ? value.integer(at: 0, as: UInt32.self) : nil
    }

    /// Returns the version of a value's fields; nil for a value without a header.
    static func version(of value: RawSpan) -> UInt32? { ByteView.with(value, version(of:)) }

    /// Returns the fields of a value with a header.
    @inlinable
    @inline(__always)
    static func fields(of value: ByteView) -> ByteView { value[headerSize..<value.count] }

    /// Creates the error for a value without a header.
    @usableFromInline
    static func missingHeader(_ size: Int) -> CodingError {
        CodingError(.truncated(needed: headerSize, available: size))
    }

    // MARK: Writing

    /// Returns the size of a value with that many bytes of fields.
    static func size(fields: Int) -> Int { headerSize &+ max(0, fields) }

    /// Writes the header of a value, after its fields.
    ///
    /// - Parameters:
    ///   - value: The whole value, in place.
    ///   - fieldsVersion: The version of the fields.
    ///   - key: The record's key.
    ///   - seed: The checksum of the table's identity.
    static func seal(_ value: inout MutableRawSpan, _ fieldsVersion: UInt32, key: RawSpan, seed: CRC32C) {
        value.storeBytes(of: fieldsVersion.littleEndian, toByteOffset: 0, as: UInt32.self)
        let checksum = checksum(of: value.bytes, key: key, seed: seed)
        value.storeBytes(of: checksum.littleEndian, toByteOffset: checksumOffset, as: UInt32.self)
    }

    /// Writes the header of a value outside its page.
    static func seal(_ value: inout [UInt8], _ fieldsVersion: UInt32, key: RawSpan, seed: CRC32C) {
        value.withMutableRawSpan { seal(&$0, fieldsVersion, key: key, seed: seed) }
    }

    /// Writes the header of a value outside its page.
    package static func seal(_ value: inout [UInt8], _ fieldsVersion: UInt32, key: [UInt8], seed: CRC32C) {
        key.withRawSpan { seal(&value, fieldsVersion, key: $0, seed: seed) }
    }

    /// Returns whether a value passes its checksum.
    static func isIntact(_ value: RawSpan, key: RawSpan, seed: CRC32C) -> Bool {
        guard value.byteCount >= headerSize else { return false }
        return storedChecksum(of: value) == checksum(of: value, key: key, seed: seed)
    }

    /// Returns whether a value in a file passes its checksum; nil if the value could not be read.
    static func isIntact(_ value: FileValue, key: [UInt8], seed: CRC32C) -> Bool? {
        guard value.size >= headerSize else { return false }
        var checksum = seed
        checksum.update(key)
        // The first piece holds at least the header.
        var stored: UInt32?
        let isRead = value.forEachPiece { piece in
            if stored == nil {
                stored = storedChecksum(of: piece)
                checksum.update(piece.extracting(first: checksumOffset))
                checksum.update(piece.extracting(droppingFirst: headerSize))
            } else {
                checksum.update(piece)
            }
        }
        return isRead ? stored == checksum.value : nil
    }

    private static func storedChecksum(of value: RawSpan) -> UInt32 {
        ByteView.with(value) { $0.integer(at: checksumOffset, as: UInt32.self) }
    }

    private static func checksum(of value: RawSpan, key: RawSpan, seed: CRC32C) -> UInt32 {
        var checksum = seed
        checksum.update(
            key, value.extracting(first: checksumOffset), value.extracting(droppingFirst: headerSize))
        return checksum.value
    }
}
