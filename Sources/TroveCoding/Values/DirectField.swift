// The coding of properties whose type is a RecordValue.

/// The coding of a ``RecordValue``: its own bytes.
public enum DirectField<Value: RecordValue>: CanonicalFieldCoding {
    /// The value's own layout.
    @inlinable
    public static func describe(in layout: inout LayoutBuilder) { Value.describe(in: &layout) }

    /// The value's own size.
    @inlinable
    public static var fixedSize: Int? { Value.fixedSize }

    /// The value's own size.
    @inlinable
    public static func encodedSize(of value: Value) throws(CodingError) -> Int { try value.encodedSize }

    /// Writes the value.
    @inlinable
    public static func encode(_ value: Value, into writer: inout ValueWriter) { value.encode(into: &writer) }

    /// Reads a value.
    @inlinable
    public static func decode(from reader: inout ValueReader) throws(CodingError) -> Value {
        try Value(decoding: &reader)
    }

    /// Moves past a value.
    @inlinable
    public static func skip(in reader: inout ValueReader) throws(CodingError) { try Value.skip(in: &reader) }
}
