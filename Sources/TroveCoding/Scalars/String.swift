// Strings. They compare by their UTF-8 bytes. Swift's own `<` and `==` compare by canonical equivalence: two spellings
// of "é" are the same string in Swift, and two keys here.
//
//     value     = length UTF-8      the length in bytes
//     component = the UTF-8, escaped (EscapedBytes.swift)

extension String: RecordValue {
    /// `String`.
    @inlinable
    public static func describe(in layout: inout LayoutBuilder) { layout.append("String") }

    /// The size of the UTF-8 and of its length.
    @inlinable
    public var encodedSize: Int {
        let count = utf8.count
        return ValueWriter.size(ofLength: count) &+ count
    }

    /// Writes the length, then the UTF-8.
    @inlinable
    public func encode(into writer: inout ValueWriter) {
        let isContiguous: Void? = unsafe utf8.withContiguousStorageIfAvailable { bytes in
            writer.writeLength(bytes.count)
            unsafe writer.writeBytes(UnsafeRawBufferPointer(bytes))
        }
        if isContiguous == nil {
            let bytes = [UInt8](utf8)
            writer.writeLength(bytes.count)
            writer.writeBytes(bytes)
        }
    }

    /// Reads the UTF-8.
    ///
    /// - Throws: `malformed` if the bytes are not valid UTF-8. They are never repaired.
    @inlinable
    public init(decoding reader: inout ValueReader) throws(CodingError) {
        let length = try reader.readLength()
        self = try reader.readUTF8(count: length)
    }

    /// Moves past the string.
    @inlinable
    public static func skip(in reader: inout ValueReader) throws(CodingError) { try reader.skip(reader.readLength()) }
}

extension ValueReader {
    /// Reads `count` bytes of UTF-8.
    ///
    /// - Throws: `malformed` if the bytes are not valid UTF-8. They are never repaired.
    @inlinable
    @inline(__always)
    public mutating func readUTF8(count: Int) throws(CodingError) -> String {
        let start = position
        try skip(count)
        guard let string = unsafe String(validUTF8: UnsafeRawBufferPointer(start: base + start, count: count)) else {
            try failMalformed("valid UTF-8", at: start)
        }
        return string
    }
}

extension String: PrefixKeyComponent {
    /// Writes the UTF-8, escaped and closed.
    @inlinable
    public func encodeKey(into writer: inout KeyWriter) { encodeKey(into: &writer, isPrefix: false) }

    /// Writes the UTF-8, escaped and open.
    @inlinable
    public func encodeKeyPrefix(into writer: inout KeyWriter) { encodeKey(into: &writer, isPrefix: true) }

    @inlinable
    func encodeKey(into writer: inout KeyWriter, isPrefix: Bool) {
        let isContiguous: Void? = unsafe utf8.withContiguousStorageIfAvailable { bytes in
            unsafe writer.writeEscaped(UnsafeRawBufferPointer(bytes), isPrefix: isPrefix)
        }
        if isContiguous == nil {
            unsafe [UInt8](utf8).withUnsafeBytes { unsafe writer.writeEscaped($0, isPrefix: isPrefix) }
        }
    }

    /// Reads the UTF-8.
    ///
    /// - Throws: `malformed` if the bytes are not valid UTF-8. They are never repaired.
    @inlinable
    public init(decodingKey reader: inout KeyReader) throws(CodingError) {
        let start = reader.position
        let string = try unsafe reader.withEscaped { (bytes) throws(CodingError) -> String? in
            unsafe String(validUTF8: bytes)
        }
        self = try reader.require(string, "valid UTF-8", at: start)
    }

    /// Moves past the string.
    @inlinable
    public static func skipKey(in reader: inout KeyReader) throws(CodingError) { try reader.skipEscaped() }
}

extension String: StoredScalar {
    var fieldValue: FieldValue { .string(self) }

    init?(fieldValue: FieldValue) {
        guard case .string(let text) = fieldValue else { return nil }
        self = text
    }

    var jsonToken: JSONToken { .string(self) }

    static var extent: ScalarExtent { .counted }
}

extension String: DistinctBytes {}

extension LayoutType {
    /// Text.
    public static var string: LayoutType { LayoutType(String.self) }
}
