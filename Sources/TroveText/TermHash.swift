// The hash of fingerprints, which are stored: it never changes.

/// FNV-1a with 64 bits.
struct TermHash {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    /// Hashes a byte.
    @inline(__always)
    mutating func combine(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }

    /// Hashes bytes.
    mutating func combine(_ bytes: RawSpan) {
        for offset in 0..<bytes.byteCount { combine(bytes.byte(at: offset)) }
    }

    /// Hashes the bytes of an integer, the lowest first.
    mutating func combine(_ integer: Int) {
        for shift in stride(from: 0, to: 64, by: 8) { combine(UInt8(truncatingIfNeeded: integer &>> shift)) }
    }
}
