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

/// A projection made ready for one schema: what to pass over first is known.
struct PropertyReader<Value: Sendable>: Sendable {
    private enum Step: Sendable {
        case bytes(Int)
        case value(@Sendable (inout ValueReader) throws(CodingError) -> Void)
    }

    private let keySkips: [@Sendable (inout KeyReader) throws(CodingError) -> Void]
    private let steps: [Step]
    private let decode: @Sendable (inout RecordReader) throws(CodingError) -> Value

    init(_ projection: Projection<Value>, _ schema: RecordSchema) {
        decode = projection.decode
        var keySkips: [@Sendable (inout KeyReader) throws(CodingError) -> Void] = []
        var steps: [Step] = []
        switch projection.place {
        case .key(let index):
            keySkips = schema.key.prefix(index).map(\.skip)
        case .field(let index):
            for field in schema.fields.prefix(index) {
                switch (field.fixedSize, steps.last) {
                case (let size?, .bytes(let before)?): steps[steps.count - 1] = .bytes(before + size)
                case (let size?, _): steps.append(.bytes(size))
                case (nil, _): steps.append(.value(field.skip))
                }
            }
        }
        self.keySkips = keySkips
        self.steps = steps
    }

    /// The property of the record whose bytes these are.
    func read(key: RawSpan, fields: RawSpan) throws(CodingError) -> Value {
        try RecordReader.readPart(key: key, fields: fields) { (reader) throws(CodingError) in
            for skip in keySkips { try skip(&reader.key) }
            for step in steps {
                switch step {
                case .bytes(let count): try reader.fields.skip(count)
                case .value(let skip): try skip(&reader.fields)
                }
            }
            return try decode(&reader)
        }
    }
}
