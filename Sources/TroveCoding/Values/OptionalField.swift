// The coding of properties whose type is an optional of a type with a coding.

/// The coding of an optional whose wrapped type has a coding. The bytes are the same as of an optional `RecordValue`.
public enum OptionalField<Wrapped: FieldCoding>: FieldCoding {
    /// `layout?`.
    @inlinable
    public static func describe(in layout: inout LayoutBuilder) {
        Wrapped.describe(in: &layout)
        layout.append("?")
    }

    /// An optional's size depends on the value.
    @inlinable
    public static var fixedSize: Int? { nil }

    /// The tag byte, and the wrapped value's size.
    @inlinable
    public static func encodedSize(of value: Wrapped.Value?) throws(CodingError) -> Int {
        guard let value else { return 1 }
        return try 1 + Wrapped.encodedSize(of: value)
    }

    /// Writes the tag byte, then the wrapped value.
    @inlinable
    public static func encode(_ value: Wrapped.Value?, into writer: inout ValueWriter) {
        writer.writeByte(value == nil ? 0 : 1)
        if let value { Wrapped.encode(value, into: &writer) }
    }

    /// Reads the tag byte, then the wrapped value.
    @inlinable
    public static func decode(from reader: inout ValueReader) throws(CodingError) -> Wrapped.Value? {
        try reader.readTag() ? try Wrapped.decode(from: &reader) : nil
    }

    /// Moves past a value.
    @inlinable
    public static func skip(in reader: inout ValueReader) throws(CodingError) {
        if try reader.readTag() { try Wrapped.skip(in: &reader) }
    }
}

extension OptionalField: CanonicalFieldCoding where Wrapped: CanonicalFieldCoding {}
