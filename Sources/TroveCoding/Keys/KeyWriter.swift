// A writer of the components of a key.
//
//     integer = big-endian, the sign bit flipped
//     escaped = byte* 0x00, where a byte 0x00 is written 0x01 0x01 and a byte 0x01 is written 0x01 0x02
//     bytes   = as they are

/// A writer of key components. It never writes outside its memory.
///
/// A writer exists only inside the closures of ``withKey(limit:_:_:)`` and ``bytes(_:)-(_)``. Bytes beyond the end are
/// counted but not written, and `keyTooLarge` is thrown.
@safe
public struct KeyWriter: ~Copyable {
    /// The maximum size of a primary key in bytes.
    public static var sizeLimit: Int { 511 }

    @usableFromInline let base: UnsafeMutableRawPointer
    @usableFromInline let capacity: Int
    @usableFromInline var position = 0

    @inlinable
    @unsafe
    init(_ bytes: UnsafeMutableRawBufferPointer) {
        unsafe base = bytes.baseAddress ?? UnsafeMutableRawPointer(bitPattern: 1).unsafelyUnwrapped
        capacity = bytes.count
    }

    /// The number of bytes written so far, including bytes beyond the end.
    @inlinable
    public var offset: Int { position }

    /// Writes a byte.
    @inlinable
    @inline(__always)
    public mutating func writeByte(_ byte: UInt8) {
        if position < capacity {
            unsafe base.storeBytes(of: byte, toByteOffset: position, as: UInt8.self)
        }
        position &+= 1
    }

    /// Writes an integer in sortable form: big-endian, the sign bit flipped.
    @inlinable
    @inline(__always)
    public mutating func writeInteger<Integer: FixedWidthInteger & BitwiseCopyable>(_ value: Integer) {
        let size = MemoryLayout<Integer>.size
        if capacity &- position >= size {
            let sortable = Integer.isSigned ? value ^ Integer.min : value
            unsafe base.storeBytes(of: sortable.bigEndian, toByteOffset: position, as: Integer.self)
        }
        position &+= size
    }

    /// Writes bytes as they are: for components of a fixed size.
    @inlinable
    public mutating func writeBytes(_ bytes: RawSpan) {
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

    /// Returns a byte that was written; nil if it is beyond the end.
    @inlinable
    public func byte(at offset: Int) -> UInt8? {
        offset < Swift.min(position, capacity) ? unsafe base.load(fromByteOffset: offset, as: UInt8.self) : nil
    }

    /// Complements the bytes from `start` on: so a component becomes descending.
    @inlinable
    mutating func complement(from start: Int) {
        var index = start
        while index < Swift.min(position, capacity) {
            unsafe base.storeBytes(
                of: ~base.load(fromByteOffset: index, as: UInt8.self), toByteOffset: index, as: UInt8.self)
            index &+= 1
        }
    }
}

extension KeyWriter {
    /// Writes a key on the stack, and calls `body` with it.
    ///
    /// - Parameters:
    ///   - limit: The maximum size in bytes.
    ///   - encode: Writes the components.
    ///   - body: Uses the key.
    /// - Returns: The result of `body`.
    /// - Throws: `CodingError` with `keyTooLarge`, before `body` is called, and any error of `body`.
    @inlinable
    public static func withKey<Result>(
        limit: Int = KeyWriter.sizeLimit,
        _ encode: (inout KeyWriter) -> Void,
        _ body: (RawSpan) throws -> Result
    ) throws -> Result {
        try unsafe withUnsafeTemporaryAllocation(byteCount: limit, alignment: 8) { buffer in
            var writer = unsafe KeyWriter(buffer)
            encode(&writer)
            let size = writer.position
            guard size <= limit else { throw CodingError(.keyTooLarge(size: size, limit: limit)) }
            return try body(unsafe UnsafeRawBufferPointer(rebasing: buffer[..<size]).bytes)
        }
    }

    /// Returns the bytes of a key or of a prefix of a key, of any length: for the bounds of a range.
    @inlinable
    public static func bytes(_ encode: (inout KeyWriter) -> Void) -> [UInt8] {
        var size = 0
        let bytes = unsafe withUnsafeTemporaryAllocation(byteCount: sizeLimit, alignment: 8) { buffer in
            var writer = unsafe KeyWriter(buffer)
            encode(&writer)
            size = writer.position
            return unsafe size <= buffer.count ? [UInt8](buffer[..<size]) : []
        }
        guard size > sizeLimit else { return bytes }
        return unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            var writer = unsafe KeyWriter(UnsafeMutableRawBufferPointer(buffer))
            encode(&writer)
            count = Swift.min(size, writer.position)
        }
    }

    /// Writes components into memory that is reused and grows as needed.
    ///
    /// - Parameters:
    ///   - bytes: The memory.
    ///   - start: The offset of the first byte.
    ///   - encode: Writes the components. It runs again if the memory had to grow.
    /// - Returns: The offset after the last byte.
    package static func write(
        into bytes: inout [UInt8], at start: Int, _ encode: (inout KeyWriter) -> Void
    ) -> Int {
        while true {
            let end = unsafe bytes.withUnsafeMutableBytes { buffer in
                var writer = unsafe KeyWriter(UnsafeMutableRawBufferPointer(rebasing: buffer[start...]))
                encode(&writer)
                return start + writer.position
            }
            guard end > bytes.count else { return end }
            bytes.append(contentsOf: repeatElement(0, count: max(end - bytes.count, bytes.count, 64)))
        }
    }

    /// Returns the first eight bytes of a component as a number that sorts as the component does, with 0 for missing
    /// bytes. Returns nil for a component of more than 32 bytes.
    @inlinable
    @inline(__always)
    package static func head(of component: some KeyComponent) -> UInt64? {
        var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        let size = unsafe withUnsafeMutableBytes(of: &words) { buffer in
            var writer = unsafe KeyWriter(buffer)
            component.encodeKey(into: &writer)
            return writer.position
        }
        return size <= 32 ? UInt64(bigEndian: words.0) : nil
    }

    /// Returns the bytes of a component.
    @inlinable
    public static func bytes(of component: some KeyComponent) -> [UInt8] {
        bytes { component.encodeKey(into: &$0) }
    }
}
