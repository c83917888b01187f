// Codings of properties. Generated code finds them by `fieldCoding(of: V.self)`, which has an overload for each kind of
// type.
//
//     RecordValue                       DirectField    the type's own bytes
//     RawRepresentable, not RecordValue RawField       the raw value's bytes
//     Optional of such a type           OptionalField  as an optional: 0x00 | 0x01 raw value
//     any other Codable                 JSONField      length, then JSON with sorted keys
//
// The first coding that fits is used: so JSON is never preferred silently. The layout of JSON is `json<…>`.

/// A coding of the values of a type as fields of a record.
///
/// The requirements are the same as in ``RecordValue``, with the value as an argument.
public protocol FieldCoding<Value>: Sendable {
    /// The type of the property.
    associatedtype Value: Sendable

    /// Appends the canonical layout of the bytes.
    static func describe(in layout: inout LayoutBuilder)

    /// The size of every value in bytes; nil if the size depends on the value.
    static var fixedSize: Int? { get }

    /// Returns the number of bytes that `encode` writes for `value`: at least 1.
    static func encodedSize(of value: Value) throws(CodingError) -> Int

    /// Writes `value`: exactly `encodedSize(of:)` bytes.
    static func encode(_ value: Value, into writer: inout ValueWriter)

    /// Reads and returns a value.
    static func decode(from reader: inout ValueReader) throws(CodingError) -> Value

    /// Moves past a value without creating it.
    static func skip(in reader: inout ValueReader) throws(CodingError)
}

/// A coding in which a value has the same bytes in every process.
///
/// JSON is not canonical: the order of a set's elements differs between processes.
public protocol CanonicalFieldCoding: FieldCoding {}

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
    /// - Throws: `malformed` if the type has no value for the raw value.
    @inlinable
    public static func decode(from reader: inout ValueReader) throws(CodingError) -> Value {
        let start = reader.offset
        let value = Value(rawValue: try Value.RawValue(decoding: &reader))
        return try reader.require(value, "a valid raw value", at: start)
    }

    /// Moves past a raw value.
    @inlinable
    public static func skip(in reader: inout ValueReader) throws(CodingError) { try Value.RawValue.skip(in: &reader) }
}

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

/// Returns the coding of a ``RecordValue``.
@inlinable
@inline(__always)
public func fieldCoding<Value: RecordValue>(of type: Value.Type) -> DirectField<Value>.Type {
    DirectField<Value>.self
}

/// Returns the coding of a raw-value type that is not declared ``RecordValue``.
@inlinable
@_disfavoredOverload
public func fieldCoding<Value: RawRepresentable & Sendable>(of type: Value.Type) -> RawField<Value>.Type
where Value.RawValue: RecordValue {
    RawField<Value>.self
}

/// Returns the coding of a raw-value type that is not declared ``RecordValue``, `Codable` or not.
@inlinable
@_disfavoredOverload
public func fieldCoding<Value: RawRepresentable & Codable & Sendable>(of type: Value.Type) -> RawField<Value>.Type
where Value.RawValue: RecordValue {
    RawField<Value>.self
}

/// Returns the coding of an optional of a raw-value type that is not declared ``RecordValue``.
@inlinable
@_disfavoredOverload
public func fieldCoding<Value: RawRepresentable & Sendable>(
    of type: Value?.Type
) -> OptionalField<RawField<Value>>.Type
where Value.RawValue: RecordValue {
    OptionalField<RawField<Value>>.self
}

/// Returns the coding of an optional of a raw-value type that is not declared ``RecordValue``, `Codable` or not.
@inlinable
@_disfavoredOverload
public func fieldCoding<Value: RawRepresentable & Codable & Sendable>(
    of type: Value?.Type
) -> OptionalField<RawField<Value>>.Type
where Value.RawValue: RecordValue {
    OptionalField<RawField<Value>>.self
}

/// Returns the coding of any other `Codable` type: JSON.
@inlinable
@_disfavoredOverload
public func fieldCoding<Value: Codable & Sendable>(of type: Value.Type) -> JSONField<Value>.Type {
    JSONField<Value>.self
}
