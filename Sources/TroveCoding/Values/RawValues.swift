// Types with a raw value, such as enums: stored as the raw value. Their conformance needs only a declaration.
//
//     enum Status: String, RecordValue { … }

extension RecordValue where Self: RawRepresentable, RawValue: RecordValue {
    /// `enum<layout of the raw value>`.
    @inlinable
    public static func describe(in layout: inout LayoutBuilder) { layout.append(rawValue: RawValue.self) }

    /// The raw value's size.
    @inlinable
    public static var fixedSize: Int? { RawValue.fixedSize }

    /// The raw value's size.
    @inlinable
    public var encodedSize: Int { get throws(CodingError) { try rawValue.encodedSize } }

    /// Writes the raw value.
    @inlinable
    public func encode(into writer: inout ValueWriter) { rawValue.encode(into: &writer) }

    /// Reads a raw value.
    ///
    /// - Throws: `malformed` if the type has no value for the raw value.
    @inlinable
    public init(decoding reader: inout ValueReader) throws(CodingError) {
        let start = reader.offset
        let value = Self(rawValue: try RawValue(decoding: &reader))
        self = try reader.require(value, "a valid raw value", at: start)
    }

    /// Moves past a raw value.
    @inlinable
    public static func skip(in reader: inout ValueReader) throws(CodingError) { try RawValue.skip(in: &reader) }
}

extension LayoutBuilder {
    @usableFromInline
    mutating func append(rawValue type: (some RecordValue).Type) {
        append("enum<")
        type.describe(in: &self)
        append(">")
    }
}
