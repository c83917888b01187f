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
