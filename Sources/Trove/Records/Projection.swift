// Reads a single property of stored records without decoding the others.

import LMDB
import TroveCoding

/// The location and the coding of a stored property, to read it from the bytes of records.
///
/// Generated code returns projections from `projection(of:)`.
public struct Projection<Value: Sendable>: PropertyProjection {
    let place: PropertyLocation
    let encode: @Sendable (Value) throws(CodingError) -> [UInt8]
    let decode: @Sendable (inout RecordRun, inout [Value]) throws(CodingError) -> Void

    /// - Parameters:
    ///   - place: The location of the property.
    ///   - encode: Returns the stored bytes of a value.
    ///   - decode: Reads the property of several records, whose readers are at the property, and appends the values.
    @usableFromInline
    init(
        place: PropertyLocation, encode: @escaping @Sendable (Value) throws(CodingError) -> [UInt8],
        decode: @escaping @Sendable (inout RecordRun, inout [Value]) throws(CodingError) -> Void
    ) {
        self.place = place
        self.encode = encode
        self.decode = decode
    }
}

extension Projection where Value: KeyComponent {
    /// Returns the projection of a key component.
    ///
    /// - Parameter index: The position in the key, from 0.
    @inlinable
    public static func key(at index: Int, _ type: Value.Type) -> Projection {
        Projection(place: .key(index)) { (value) throws(CodingError) in
            KeyWriter.bytes(of: value)
        } decode: { (run, values) throws(CodingError) in
            try run.forEachKey(advancing: false) { (reader) throws(CodingError) in
                values.append(try Value(decodingKey: &reader))
            }
        }
    }
}

extension Projection {
    /// Returns the projection of a stored property outside the key.
    ///
    /// - Parameters:
    ///   - index: The position among the properties outside the key, from 0.
    ///   - coding: The coding of the property.
    @inlinable
    public static func field<Coding: FieldCoding>(at index: Int, _ coding: Coding.Type) -> Projection
    where Coding.Value == Value {
        Projection(place: .field(index)) { (value) throws(CodingError) in
            try ValueWriter.bytes(count: Coding.encodedSize(of: value)) { Coding.encode(value, into: &$0) }
        } decode: { (run, values) throws(CodingError) in
            try run.forEachFields(advancing: false) { (reader) throws(CodingError) in
                values.append(try Coding.decode(from: &reader))
            }
        }
    }
}
