// The coding of values whose bytes only other code can read, such as encrypted values.
//
//     value = length byte*

/// A type whose stored bytes say nothing about its value without something else, such as a key.
///
/// A property of such a type is stored, copied and dumped as bytes. It cannot be a key component, and cannot be indexed
/// or sorted by. `Sealed` of the product TroveCrypto is such a type.
public protocol OpaqueValue: Sendable {
    /// The bytes to store.
    var opaqueBytes: [UInt8] { get }

    /// Creates a value from stored bytes. Any bytes at all are possible.
    init(opaqueBytes: [UInt8])
}

/// The coding of an ``OpaqueValue``: its bytes, as those of a `Data`.
///
/// It is not canonical: equal values can have different bytes.
public enum OpaqueField<Value: OpaqueValue>: FieldCoding {
    /// `Data`.
    public static func describe(in layout: inout LayoutBuilder) { [UInt8].describe(in: &layout) }

    /// The size depends on the value.
    public static var fixedSize: Int? { nil }

    /// The number of bytes and the size of their length.
    public static func encodedSize(of value: Value) throws(CodingError) -> Int {
        let count = value.opaqueBytes.count
        return ValueWriter.size(ofLength: count) + count
    }

    /// Writes the length, then the bytes.
    public static func encode(_ value: Value, into writer: inout ValueWriter) {
        value.opaqueBytes.encode(into: &writer)
    }

    /// Reads the bytes, and nothing of their meaning.
    public static func decode(from reader: inout ValueReader) throws(CodingError) -> Value {
        Value(opaqueBytes: try [UInt8](decoding: &reader))
    }

    /// Moves past the bytes.
    public static func skip(in reader: inout ValueReader) throws(CodingError) { try reader.skip(reader.readLength()) }
}

/// Returns the coding of an opaque value, `Codable` or not.
public func fieldCoding<Value: OpaqueValue>(of type: Value.Type) -> OpaqueField<Value>.Type { OpaqueField<Value>.self }

/// Returns the coding of an optional of an opaque value, `Codable` or not.
public func fieldCoding<Value: OpaqueValue>(of type: Value?.Type) -> OptionalField<OpaqueField<Value>>.Type {
    OptionalField<OpaqueField<Value>>.self
}
