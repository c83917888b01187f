// Strings as key components: their UTF-8, escaped (EscapedBytes.swift). They sort, and are equal, as their UTF-8 bytes
// are: Swift's own `<` and `==` are by canonical equivalence, so that two spellings of "é" are one string to Swift, and
// two keys here.

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
    /// - Throws: `malformed` when it is none. It is never repaired.
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
