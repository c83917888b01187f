// What a type promises to be a field of a record. Adopted by the standard types in this folder, by the macro
// `@RecordValue`, by raw-value types with a declaration alone, and by hand.
//
//     fields = value*              in the order of the record's properties, nothing between them
//     value  = at least one byte   a value says itself where it ends

/// A type that can be a field of a record.
///
/// A raw-value type conforms by its declaration alone: `enum Status: String, RecordValue`. A type written by hand keeps
/// three promises, which ``CodingLaws/valueViolations(of:)`` checks: what it writes it reads back, `encodedSize` is
/// exact and at least 1, and reading consumes what writing produced, so that no bytes of one value are the beginning
/// of another's.
public protocol RecordValue: Sendable {
    /// Appends the canonical layout of the type's bytes; a change of layout is a change of the record's version.
    ///
    /// Migrations trust it. A type that describes itself as a standard layout, `Int64` say, accepts every value of that
    /// layout; one that refuses some describes itself by a name of its own, whose bytes only its own code reads.
    static func describe(in layout: inout LayoutBuilder)

    /// The number of bytes that every value takes, nil when it depends on the value (the default).
    static var fixedSize: Int? { get }

    /// The number of bytes that `encode(into:)` writes: at least 1.
    ///
    /// - Throws: `CodingError` when the value has no bytes.
    var encodedSize: Int { get throws(CodingError) }

    /// Writes the value: exactly `encodedSize` bytes.
    func encode(into writer: inout ValueWriter)

    /// Reads a value.
    ///
    /// - Throws: `CodingError` when the bytes are not those of a value. Any bytes at all may come.
    init(decoding reader: inout ValueReader) throws(CodingError)

    /// Moves past a value without making it. By default advances by `fixedSize`, else decodes and drops.
    static func skip(in reader: inout ValueReader) throws(CodingError)
}

extension RecordValue {
    /// By default the size depends on the value.
    @inlinable
    public static var fixedSize: Int? { nil }

    /// By default advances by `fixedSize`, else decodes and drops.
    @inlinable
    public static func skip(in reader: inout ValueReader) throws(CodingError) {
        if let size = fixedSize {
            try reader.skip(size)
        } else {
            _ = try Self(decoding: &reader)
        }
    }
}
