// The coding of properties whose type has a raw value.

/// The coding of a raw-value type that is not declared ``RecordValue``: the coding of its raw value.
public enum RawField<Value: RawRepresentable & Sendable>: CanonicalFieldCoding where Value.RawValue: RecordValue {
    /// `enum<layout of the raw value>`.
    @inlinable
    public static func describe(in layout: inout LayoutBuilder) { layout.append(rawValue: Value.RawValue.self) }

    /// The raw value's size.
    @inlinable
    public static var fixedSize: Int? { Value.RawValue.fixedSize }

    /// The raw value's size.
    @inlinable
    public static func encodedSize(of value: Value) throws(CodingError) -> Int { try value.rawValue.encodedSize }

    /// Writes the raw value.
    @inlinable
    public static func encode(_ value: Value, into writer: inout ValueWriter) {
        value.rawValue.encode(into: &writer)
    }

    /// Reads a raw value.
    ///
    /// - Throws: `noSuchValue` if the type has no value for the raw value.
    @inlinable
    public static func decode(from reader: inout ValueReader) throws(CodingError) -> Value {
        let start = reader.offset
        let value = Value(rawValue: try Value.RawValue(decoding: &reader))
        if let value { return value }
        return try reader.refuseRawValue(at: start)
    }

    /// Moves past a raw value.
    @inlinable
    public static func skip(in reader: inout ValueReader) throws(CodingError) { try Value.RawValue.skip(in: &reader) }
}
