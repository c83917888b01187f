// A writer of the fields of a record into memory of a known size.
//
//     integer = little-endian, as many bytes as its width
//     length  = LEB128: 7 bits per byte, lowest first, 0x80 set on all but the last; of several, the last is not 0x00
//     bytes   = as they are

/// A writer of values into the bytes of a record. It never writes outside them.
///
/// A writer exists only inside the closure of ``write(into:_:)``. Bytes beyond the end are counted but not written, and
/// the mismatch is thrown afterwards. So is the first failure reported by ``fail(_:)``.
@safe
public struct ValueWriter: ~Copyable {
    /// The maximum number of levels of nested values (``enter()``).
    public static var depthLimit: Int { 128 }

    @usableFromInline let base: UnsafeMutableRawPointer
    @usableFromInline let capacity: Int
    @usableFromInline var position = 0
    @usableFromInline var depth = 0

    /// The first failure; nil if there is none.
    public private(set) var failure: CodingError?

    @inlinable
    @unsafe
    init(_ bytes: UnsafeMutableRawBufferPointer) {
        unsafe base = bytes.baseAddress ?? UnsafeMutableRawPointer(bitPattern: 1).unsafelyUnwrapped
        capacity = bytes.count
    }

    /// The number of bytes written so far, including bytes beyond the end.
    @inlinable
    public var offset: Int { position }

    /// The number of bytes that still fit.
    @inlinable
    public var remaining: Int { Swift.max(0, capacity &- position) }

    /// Writes a byte.
    @inlinable
    @inline(__always)
    public mutating func writeByte(_ byte: UInt8) {
        if position < capacity {
            unsafe base.storeBytes(of: byte, toByteOffset: position, as: UInt8.self)
        }
        position &+= 1
    }

    /// Writes an integer: little-endian, with its width in bytes.
    @inlinable
    @inline(__always)
    public mutating func writeInteger<Integer: FixedWidthInteger & BitwiseCopyable>(_ value: Integer) {
        let size = MemoryLayout<Integer>.size
        if capacity &- position >= size {
            unsafe base.storeBytes(of: value.littleEndian, toByteOffset: position, as: Integer.self)
        }
        position &+= size
    }

    /// Returns the number of bytes of a length.
    @inlinable
    @inline(__always)
    public static func size(ofLength length: Int) -> Int {
        length < 0x80 ? 1 : (70 &- UInt64(truncatingIfNeeded: length).leadingZeroBitCount) / 7
    }

    /// Writes a length or a count as LEB128. A negative length is a failure.
    @inlinable
    public mutating func writeLength(_ length: Int) {
        guard length >= 0x80 else {
            if length < 0 { fail(CodingError(.unencodable("a length is negative"), at: position)) }
            return writeByte(UInt8(truncatingIfNeeded: length))
        }
        var rest = length
        while rest >= 0x80 {
            writeByte(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest &>>= 7
        }
        writeByte(UInt8(truncatingIfNeeded: rest))
    }

    /// Writes bytes as they are, without their count.
    @inlinable
    public mutating func writeBytes(_ bytes: RawSpan) {
        unsafe bytes.withUnsafeBytes { unsafe writeBytes($0) }
    }

    /// Writes bytes as they are, without their count.
    @inlinable
    public mutating func writeBytes(_ bytes: [UInt8]) {
        unsafe bytes.withUnsafeBytes { unsafe writeBytes($0) }
    }

    @inlinable
    @unsafe
    mutating func writeBytes(_ bytes: UnsafeRawBufferPointer) {
        let count = bytes.count
        if capacity &- position >= count, let source = bytes.baseAddress {
            unsafe (base + position).copyMemory(from: source, byteCount: count)
        }
        position &+= count
    }

    /// Enters a nested value. If values are nested too deeply, reports a failure and returns false: then write nothing.
    ///
    /// Every type that can contain itself calls `enter()` first and ``leave()`` last, as `@RecordValue` does.
    @inlinable
    public mutating func enter() -> Bool {
        depth &+= 1
        if depth <= Self.depthLimit { return true }
        fail(CodingError(.tooDeep(limit: Self.depthLimit), at: position))
        depth &-= 1
        return false
    }

    /// Leaves a nested value.
    @inlinable
    public mutating func leave() { depth &-= 1 }

    /// Reports that the value cannot be written. The first failure is thrown at the end, and all bytes are dropped.
    public mutating func fail(_ error: CodingError) {
        if failure == nil { failure = error }
    }

    /// Ends the writing.
    ///
    /// - Throws: The first failure, or `sizeMismatch` if the bytes are not filled exactly.
    @inlinable
    public func finish() throws(CodingError) {
        if let failure { throw failure }
        if position != capacity { throw sizeMismatch }
    }

    @usableFromInline
    var sizeMismatch: CodingError {
        CodingError(.sizeMismatch(expected: capacity, written: position), at: Swift.min(position, capacity))
    }
}

extension ValueWriter {
    /// Fills `bytes` exactly.
    ///
    /// - Throws: The first failure, or `sizeMismatch` if another number of bytes was written.
    @inlinable
    public static func write(
        into bytes: inout MutableRawSpan,
        _ body: (inout ValueWriter) -> Void
    ) throws(CodingError) {
        try unsafe bytes.withUnsafeMutableBytes { (buffer) throws(CodingError) in
            var writer = unsafe ValueWriter(buffer)
            body(&writer)
            try writer.finish()
        }
    }

    /// Returns an array of exactly `size` bytes.
    ///
    /// - Throws: The first failure, or `sizeMismatch` if another number of bytes was written.
    @inlinable
    public static func bytes(
        count size: Int,
        _ body: (inout ValueWriter) -> Void
    ) throws(CodingError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Swift.max(0, size))
        var span = bytes.mutableSpan
        var raw = unsafe span.mutableBytes
        try write(into: &raw, body)
        return bytes
    }

    /// Appends exactly `size` bytes to an array.
    ///
    /// - Throws: As ``bytes(count:_:)`` does. Then the appended bytes are undefined.
    static func append(
        count size: Int, to bytes: inout [UInt8],
        _ body: (inout ValueWriter) -> Void
    ) throws(CodingError) {
        let start = bytes.count
        bytes.append(contentsOf: repeatElement(0, count: Swift.max(0, size)))
        var failure: CodingError?
        unsafe bytes.withUnsafeMutableBytes { buffer in
            var writer = unsafe ValueWriter(UnsafeMutableRawBufferPointer(rebasing: buffer[start...]))
            body(&writer)
            do throws(CodingError) { try writer.finish() } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// Returns the bytes of a value.
    ///
    /// - Throws: `CodingError` if the value has no bytes, or its `encodedSize` is wrong.
    @inlinable
    public static func bytes(of value: some RecordValue) throws(CodingError) -> [UInt8] {
        try checkDepth { value.encode(into: &$0) }
        return try bytes(count: value.encodedSize) { value.encode(into: &$0) }
    }

    /// Encodes without memory, for values that may contain values of their own type: `encodedSize` has no limit of
    /// nested levels, and ends the stack.
    ///
    /// - Throws: The first failure: `tooDeep` if values are nested more deeply than ``depthLimit``.
    @usableFromInline
    package static func checkDepth(_ body: (inout ValueWriter) -> Void) throws(CodingError) {
        var writer = unsafe ValueWriter(UnsafeMutableRawBufferPointer(start: nil, count: 0))
        body(&writer)
        if let failure = writer.failure { throw failure }
    }
}
