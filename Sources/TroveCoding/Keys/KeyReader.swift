// A reader of the components of a key. `KeyWriter.swift` has the grammar. Every step is checked before it is taken.

/// A reader of key components. It never reads outside the key.
///
/// A reader exists only inside the closure of ``read(_:_:)`` or ``RecordReader/read(key:fields:_:)``.
@safe
public struct KeyReader: ~Copyable {
    @usableFromInline let base: UnsafeRawPointer
    @usableFromInline let count: Int
    @usableFromInline var position = 0

    /// 0xFF inside a descending component, whose bytes are complemented; otherwise 0x00.
    @usableFromInline var mask: UInt8 = 0

    @inlinable
    @inline(__always)
    @unsafe
    init(_ bytes: UnsafeRawBufferPointer) {
        unsafe base = bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 1).unsafelyUnwrapped
        count = bytes.count
    }

    /// Creates a reader at an offset, which may be outside the bytes.
    @inlinable
    @inline(__always)
    @unsafe
    package init(_ bytes: UnsafeRawBufferPointer, at position: Int) {
        unsafe self.init(bytes)
        self.position = position
    }

    /// The number of bytes read so far: the offset of errors.
    @inlinable
    public var offset: Int { position }

    /// The number of bytes left.
    @inlinable
    public var remaining: Int { count &- position }

    /// Reads and returns a byte.
    @inlinable
    @inline(__always)
    public mutating func readByte() throws(CodingError) -> UInt8 {
        guard position < count else { try failTruncated(1) }
        let byte = unsafe base.load(fromByteOffset: position, as: UInt8.self)
        position &+= 1
        return byte ^ mask
    }

    /// Reads a byte 0 or 1, and returns whether it is 1.
    @inlinable
    @inline(__always)
    public mutating func readTag() throws(CodingError) -> Bool {
        let byte = try readByte()
        guard byte <= 1 else { try failMalformed("a byte 0 or 1", at: position &- 1) }
        return byte == 1
    }

    /// Reads and returns an integer: big-endian, the sign bit flipped.
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

    /// Reads and returns bytes as they are.
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
    /// - Throws: `trailingBytes` if bytes are left.
    @inlinable
    public func finish() throws(CodingError) {
        if position != count { try failTrailing() }
    }

    /// Returns the error for bytes that no writer would have written, at this offset or at `offset`.
    @inline(never)
    public func malformed(_ expected: String, at offset: Int? = nil) -> CodingError {
        CodingError(.malformed(expected: expected), at: offset ?? position)
    }

    // Inlined functions throw through a function that is not inlined: with a typed `throw` inlined into a witness,
    // Swift 6.3.1 neither inlines the witness nor calls it directly.

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

    /// Returns the value, or throws `malformed` at `offset` if it is nil.
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
    /// - Throws: Any error of `body`, and `trailingBytes` if bytes are left.
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

    /// Returns the component whose bytes are all of `bytes`.
    @inlinable
    public static func decode<Component: KeyComponent>(
        _ type: Component.Type, from bytes: [UInt8]
    ) throws(CodingError) -> Component {
        try read(unsafe bytes.span.bytes) { (reader) throws(CodingError) in try Component(decodingKey: &reader) }
    }
}
