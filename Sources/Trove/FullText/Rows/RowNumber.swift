// The numbers of records and words in the keys and values of full text.
//
//     number = 5 bytes, big-endian: the order of the bytes is the order of the numbers

import LMDB

/// The stored form of the number of a record or a word. Numbers begin at 1 and are never reused.
enum RowNumber {
    static let size = 5
    /// The first number that has no stored form.
    static let limit: UInt64 = 1 << 40

    /// Appends a number.
    static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        for shift in stride(from: UInt64(32), through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: number &>> shift))
        }
    }

    /// Writes a number over the bytes at an offset.
    @inline(__always)
    static func write(_ number: UInt64, into bytes: inout [UInt8], at offset: Int) {
        for index in 0..<size {
            bytes[offset + index] = UInt8(truncatingIfNeeded: number &>> UInt64(32 - 8 * index))
        }
    }

    /// Reads the number at an offset. Missing bytes count as 0.
    @inline(__always)
    static func read(_ bytes: ByteView, at offset: Int = 0) -> UInt64 {
        bytes.dropFirst(offset).head &>> 24
    }
}
