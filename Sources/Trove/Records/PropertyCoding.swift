// The coding of a single stored property, for reading it without decoding the others.

import LMDB
import TroveCoding

/// The bytes of a property's values, in a key or among the fields.
@usableFromInline
struct PropertyCoding<Value: Sendable>: Sendable {
    /// Returns the stored bytes of a value.
    let encode: @Sendable (Value) throws(CodingError) -> [UInt8]
    /// Reads the property of several records, whose readers are at the property, and appends the values.
    let decode: @Sendable (inout RecordRun, inout [Value]) throws(CodingError) -> Void

    @usableFromInline
    init(
        encode: @escaping @Sendable (Value) throws(CodingError) -> [UInt8],
        decode: @escaping @Sendable (inout RecordRun, inout [Value]) throws(CodingError) -> Void
    ) {
        self.encode = encode
        self.decode = decode
    }

    /// Creates the coding of a key component.
    @inlinable
    init(key type: Value.Type) where Value: KeyComponent {
        self.init { (value) throws(CodingError) in
            KeyWriter.bytes(of: value)
        } decode: { (run, values) throws(CodingError) in
            try run.forEachKey(advancing: false) { (reader) throws(CodingError) in
                values.append(try Value(decodingKey: &reader))
            }
        }
    }

    /// Creates the coding of a property outside the key.
    @inlinable
    init<Coding: FieldCoding>(field coding: Coding.Type) where Coding.Value == Value {
        self.init { (value) throws(CodingError) in
            try ValueWriter.checkDepth { Coding.encode(value, into: &$0) }
            return try ValueWriter.bytes(count: Coding.encodedSize(of: value)) { Coding.encode(value, into: &$0) }
        } decode: { (run, values) throws(CodingError) in
            try run.forEachFields(advancing: false) { (reader) throws(CodingError) in
                values.append(try Coding.decode(from: &reader))
            }
        }
    }
}
