// Writes the components of a key.
//
//     integer = big-endian, the sign bit flipped
//     escaped = byte* 0x00, where a byte 0x00 is written 0x01 0x01 and a byte 0x01 is written 0x01 0x02
//     bytes   = as they are

/// Writes key components, and never outside its memory.
///
/// A writer exists only inside the closures of ``withKey(limit:_:_:)`` and ``bytes(_:)-(_)``. What does not fit is
/// counted and not written; the caller sees `keyTooLarge`.
@safe
public struct KeyWriter: ~Copyable {
    /// The size in bytes of the largest primary key.
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

    /// The number of bytes written so far, those that did not fit included.
    @inlinable
    public var offset: Int { position }

    /// Writes one byte.
    @inlinable
    @inline(__always)
    public mutating func writeByte(_ byte: UInt8) {
        if position < capacity {
            unsafe base.storeBytes(of: byte, toByteOffset: position, as: UInt8.self)
        }
        position &+= 1
    }

    /// Writes an integer so that it sorts: big-endian, the sign bit flipped.
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

    /// Writes bytes as they are: for components whose every value has the same number of bytes.
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

    /// One of the bytes written; nil where it did not fit.
    @inlinable
    public func byte(at offset: Int) -> UInt8? {
        offset < Swift.min(position, capacity) ? unsafe base.load(fromByteOffset: offset, as: UInt8.self) : nil
    }

    /// Complements the bytes from `start` on: what makes a component descending.
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
    /// Writes a key on the stack and hands it to `body`.
    ///
    /// - Parameters:
    ///   - limit: The largest size in bytes.
    ///   - encode: Writes the components.
    ///   - body: Uses the key.
    /// - Throws: `CodingError` with `keyTooLarge`, before `body` is called, and what `body` throws.
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

    /// The bytes of a key, or of the beginning of one, however many they are: for the bounds of a range.
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

    /// Writes components into memory that is kept from one use to the next, and grows where they need more.
    ///
    /// - Parameters:
    ///   - bytes: The memory.
    ///   - start: Where to begin.
    ///   - encode: Writes the components. It runs again where the memory had to grow.
    /// - Returns: Where they end.
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

    /// The bytes of one component.
    @inlinable
    public static func bytes(of component: some KeyComponent) -> [UInt8] {
        bytes { component.encodeKey(into: &$0) }
    }
}
