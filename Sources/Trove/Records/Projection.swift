// How to read one property of a stored record without decoding the others.

import TroveCoding

/// A ``Projection`` of any type.
public protocol PropertyProjection: Sendable {}

/// The reading of one stored property out of a record's bytes.
///
/// Generated code makes these, in `projection(of:)`.
public struct Projection<Value: Sendable>: PropertyProjection {
    enum Place: Sendable {
        case key(Int)
        case field(Int)
    }

    let place: Place
    let decode: @Sendable (inout RecordReader) throws(CodingError) -> Value
}

extension Projection where Value: KeyComponent {
    /// A component of the key.
    ///
    /// - Parameter index: Its place in the key, from 0.
    public static func key(at index: Int, _ type: Value.Type) -> Projection {
        Projection(place: .key(index)) { (reader) throws(CodingError) in try Value(decodingKey: &reader.key) }
    }
}

extension Projection {
    /// A stored property that is not in the key.
    ///
    /// - Parameters:
    ///   - index: Its place among those properties, from 0.
    ///   - coding: How it is stored.
    public static func field<Coding: FieldCoding>(at index: Int, _ coding: Coding.Type) -> Projection
    where Coding.Value == Value {
        Projection(place: .field(index)) { (reader) throws(CodingError) in try Coding.decode(from: &reader.fields) }
    }
}

/// A projection made ready for one schema: it passes over what stands before the property, and decodes that alone.
///
/// The steps are closures in one another rather than a list of closures: calling the next one from a capture needs no
/// reference counting.
@usableFromInline
struct PropertyReader<Value: Sendable>: Sendable {
    private let decode: @Sendable (inout RecordReader) throws(CodingError) -> Value

    init(_ projection: Projection<Value>, _ schema: RecordSchema) {
        var decode = projection.decode
        switch projection.place {
        case .key(let index):
            for component in schema.key.prefix(index).reversed() {
                decode = { [decode, skip = component.skip] (reader) throws(CodingError) in
                    try skip(&reader.key)
                    return try decode(&reader)
                }
            }
        case .field(let index):
            var fields = schema.fields.prefix(index)[...]
            while let field = fields.popLast() {
                guard var size = field.fixedSize else {
                    decode = { [decode, skip = field.skip] (reader) throws(CodingError) in
                        try skip(&reader.fields)
                        return try decode(&reader)
                    }
                    continue
                }
                while let before = fields.last?.fixedSize {
                    size += before
                    fields.removeLast()
                }
                decode = { [decode, size] (reader) throws(CodingError) in
                    try reader.fields.skip(size)
                    return try decode(&reader)
                }
            }
        }
        self.decode = decode
    }

    /// The property of the record whose bytes these are.
    @usableFromInline
    func read(key: RawSpan, fields: RawSpan) throws(CodingError) -> Value {
        try RecordReader.readPart(key: key, fields: fields, decode)
    }
}
