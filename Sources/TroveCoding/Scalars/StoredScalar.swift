// Scalars: values without parts. Code that knows only the layout of a value reads, writes and prints it through the
// conformance of its type to `StoredScalar`.
//
// A new scalar type takes three files: its own, with its bytes as a field and in keys and its conformance; a line in
// `ScalarLayout.all`; a case of `FieldValue`, with a line in `FieldValue.scalar`.

/// A type whose values have no parts, for code that reads and writes values by their layout.
///
/// The text of `describe(in:)` is the name in layouts. The static functions are requirements with defaults: so the
/// compiler specializes them for each type.
protocol StoredScalar: RecordValue {
    /// The value without its Swift type.
    var fieldValue: FieldValue { get }

    /// Creates the value in `fieldValue`; nil if that is of another type, or a number out of range.
    init?(fieldValue: FieldValue)

    /// Creates the value of a text that a user types; nil if the text is not a value of the type.
    init?(text: String)

    /// The value in JSON.
    var jsonToken: JSONToken { get }

    /// Whether JSON may have values as numbers, `true` or `false`. By default, it has only strings.
    static var isPlainInJSON: Bool { get }

    /// The extent of a field. By default follows `fixedSize` and `skip(in:)`.
    static var extent: ScalarExtent { get }

    /// Reads a field.
    static func readField(from reader: inout ValueReader) throws(CodingError) -> FieldValue

    /// Appends the bytes of a field.
    static func writeField(_ value: FieldValue, to bytes: inout [UInt8]) throws(CodingError)

    /// Reads a key component. By default throws `unknownLayout`, unless the type is a ``KeyComponent``.
    static func readKey(from reader: inout KeyReader) throws(CodingError) -> FieldValue

    /// Writes a key component. By default throws `unencodable`, unless the type is a ``KeyComponent``.
    static func writeKey(_ value: FieldValue, to writer: inout KeyWriter) throws(CodingError)

    /// Returns whether a value is of the type, and in its range.
    static func contains(_ value: FieldValue) -> Bool

    /// Returns a value in JSON; nil if the value is not of the type.
    static func jsonToken(of value: FieldValue) -> JSONToken?

    /// Returns the error for a value of another type, or out of range.
    static func mismatch(_ value: FieldValue) -> CodingError
}

extension StoredScalar {
    static var extent: ScalarExtent { fixedSize.map { .fixed($0) } ?? .skipped(Self.self) }

    static func readField(from reader: inout ValueReader) throws(CodingError) -> FieldValue {
        try Self(decoding: &reader).fieldValue
    }

    static func writeField(_ value: FieldValue, to bytes: inout [UInt8]) throws(CodingError) {
        guard let scalar = Self(fieldValue: value) else { throw mismatch(value) }
        try ValueWriter.append(count: scalar.encodedSize, to: &bytes) { scalar.encode(into: &$0) }
    }

    static func readKey(from reader: inout KeyReader) throws(CodingError) -> FieldValue {
        throw CodingError(.unknownLayout(name), at: reader.offset)
    }

    static func writeKey(_ value: FieldValue, to writer: inout KeyWriter) throws(CodingError) {
        throw .otherType
    }

    static func contains(_ value: FieldValue) -> Bool { Self(fieldValue: value) != nil }

    static func jsonToken(of value: FieldValue) -> JSONToken? { Self(fieldValue: value)?.jsonToken }

    static var isPlainInJSON: Bool { false }

    static func mismatch(_ value: FieldValue) -> CodingError { .otherType }
}

extension StoredScalar where Self: KeyComponent {
    static func readKey(from reader: inout KeyReader) throws(CodingError) -> FieldValue {
        try Self(decodingKey: &reader).fieldValue
    }

    static func writeKey(_ value: FieldValue, to writer: inout KeyWriter) throws(CodingError) {
        guard let scalar = Self(fieldValue: value) else { throw mismatch(value) }
        scalar.encodeKey(into: &writer)
    }
}

extension StoredScalar where Self: LosslessStringConvertible {
    init?(text: String) { self.init(text) }
}

extension StoredScalar {
    /// The name in layouts.
    static var name: String { LayoutBuilder.text(of: self) }

    /// Returns the value of a text; nil if the text is not a value of the type.
    static func fieldValue(of text: String) -> FieldValue? { Self(text: text)?.fieldValue }

    /// Returns the value of a token in JSON; nil if the token is not a value of the type.
    static func fieldValue(of token: JSONToken) -> FieldValue? {
        switch token {
        case .string(let text): fieldValue(of: text)
        case .plain(let text): isPlainInJSON ? fieldValue(of: text) : nil
        }
    }
}

extension CodingError {
    /// The error for a value of another type than its layout.
    static var otherType: CodingError { CodingError(.unencodable("the value is not of its layout's type")) }
}
