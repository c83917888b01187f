// The checksum before the content of each row of an index without entries.
//
//     value    = checksum content
//     checksum = 4 bytes, little-endian: CRC32C over the table's identity, the key and the content

import LMDB
import TroveCoding

/// The stored form of a row's content.
enum StoredRow {
    static let checksumSize = 4

    /// Removes the old bytes of a row, and makes room for the checksum. The content is appended next.
    @inline(__always)
    static func begin(_ row: inout [UInt8]) {
        row.removeAll(keepingCapacity: true)
        for _ in 0..<checksumSize { row.append(0) }
    }

    /// Writes the checksum of a row whose content is complete.
    static func seal(_ row: inout [UInt8], key: [UInt8], seed: CRC32C) {
        var checksum = seed
        key.withRawSpan { checksum.update($0) }
        row.withRawSpan { checksum.update($0.extracting(droppingFirst: checksumSize)) }
        let value = checksum.value.littleEndian
        row.withMutableRawSpan { $0.storeBytes(of: value, toByteOffset: 0, as: UInt32.self) }
    }

    /// Returns the content of a stored value.
    static func content(of value: ByteView) throws(CodingError) -> ByteView {
        guard value.count >= checksumSize else {
            throw CodingError(.truncated(needed: checksumSize, available: value.count))
        }
        return value.dropFirst(checksumSize)
    }

    /// Returns whether a stored value has its original bytes.
    static func isIntact(_ value: ByteView, key: ByteView, seed: CRC32C) -> Bool {
        guard value.count >= checksumSize else { return false }
        var checksum = seed
        key.withSpan { checksum.update($0) }
        value.dropFirst(checksumSize).withSpan { checksum.update($0) }
        return value.integer(at: 0, as: UInt32.self) == checksum.value
    }

    /// Returns whether a value in a file has its original bytes; nil if its bytes could not be read.
    static func isIntact(_ value: FileValue, key: [UInt8], seed: CRC32C) -> Bool? {
        guard value.size >= checksumSize else { return false }
        var checksum = seed
        checksum.update(key)
        // The first piece holds at least the checksum.
        var stored: UInt32?
        let isRead = value.forEachPiece { piece in
            if stored == nil {
                stored = ByteView.with(piece) { $0.integer(at: 0, as: UInt32.self) }
                checksum.update(piece.extracting(droppingFirst: checksumSize))
            } else {
                checksum.update(piece)
            }
        }
        return isRead ? stored == checksum.value : nil
    }
}
