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
        let (first, mask) = (other[0], Self.caseBit(of: other[0]))
        var start = 0
        while count - start >= other.count {
            if self[start] | mask == first, has(inAnyCase: other, at: start) { return true }
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
    private static func caseBit(of byte: UInt8) -> UInt8 { byte &- 0x61 < 26 ? 0x20 : 0 }
}
