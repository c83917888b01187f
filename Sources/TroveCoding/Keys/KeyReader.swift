// Reads the components of a key. The grammar is in KeyWriter.swift; here every step is checked before it is taken.

/// Reads key components, and never outside the key.
///
/// A reader exists only inside the closure of ``read(_:_:)`` or ``RecordReader/read(key:fields:_:)``.
@safe
public struct KeyReader: ~Copyable {
    @usableFromInline let base: UnsafeRawPointer
    @usableFromInline let count: Int
    @usableFromInline var position = 0

    /// 0xFF inside a descending component, whose bytes are complemented; else 0x00.
    @usableFromInline var mask: UInt8 = 0

    @inlinable
    @inline(__always)
    @unsafe
    init(_ bytes: UnsafeRawBufferPointer) {
        unsafe base = bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 1).unsafelyUnwrapped
        count = bytes.count
    }

    /// Goes on reading at a place, which may be no place of these bytes.
    @inlinable
    @inline(__always)
    @unsafe
    package init(_ bytes: UnsafeRawBufferPointer, at position: Int) {
        unsafe self.init(bytes)
        self.position = position
    }

    /// The number of bytes read so far: what an error's `offset` is.
    @inlinable
    public var offset: Int { position }

    /// The number of bytes left.
    @inlinable
    public var remaining: Int { count &- position }

    /// Reads one byte.
    @inlinable
    @inline(__always)
    public mutating func readByte() throws(CodingError) -> UInt8 {
        guard position < count else { try failTruncated(1) }
        let byte = unsafe base.load(fromByteOffset: position, as: UInt8.self)
        position &+= 1
        return byte ^ mask
    }

    /// Reads a byte that is 0 or 1.
    @inlinable
    @inline(__always)
    public mutating func readTag() throws(CodingError) -> Bool {
        let byte = try readByte()
        guard byte <= 1 else { try failMalformed("a byte 0 or 1", at: position &- 1) }
        return byte == 1
    }

    /// Reads an integer: big-endian, the sign bit flipped.
    @inlinable
    @inline(__always)
    public mutating func readInteger<Integer: FixedWidthInteger & BitwiseCopyable>(
        _ type: Integer.Type = Integer.self
    ) throws(CodingError) -> Integer {
        let size = MemoryLayout<Integer>.size
        guard remaining >= size else { try failTruncated(size) }
        let stored = Integer(bigEndian: unsafe base.loadUnaligned(fromByteOffset: position, as: Integer.self))
        position &+= size
        let sortable = mask == 0 ? stored : ~stored
        return Integer.isSigned ? sortable ^ Integer.min : sortable
    }

    /// Reads bytes as they are.
    @inlinable
    public mutating func readBytes(count: Int) throws(CodingError) -> [UInt8] {
        let start = position
        try skip(count)
        var bytes = unsafe [UInt8](UnsafeRawBufferPointer(start: base + start, count: count))
        if mask != 0 {
            for index in bytes.indices { bytes[index] = ~bytes[index] }
        }
        return bytes
    }

    /// Moves past `count` bytes.
    @inlinable
    public mutating func skip(_ count: Int) throws(CodingError) {
        guard count >= 0, remaining >= count else { try failTruncated(count) }
        position &+= count
    }

    /// Ends the reading.
    ///
    /// - Throws: `trailingBytes` when bytes are left.
    @inlinable
    public func finish() throws(CodingError) {
        if position != count { try failTrailing() }
    }

    /// The error that the bytes at this place, or at `offset`, are not what a writer would have written.
    @inline(never)
    public func malformed(_ expected: String, at offset: Int? = nil) -> CodingError {
        CodingError(.malformed(expected: expected), at: offset ?? position)
    }

    // Leaves fail by calling a function that throws: a typed `throw` inlined into a witness keeps Swift 6.3.1 from
    // calling the witness directly, let alone from inlining it.

    @usableFromInline
    @inline(never)
    func failTruncated(_ needed: Int) throws(CodingError) -> Never {
        throw CodingError(.truncated(needed: needed, available: remaining), at: position)
    }

    @usableFromInline
    @inline(never)
    func failMalformed(_ expected: String, at offset: Int) throws(CodingError) -> Never {
        throw malformed(expected, at: offset)
    }

    /// The value, unless it is nil because the bytes from `offset` on are malformed.
    @inlinable
    @inline(__always)
    func require<Value>(_ value: Value?, _ expected: String, at offset: Int) throws(CodingError) -> Value {
        guard let value else { try failMalformed(expected, at: offset) }
        return value
    }

    @usableFromInline
    @inline(never)
    func failTrailing() throws(CodingError) -> Never {
        throw CodingError(.trailingBytes(remaining), at: position)
    }
}

extension KeyReader {
    /// Reads all of `bytes`.
    ///
    /// - Throws: What `body` throws, and `trailingBytes` when it leaves some.
    @inlinable
    public static func read<Result>(
        _ bytes: RawSpan, _ body: (inout KeyReader) throws(CodingError) -> Result
    ) throws(CodingError) -> Result {
        try unsafe bytes.withUnsafeBytes { (buffer) throws(CodingError) in
            var reader = unsafe KeyReader(buffer)
            let result = try body(&reader)
            try reader.finish()
            return result
        }
    }

    /// The component that is all of `bytes`.
    @inlinable
    public static func decode<Component: KeyComponent>(
        _ type: Component.Type, from bytes: [UInt8]
    ) throws(CodingError) -> Component {
        try read(unsafe bytes.span.bytes) { (reader) throws(CodingError) in try Component(decodingKey: &reader) }
    }
}
