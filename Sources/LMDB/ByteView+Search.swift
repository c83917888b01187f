// The search for bytes in bytes.

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension ByteView {
    /// Returns the offset of the first place of other bytes at or after an offset; nil if there is none. No bytes have
    /// no place.
    package func firstOffset(of other: ByteView, from start: Int = 0) -> Int? {
        var start = start
        guard start >= 0, let base = unsafe pointer.baseAddress,
            let pattern = unsafe other.pointer.baseAddress
        else { return nil }
        while other.count > 0, count - start >= other.count,
            let found = unsafe memchr(base + start, Int32(other[0]), count - start - other.count + 1)
        {
            if unsafe memcmp(found, pattern, other.count) == 0 { return unsafe UnsafeRawPointer(found) - base }
            start = unsafe UnsafeRawPointer(found) - base + 1
        }
        return nil
    }

    /// The byte at an offset, which the view has.
    @inlinable
    @inline(__always)
    package subscript(_ offset: Int) -> UInt8 { unsafe pointer[offset] }
}

extension ByteView {
    /// Whether the bytes have others as a part, ASCII letters in either case.
    ///
    /// - Parameter other: Bytes without upper case ASCII letters; not empty.
    package func contains(inAnyCase other: ByteView) -> Bool {
        guard other.count > 0 else { return true }
        let last = other.count - 1
        let (head, tail) = (EqualBytes(inAnyCase: other[0]), EqualBytes(inAnyCase: other[last]))
        var start = 0
        // Eight places at a time: only those with the first and the last byte are compared.
        while count - start >= last + 8 {
            let heads = head.marks(in: integer(at: start, as: UInt64.self))
            var places = heads & tail.marks(in: integer(at: start + last, as: UInt64.self))
            while places != 0 {
                if has(inAnyCase: other, at: start + places.trailingZeroBitCount / 8) { return true }
                places &= places - 1
            }
            start += 8
        }
        while count - start >= other.count {
            if has(inAnyCase: other, at: start) { return true }
            start += 1
        }
        return false
    }

    /// Whether the bytes have others at an offset, ASCII letters in either case.
    ///
    /// - Parameter other: Bytes without upper case ASCII letters.
    package func has(inAnyCase other: ByteView, at offset: Int) -> Bool {
        guard offset >= 0, count - offset >= other.count else { return false }
        for index in 0..<other.count where self[offset + index] | Self.caseBit(of: other[index]) != other[index] {
            return false
        }
        return true
    }

    /// The bit that makes an upper case letter lower case; 0 for other bytes than lower case letters.
    @inline(__always)
    fileprivate static func caseBit(of byte: UInt8) -> UInt8 { byte &- 0x61 < 26 ? 0x20 : 0 }
}

/// A byte to find among eight, an ASCII letter in either case.
private struct EqualBytes {
    /// The byte, and the bits that its cases differ in, in each of the eight bytes of a number.
    private let wanted: UInt64
    private let caseBits: UInt64

    /// - Parameter byte: Not an upper case ASCII letter.
    init(inAnyCase byte: UInt8) {
        wanted = Self.repeating(byte)
        caseBits = Self.repeating(ByteView.caseBit(of: byte))
    }

    private static func repeating(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }

    /// Returns a number whose bytes are 0x80 where those of another are the byte, and 0 elsewhere.
    ///
    /// Equal bytes leave zeros. The sum sets the highest bit of each byte that has one of the lower bits, without a
    /// carry into the next byte.
    @inline(__always)
    func marks(in bytes: UInt64) -> UInt64 {
        let lower: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
        let differences = (bytes | caseBits) ^ wanted
        return ~((differences & lower &+ lower) | differences | lower)
    }
}
