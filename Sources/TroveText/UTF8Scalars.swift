// Scalars in UTF-8. Reading accepts any bytes.

extension RawSpan {
    /// Returns the scalar that begins at an offset of the span, and the number of its bytes. Bytes that are not UTF-8
    /// count as U+FFFD, a single byte each.
    @inline(__always)
    package func scalar(at offset: Int) -> (value: UInt32, count: Int) {
        let first = byte(at: offset)
        return first < 0x80 ? (UInt32(first), 1) : longScalar(first, at: offset)
    }

    private func longScalar(_ first: UInt8, at offset: Int) -> (value: UInt32, count: Int) {
        let invalid: (UInt32, Int) = (0xFFFD, 1)
        let count = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        guard first >= 0xC2, first < 0xF5, byteCount - offset >= count else { return invalid }
        var value = UInt32(first) & (0x7F &>> UInt32(count))
        for index in 1..<count {
            let byte = byte(at: offset &+ index)
            guard byte & 0xC0 == 0x80 else { return invalid }
            value = value &<< 6 | UInt32(byte & 0x3F)
        }
        switch count {
        case 3: guard value >= 0x800, value & 0xFFFF_F800 != 0xD800 else { return invalid }
        case 4: guard value >= 0x1_0000, value <= 0x10_FFFF else { return invalid }
        default: break
        }
        return (value, count)
    }
}

extension Array where Element == UInt8 {
    /// Appends a scalar as UTF-8.
    @inline(__always)
    package mutating func append(scalar: UInt32) {
        if scalar < 0x80 { append(UInt8(truncatingIfNeeded: scalar)) } else { append(longScalar: scalar) }
    }

    private mutating func append(longScalar scalar: UInt32) {
        func tail(_ shift: UInt32) -> UInt8 { 0x80 | UInt8(truncatingIfNeeded: scalar &>> shift) & 0x3F }
        if scalar < 0x800 {
            append(0xC0 | UInt8(truncatingIfNeeded: scalar &>> 6))
        } else {
            if scalar < 0x1_0000 {
                append(0xE0 | UInt8(truncatingIfNeeded: scalar &>> 12))
            } else {
                append(0xF0 | UInt8(truncatingIfNeeded: scalar &>> 18) & 0x07)
                append(tail(12))
            }
            append(tail(6))
        }
        append(tail(0))
    }
}
