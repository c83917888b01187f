// Bytes that lie elsewhere: in the map, or in memory of a buffer.
//
// All pointer arithmetic on keys and values is in this file, so that code that compares, cuts and copies bytes needs
// none of its own.

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A view of bytes that the view does not own.
///
/// A view holds as long as the bytes do: the view of an entry until the cursor that returned the entry moves. Each type
/// that returns views says how long they hold, and copies what is needed for longer (``copy()``).
@safe @frozen @usableFromInline
package struct ByteView {
    @usableFromInline package let pointer: UnsafeRawBufferPointer

    /// Creates a view of bytes that outlive it.
    @inlinable
    @inline(__always)
    @unsafe package init(_ pointer: UnsafeRawBufferPointer) { unsafe self.pointer = pointer }

    /// Creates a view of no bytes.
    @inlinable
    @inline(__always)
    package init() { unsafe pointer = UnsafeRawBufferPointer(start: nil, count: 0) }

    /// Calls a closure with a view of an array's bytes, which holds until the closure returns.
    @inlinable
    @inline(__always)
    package static func with<R>(_ bytes: [UInt8], _ body: (ByteView) throws -> R) rethrows -> R {
        try unsafe bytes.withUnsafeBytes { try unsafe body(ByteView($0)) }
    }

    /// Calls a closure with a view of a slice's bytes, which holds until the closure returns.
    @inlinable
    @inline(__always)
    package static func with<R>(_ bytes: ArraySlice<UInt8>, _ body: (ByteView) throws -> R) rethrows -> R {
        try unsafe bytes.withUnsafeBytes { try unsafe body(ByteView($0)) }
    }

    /// Calls a closure with a view of a span's bytes, which holds until the closure returns.
    @inlinable
    @inline(__always)
    package static func with<R, Failure: Error>(
        _ bytes: RawSpan, _ body: (ByteView) throws(Failure) -> R
    ) throws(Failure) -> R {
        try unsafe bytes.withUnsafeBytes { (bytes) throws(Failure) in try unsafe body(ByteView(bytes)) }
    }

    /// Calls a closure with a view of a string's UTF-8, which holds until the closure returns.
    @inlinable
    @inline(__always)
    package static func with<R>(_ text: consuming String, _ body: (ByteView) throws -> R) rethrows -> R {
        try text.withUTF8 { try unsafe body(ByteView(UnsafeRawBufferPointer($0))) }
    }

    @inlinable
    @inline(__always)
    package var count: Int { unsafe pointer.count }

    @inlinable
    @inline(__always)
    package var isEmpty: Bool { count == 0 }

    /// Calls a closure with the bytes as a span.
    @inlinable
    @inline(__always)
    package func withSpan<R, Failure: Error>(_ body: (RawSpan) throws(Failure) -> R) throws(Failure) -> R {
        try unsafe body(pointer.bytes)
    }

    /// Returns a copy of the bytes.
    @inlinable
    package func copy() -> [UInt8] { unsafe Array(pointer) }

    /// Appends the bytes to an array.
    @inlinable
    package func append(to bytes: inout [UInt8]) { unsafe bytes.append(contentsOf: pointer) }

    // MARK: Parts

    /// Returns the first bytes: at most `count` of them.
    @inlinable
    @inline(__always)
    package func prefix(_ count: Int) -> ByteView {
        unsafe ByteView(UnsafeRawBufferPointer(rebasing: pointer.prefix(count)))
    }

    /// Returns the last bytes: at most `count` of them.
    @inlinable
    @inline(__always)
    package func suffix(_ count: Int) -> ByteView {
        unsafe ByteView(UnsafeRawBufferPointer(rebasing: pointer.suffix(count)))
    }

    /// Returns the bytes after the first `count`.
    @inlinable
    @inline(__always)
    package func dropFirst(_ count: Int) -> ByteView {
        unsafe ByteView(UnsafeRawBufferPointer(rebasing: pointer.dropFirst(count)))
    }

    /// Returns the bytes at some offsets, all of which the view has.
    @inlinable
    @inline(__always)
    package subscript(_ offsets: Range<Int>) -> ByteView {
        unsafe ByteView(UnsafeRawBufferPointer(rebasing: pointer[offsets]))
    }

    // MARK: Numbers

    /// The first eight bytes as a number that sorts as the bytes do; missing bytes count as 0.
    @inlinable
    @inline(__always)
    package var head: UInt64 {
        if count >= 8 { return UInt64(bigEndian: unsafe pointer.loadUnaligned(as: UInt64.self)) }
        var head: UInt64 = 0
        for index in 0..<count { unsafe head |= UInt64(pointer[index]) &<< UInt64(56 - 8 * index) }
        return head
    }

    /// Returns the little-endian integer at an offset. The view has its bytes.
    @inlinable
    @inline(__always)
    package func integer<Integer: FixedWidthInteger & BitwiseCopyable>(
        at offset: Int, as type: Integer.Type
    ) -> Integer {
        Integer(littleEndian: unsafe pointer.loadUnaligned(fromByteOffset: offset, as: type))
    }

    // MARK: Order

    /// Returns a number less than, equal to or greater than 0, as the bytes sort before, equal to or after others.
    @inlinable
    @inline(__always)
    package func compare(_ other: ByteView) -> Int { unsafe byteOrder(pointer, other.pointer) }

    /// Whether the bytes sort before others.
    @inlinable
    @inline(__always)
    package func precedes(_ other: ByteView) -> Bool {
        let (own, others) = (head, other.head)
        return own == others ? compare(other) < 0 : own < others
    }

    /// Returns a number less than, equal to or greater than 0, as the bytes sort before, equal to or after others.
    @inlinable
    @inline(__always)
    package func compare(_ other: [UInt8]) -> Int { ByteView.with(other) { compare($0) } }

    /// Whether the bytes are the same as others.
    @inlinable
    @inline(__always)
    package func equals(_ other: ByteView) -> Bool {
        guard count == other.count else { return false }
        // The keys of most records are integers.
        return count == 8 ? head == other.head : compare(other) == 0
    }

    /// Whether the bytes start with others.
    @inlinable
    @inline(__always)
    package func starts(with other: ByteView) -> Bool {
        count >= other.count && prefix(other.count).equals(other)
    }

    /// Whether the bytes start with others.
    @inlinable
    package func starts(with other: [UInt8]) -> Bool { ByteView.with(other) { starts(with: $0) } }

    /// Whether the bytes end with others.
    @inlinable
    package func ends(with other: [UInt8]) -> Bool {
        count >= other.count && ByteView.with(other) { suffix($0.count).compare($0) == 0 }
    }

    /// Whether others are at an offset, which may be any number. For others that usually differ in the first bytes.
    @inlinable
    @inline(__always)
    package func has(_ other: ByteView, at offset: Int) -> Bool {
        guard offset >= 0, count - offset >= other.count else { return false }
        for index in 0..<other.count {
            if unsafe pointer[offset + index] != other.pointer[index] { return false }
        }
        return true
    }

    /// Whether the bytes have others as a part.
    @inlinable
    @inline(__always)
    package func contains(_ other: ByteView) -> Bool {
        guard let first = unsafe other.pointer.first else { return true }
        var start = 0
        while count - start >= other.count {
            if unsafe pointer[start] == first, has(other, at: start) { return true }
            start += 1
        }
        return false
    }
}
