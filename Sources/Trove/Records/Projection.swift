// How to read one property of stored records without decoding the others.

import TroveCoding

/// A ``Projection`` of any type.
public protocol PropertyProjection: Sendable {}

/// Moves the readers of several records past one property.
@usableFromInline typealias PropertySkip = @Sendable (inout RecordRun) throws(CodingError) -> Void

/// The reading of one stored property out of records' bytes.
///
/// Generated code makes these, in `projection(of:)`.
public struct Projection<Value: Sendable>: PropertyProjection {
    @usableFromInline
    enum Place: Sendable {
        case key(Int)
        case field(Int)
    }

    let place: Place
    let decode: @Sendable (inout RecordRun, inout [Value]) throws(CodingError) -> Void

    /// - Parameters:
    ///   - place: Where the property stands.
    ///   - decode: Reads the property of several records, whose readers stand at it, and appends what it read.
    @usableFromInline
    init(place: Place, decode: @escaping @Sendable (inout RecordRun, inout [Value]) throws(CodingError) -> Void) {
        self.place = place
        self.decode = decode
    }
}

extension Projection where Value: KeyComponent {
    /// A component of the key.
    ///
    /// - Parameter index: Its place in the key, from 0.
    @inlinable
    public static func key(at index: Int, _ type: Value.Type) -> Projection {
        Projection(place: .key(index)) { (run, values) throws(CodingError) in
            try run.forEachKey(advancing: false) { (reader) throws(CodingError) in
                values.append(try Value(decodingKey: &reader))
            }
        }
    }
}

extension Projection {
    /// A stored property that is not in the key.
    ///
    /// - Parameters:
    ///   - index: Its place among those properties, from 0.
    ///   - coding: How it is stored.
    @inlinable
    public static func field<Coding: FieldCoding>(at index: Int, _ coding: Coding.Type) -> Projection
    where Coding.Value == Value {
        Projection(place: .field(index)) { (run, values) throws(CodingError) in
            try run.forEachFields(advancing: false) { (reader) throws(CodingError) in
                values.append(try Coding.decode(from: &reader))
            }
        }
    }
}

/// A projection made ready for one schema: it passes over what stands before the property, and decodes that alone.
@usableFromInline
struct PropertyReader<Value: Sendable>: Sendable {
    private let skips: [PropertySkip]
    private let decode: @Sendable (inout RecordRun, inout [Value]) throws(CodingError) -> Void

    init(_ projection: Projection<Value>, _ schema: RecordSchema) {
        decode = projection.decode
        switch projection.place {
        case .key(let index): skips = schema.key.prefix(index).map(\.skip)
        case .field(let index): skips = schema.fields.prefix(index).map(\.skip)
        }
    }

    /// Appends the property of each record of a run.
    @usableFromInline
    func read(_ run: inout RecordRun, into values: inout [Value]) throws(CodingError) {
        run.rewind()
        for skip in skips { try skip(&run) }
        try decode(&run, &values)
    }

    /// The property of each record of a run.
    @usableFromInline
    func column(_ run: inout RecordRun) throws(CodingError) -> [Value] {
        var values: [Value] = []
        try read(&run, into: &values)
        return values
    }
}
