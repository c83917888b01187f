// Bool, as a field and in keys: 0x00 false, 0x01 true. False sorts first.

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

extension Bool: KeyComponent {
    /// Writes the byte.
    @inlinable
    public func encodeKey(into writer: inout KeyWriter) { writer.writeByte(self ? 1 : 0) }

    /// Reads the byte.
    @inlinable
    public init(decodingKey reader: inout KeyReader) throws(CodingError) { self = try reader.readTag() }
}

extension Bool: StoredScalar {
    var fieldValue: FieldValue { .bool(self) }

    init?(fieldValue: FieldValue) {
        guard case .bool(let value) = fieldValue else { return nil }
        self = value
    }

    var jsonToken: JSONToken { .plain(self ? "true" : "false") }

    static var isPlainInJSON: Bool { true }

    static var extent: ScalarExtent { .tag }
}

extension LayoutType {
    /// True or false.
    public static var bool: LayoutType { LayoutType(Bool.self) }
}
