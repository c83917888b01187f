// The protocol of fields. The standard types, types with the macro `@RecordValue`, raw-value types that declare it, and
// types written by hand conform to it.
//
//     fields = value*              in the order of the record's properties, nothing between them
//     value  = at least one byte   the bytes of a value show where it ends

/// A type that can be a field of a record.
///
/// A raw-value type needs only the declaration: `enum Status: String, RecordValue`. A type written by hand obeys three
/// laws, which ``CodingLaws/valueViolations(of:)`` checks. Decoding returns the encoded value. `encodedSize` is exact
/// and at least 1. Decoding consumes exactly the encoded bytes: so no value's bytes are a prefix of another value's.
public protocol RecordValue: Sendable {
    /// Appends the canonical layout of the type's bytes. A change of the layout changes the record's version.
    ///
    /// Migrations rely on the layout. A type with a standard layout, such as `Int64`, must accept every value of the
    /// layout. A type that rejects some values must describe itself by a name of its own: then only its own code reads
    /// the bytes.
    static func describe(in layout: inout LayoutBuilder)

    /// The size of every value in bytes; nil (the default) if the size depends on the value.
    static var fixedSize: Int? { get }

    /// The number of bytes that `encode(into:)` writes: at least 1.
    ///
    /// - Throws: `CodingError` if the value has no bytes.
    var encodedSize: Int { get throws(CodingError) }

    /// Writes the value: exactly `encodedSize` bytes.
    func encode(into writer: inout ValueWriter)

    /// Reads a value.
    ///
    /// - Throws: `CodingError` if the bytes are not the bytes of a value. Any bytes at all are possible.
    init(decoding reader: inout ValueReader) throws(CodingError)

    /// Moves past a value without returning it. By default advances by `fixedSize`, or decodes a value.
    static func skip(in reader: inout ValueReader) throws(CodingError)
}

extension RecordValue {
    /// Nil: by default the size depends on the value.
    @inlinable
    public static var fixedSize: Int? { nil }

    /// Advances by `fixedSize`, or decodes a value.
    @inlinable
    public static func skip(in reader: inout ValueReader) throws(CodingError) {
        if let size = fixedSize {
            try reader.skip(size)
        } else {
            _ = try Self(decoding: &reader)
        }
    }
}
