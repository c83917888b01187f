// A value that is written where it lies.

/// Bytes for a value in its page, which the caller fills.
///
/// The bytes hold until the next write of the transaction, or its end. The caller uses the value in that time only, and
/// fills all bytes.
@safe @frozen @usableFromInline
package struct ReservedValue {
    @usableFromInline let bytes: UnsafeMutableRawBufferPointer

    /// Creates a value of bytes that outlive it.
    @unsafe init(_ bytes: UnsafeMutableRawBufferPointer) { unsafe self.bytes = bytes }

    /// Calls a closure with the bytes from an offset on, to be written.
    @inlinable
    @inline(__always)
    package func write<R, Failure: Error>(
        from offset: Int = 0, _ body: (inout MutableRawSpan) throws(Failure) -> R
    ) throws(Failure) -> R {
        var span = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[offset...]).mutableBytes
        return try body(&span)
    }
}

/// Memory for a value that may not be written: a value to compare with a stored value first.
@safe package final class SpareValue {
    private var bytes = unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)

    package init() {}

    deinit { unsafe bytes.deallocate() }

    /// Returns bytes to fill, valid until the next call.
    package func reserve(_ size: Int) -> ReservedValue {
        if unsafe bytes.count < size {
            unsafe bytes.deallocate()
            unsafe bytes = .allocate(byteCount: size + size / 2, alignment: 8)
        }
        return unsafe ReservedValue(UnsafeMutableRawBufferPointer(rebasing: bytes[..<size]))
    }
}

extension ReservedValue {
    /// The bytes, once they are filled.
    package var view: ByteView { unsafe ByteView(UnsafeRawBufferPointer(bytes)) }
}
