// Bool as a field: 0x00 false, 0x01 true.

extension Bool: RecordValue {
    /// `Bool`.
    @inlinable
    public static func describe(in layout: inout LayoutBuilder) { layout.append("Bool") }

    /// One byte.
    @inlinable
    public static var fixedSize: Int? { 1 }

    /// One byte.
    @inlinable
    public var encodedSize: Int { 1 }

    /// Writes the byte.
    @inlinable
    public func encode(into writer: inout ValueWriter) { writer.writeByte(self ? 1 : 0) }

    /// Reads the byte.
    @inlinable
    public init(decoding reader: inout ValueReader) throws(CodingError) { self = try reader.readTag() }
}
