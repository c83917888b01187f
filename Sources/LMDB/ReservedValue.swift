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
