// Codings of properties. Generated code finds them by `fieldCoding(of: V.self)`, which has an overload for each kind of
// type.
//
//     RecordValue                       DirectField    the type's own bytes
//     RawRepresentable, not RecordValue RawField       the raw value's bytes
//     Optional of such a type           OptionalField  as an optional: 0x00 | 0x01 raw value
//     OpaqueValue                       OpaqueField    its bytes; an optional of it as above
//     any other Codable                 JSONField      length, then JSON with sorted keys
//     anything else                     UnstorableField  an error of the compiler
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
