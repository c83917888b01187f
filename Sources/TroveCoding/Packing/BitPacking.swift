// Numbers with equally many bits each, side by side.
//
//     packed = the bits of each number, the lowest first, padded with zeros to a whole byte
//
// The bytes of a number are read at once, so a number has 57 bits at most.

/// The packing of unsigned numbers into a fixed number of bits each.
@usableFromInline
package enum BitPacking {
    /// The greatest number of bits of a packed number.
    @usableFromInline package static let bitLimit = 57

    /// Returns the number of bytes of packed numbers.
    @inlinable
    @inline(__always)
    package static func size(count: Int, bits: Int) -> Int { (count &* bits &+ 7) &>> 3 }

    /// Returns the number of bits that a number needs: 0 for 0.
    @inlinable
    @inline(__always)
    package static func bits(of number: UInt64) -> Int { 64 - number.leadingZeroBitCount }

    /// Appends numbers to bytes.
    ///
    /// - Parameters:
    ///   - count: The number of numbers.
    ///   - bits: The bits of each number, at most ``bitLimit``.
    ///   - bytes: Receives the packed numbers.
    ///   - number: Returns the number at an index, which has at most `bits` bits.
    @inlinable
    @inline(__always)
    package static func append(
        count: Int, bits: Int, to bytes: inout [UInt8], _ number: (_ index: Int) -> UInt64
    ) {
        guard bits > 0 else { return }
        var pending: UInt64 = 0
        var pendingBits = 0
        for index in 0..<count {
            pending |= number(index) &<< UInt64(pendingBits)
            pendingBits &+= bits
            while pendingBits >= 8 {
                bytes.append(UInt8(truncatingIfNeeded: pending))
                pending &>>= 8
                pendingBits &-= 8
            }
        }
        if pendingBits > 0 { bytes.append(UInt8(truncatingIfNeeded: pending)) }
    }

    /// Reads packed numbers.
    ///
    /// - Parameters:
    ///   - bytes: Begins with the packed numbers. Bytes after them are not part of the result.
    ///   - bits: The bits of each number, at most ``bitLimit``.
    ///   - count: The number of numbers.
    ///   - numbers: Receives the numbers.
    ///   - start: The index of the first number in `numbers`.
    ///   - stride: The distance of two numbers in `numbers`, which has an element for each number.
    /// - Throws: `truncated` if the bytes end before the numbers do.
    @inlinable
    package static func unpack<Number: FixedWidthInteger & UnsignedInteger>(
        _ bytes: RawSpan, bits: Int, count: Int, into numbers: inout [Number], from start: Int = 0, stride: Int = 1
    ) throws(CodingError) {
        guard bits >= 0, bits <= bitLimit, count >= 0, start >= 0, stride > 0,
            count == 0 || start + (count - 1) * stride < numbers.count
        else { throw CodingError(.malformed(expected: "at most \(bitLimit) bits for each number")) }
        let size = size(count: count, bits: bits)
        guard bytes.byteCount >= size else {
            throw CodingError(.truncated(needed: size, available: bytes.byteCount))
        }
        unsafe numbers.withUnsafeMutableBufferPointer { numbers in
            unsafe bytes.withUnsafeBytes { bytes in
                unsafe unpack(bytes, bits: bits, count: count, into: numbers, from: start, stride: stride)
            }
        }
    }

    @inlinable
    @inline(__always)
    static func unpack<Number: FixedWidthInteger & UnsignedInteger>(
        _ bytes: UnsafeRawBufferPointer, bits: Int, count: Int,
        into numbers: UnsafeMutableBufferPointer<Number>, from start: Int, stride: Int
    ) {
        let mask = (UInt64(1) &<< UInt64(bits)) &- 1
        // The numbers whose eight bytes all lie inside.
        let wide = bits > 0 && bytes.count >= 8 ? min(count, ((bytes.count - 8) * 8 + 7) / bits + 1) : 0
        for index in 0..<wide {
            let bit = index &* bits
            let word = UInt64(
                littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: bit &>> 3, as: UInt64.self))
            unsafe numbers[start &+ index &* stride] = Number(
                truncatingIfNeeded: (word &>> UInt64(bit & 7)) & mask)
        }
        for index in wide..<count {
            let bit = index &* bits
            var word: UInt64 = 0
            for offset in 0..<min(8, bytes.count - bit &>> 3) {
                word |= UInt64(unsafe bytes[bit &>> 3 &+ offset]) &<< UInt64(8 &* offset)
            }
            unsafe numbers[start &+ index &* stride] = Number(
                truncatingIfNeeded: (word &>> UInt64(bit & 7)) & mask)
        }
    }
}
