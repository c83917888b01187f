// Arrays of bytes as spans, for the length of a closure.

extension Array where Element == UInt8 {
    /// Calls a closure with the bytes, which hold until the closure returns.
    @inlinable
    @inline(__always)
    package func withRawSpan<R, Failure: Error>(_ body: (RawSpan) throws(Failure) -> R) throws(Failure) -> R {
        try body(unsafe span.bytes)
    }

    /// Calls a closure with the bytes, to be changed in place.
    @inlinable
    @inline(__always)
    package mutating func withMutableRawSpan<R, Failure: Error>(
        _ body: (inout MutableRawSpan) throws(Failure) -> R
    ) throws(Failure) -> R {
        var span = mutableSpan
        var bytes = unsafe span.mutableBytes
        return try body(&bytes)
    }
}

extension ArraySlice where Element == UInt8 {
    /// Calls a closure with the bytes, which hold until the closure returns.
    @inlinable
    @inline(__always)
    package func withRawSpan<R, Failure: Error>(_ body: (RawSpan) throws(Failure) -> R) throws(Failure) -> R {
        try body(unsafe span.bytes)
    }
}
