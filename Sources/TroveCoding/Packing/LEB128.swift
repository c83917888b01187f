// Unsigned numbers in as many bytes as they need: 7 bits a byte, the lowest first, all bytes but the last from 80 on.
//
// `ValueReader.readLength()` reads them.

/// The writing of unsigned LEB128 numbers.
@usableFromInline
package enum LEB128 {
    /// Appends a number in its shortest form.
    @inlinable
    @inline(__always)
    package static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest &>>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// Appends a number in its shortest form. The number is not negative.
    @inlinable
    @inline(__always)
    package static func append(_ number: Int, to bytes: inout [UInt8]) { append(UInt64(number), to: &bytes) }

    /// Returns the number of bytes of a number.
    @inlinable
    @inline(__always)
    package static func size(of number: UInt64) -> Int { max(1, (BitPacking.bits(of: number) + 6) / 7) }
}

extension ValueReader {
    /// Reads and returns an unsigned LEB128 number of at most a value.
    ///
    /// - Throws: `malformed` if the number is not in its shortest form, or greater than the value.
    @inlinable
    @inline(__always)
    package mutating func readNumber(atMost limit: UInt64) throws(CodingError) -> UInt64 {
        let start = offset
        let number = UInt64(try readLength())
        guard number <= limit else { try failMalformed("a number of at most \(limit)", at: start) }
        return number
    }
}
