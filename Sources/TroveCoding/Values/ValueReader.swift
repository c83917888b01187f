// A reader of the fields of a record. `ValueWriter.swift` has the grammar. Every step is checked before it is taken.

/// A reader of values from the bytes of a record. It never reads outside them.
///
/// A reader exists only inside the closure of ``read(_:_:)`` or ``RecordReader/read(key:fields:_:)``.
@safe
public struct ValueReader: ~Copyable {
    @usableFromInline let base: UnsafeRawPointer
    @usableFromInline let count: Int
    @usableFromInline var position = 0
    @usableFromInline var depth = 0

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
        return byte
    }

    /// Reads and returns an integer: little-endian, with its width in bytes.
    @inlinable
    @inline(__always)
    public mutating func readInteger<Integer: FixedWidthInteger & BitwiseCopyable>(
        _ type: Integer.Type = Integer.self
    ) throws(CodingError) -> Integer {
        let size = MemoryLayout<Integer>.size
        guard remaining >= size else { try failTruncated(size) }
        let value = unsafe base.loadUnaligned(fromByteOffset: position, as: Integer.self)
        position &+= size
        return Integer(littleEndian: value)
    }

    /// Reads and returns a length or a count. It may exceed the bytes left: see ``readCount(minimumSize:)``.
    ///
    /// - Throws: `malformed` if it is not in its shortest form, or greater than `Int.max`.
    @inlinable
    public mutating func readLength() throws(CodingError) -> Int {
        let first = try readByte()
        return first < 0x80 ? Int(first) : try readLongLength(first)
    }

    @usableFromInline
    mutating func readLongLength(_ first: UInt8) throws(CodingError) -> Int {
        let start = position &- 1
        var length = UInt64(first & 0x7F)
        for shift in stride(from: UInt64(7), to: 63, by: 7) {
            let byte = try readByte()
            length |= UInt64(byte & 0x7F) &<< shift
            guard byte < 0x80 else { continue }
            guard byte != 0, let result = Int(exactly: length) else { break }
            return result
        }
        throw CodingError(.malformed(expected: "a length in its shortest form"), at: start)
    }

    /// Reads and returns the count of the elements that follow.
    ///
    /// - Parameter minimumSize: The smallest size of an element in bytes.
    /// - Throws: `truncated` if the bytes left cannot hold so many elements. So memory can be reserved for them.
    @inlinable
    public mutating func readCount(minimumSize: Int = 1) throws(CodingError) -> Int {
        let start = position
        let count = try readLength()
        guard count <= remaining / Swift.max(1, minimumSize) else {
            let (needed, overflow) = count.multipliedReportingOverflow(by: minimumSize)
            try fail(.truncated(needed: overflow ? .max : needed, available: remaining), at: start)
        }
        return count
    }

    /// Reads and returns bytes as they are.
    @inlinable
    public mutating func readBytes(count: Int) throws(CodingError) -> [UInt8] {
        try unsafe withUnsafeBytes(count: count) { bytes in unsafe [UInt8](bytes) }
    }

    /// Calls `body` with the next bytes, without copying them.
    @inlinable
    public mutating func withBytes<Result>(
        count: Int, _ body: (RawSpan) throws(CodingError) -> Result
    ) throws(CodingError) -> Result {
        try unsafe withUnsafeBytes(count: count) { (bytes) throws(CodingError) in try body(unsafe bytes.bytes) }
    }

    @inlinable
    @inline(__always)
    @unsafe
    mutating func withUnsafeBytes<Result>(
        count: Int, _ body: (UnsafeRawBufferPointer) throws(CodingError) -> Result
    ) throws(CodingError) -> Result {
        let start = position
        try skip(count)
        return try unsafe body(UnsafeRawBufferPointer(start: base + start, count: count))
    }

    /// Moves past `count` bytes.
    @inlinable
    public mutating func skip(_ count: Int) throws(CodingError) {
        guard count >= 0, remaining >= count else { try failTruncated(count) }
        position &+= count
    }

    /// Enters a nested value. A type that can contain itself calls `enter()` first and ``leave()`` last.
    ///
    /// - Throws: `tooDeep` if values are nested more deeply than ``ValueWriter/depthLimit``.
    @inlinable
    public mutating func enter() throws(CodingError) {
        guard depth < ValueWriter.depthLimit else {
            try fail(.tooDeep(limit: ValueWriter.depthLimit), at: position)
        }
        depth &+= 1
    }

    /// Leaves a nested value.
    @inlinable
    public mutating func leave() { depth &-= 1 }

    /// Ends the reading.
    ///
    /// - Throws: `trailingBytes` if bytes are left.
    @inlinable
    public func finish() throws(CodingError) {
        if position != count { try fail(.trailingBytes(remaining), at: position) }
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
    func fail(_ reason: CodingError.Reason, at offset: Int) throws(CodingError) -> Never {
        throw CodingError(reason, at: offset)
    }
}

extension ValueReader {
    /// Reads all of `bytes`.
    ///
    /// - Throws: Any error of `body`, and `trailingBytes` if bytes are left.
    @inlinable
    public static func read<Result>(
        _ bytes: RawSpan, _ body: (inout ValueReader) throws(CodingError) -> Result
    ) throws(CodingError) -> Result {
        try unsafe bytes.withUnsafeBytes { (buffer) throws(CodingError) in
            var reader = unsafe ValueReader(buffer)
            let result = try body(&reader)
            try reader.finish()
            return result
        }
    }

    /// Returns the value whose bytes are all of `bytes`.
    @inlinable
    public static func decode<Value: RecordValue>(
        _ type: Value.Type, from bytes: [UInt8]
    ) throws(CodingError) -> Value {
        try read(unsafe bytes.span.bytes) { (reader) throws(CodingError) in try Value(decoding: &reader) }
    }
}
