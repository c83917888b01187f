// Bool as a key component: 0x00 false, 0x01 true; false sorts first.

extension Bool: KeyComponent {
    /// Writes the byte.
    @inlinable
    public func encodeKey(into writer: inout KeyWriter) { writer.writeByte(self ? 1 : 0) }

    /// Reads the byte.
    @inlinable
    public init(decodingKey reader: inout KeyReader) throws(CodingError) { self = try reader.readTag() }
}
