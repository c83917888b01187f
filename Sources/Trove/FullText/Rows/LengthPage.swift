// The lengths of 2,032 records: an overflow page of the engine.
//
//     key     = record number / 2,032 (4 bytes, big-endian)
//     content = 2,032 × length(2), little-endian
//
// A length is the number of words in all fields: 0 for no words, and for no record; FFFF for FFFF or more words, whose
// number is in the document.

import LMDB
import TroveCoding

/// The stored form of lengths.
enum LengthPage {
    /// The number of lengths in a page.
    static let capacity: UInt64 = 2032
    static let size = 2 * Int(capacity)
    /// The length stored for itself and all greater lengths.
    static let greatest = UInt16.max

    /// Replaces the bytes of a key by the key of a page.
    static func writeKey(_ page: UInt64, to key: inout [UInt8]) {
        key.removeAll(keepingCapacity: true)
        for shift in stride(from: UInt64(24), through: 0, by: -8) {
            key.append(UInt8(truncatingIfNeeded: page >> shift))
        }
    }

    /// Returns the stored length of a record of a page.
    static func length(_ id: UInt64, in content: ByteView) throws(CodingError) -> UInt16 {
        guard content.count == size else {
            throw CodingError(.truncated(needed: size, available: content.count))
        }
        return content.integer(at: 2 * Int(id % capacity), as: UInt16.self)
    }

    /// Sets the length of a record in a row.
    static func set(_ length: UInt64, of id: UInt64, in row: inout [UInt8]) {
        let offset = StoredRow.checksumSize + 2 * Int(id % capacity)
        let length = UInt16(clamping: length)
        row[offset] = UInt8(truncatingIfNeeded: length)
        row[offset + 1] = UInt8(truncatingIfNeeded: length >> 8)
    }
}
