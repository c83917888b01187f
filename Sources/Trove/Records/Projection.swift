// How to read one property of stored records without decoding the others.

import LMDB
import TroveCoding

/// A ``Projection`` of any type.
public protocol PropertyProjection: Sendable {}

/// Moves the readers of several records past one property.
@usableFromInline typealias PropertySkip = @Sendable (inout RecordRun) throws(CodingError) -> Void

/// The reading of one stored property out of records' bytes.
///
/// Generated code makes these, in `projection(of:)`.
public struct Projection<Value: Sendable>: PropertyProjection {
    let place: PropertyLocation
    let encode: @Sendable (Value) throws(CodingError) -> [UInt8]
    let decode: @Sendable (inout RecordRun, inout [Value]) throws(CodingError) -> Void

    /// - Parameters:
    ///   - place: Where the property stands.
    ///   - encode: The bytes that stand there for a value.
    ///   - decode: Reads the property of several records, whose readers stand at it, and appends what it read.
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

/// Where a stored property stands in a record.
@usableFromInline
enum PropertyLocation: Hashable, Sendable {
    case key(Int)
    case field(Int)
}

extension Projection where Value: KeyComponent {
    /// A component of the key.
    ///
    /// - Parameter index: Its place in the key, from 0.
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
    /// A stored property that is not in the key.
    ///
    /// - Parameters:
    ///   - index: Its place among those properties, from 0.
    ///   - coding: How it is stored.
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

/// A projection made ready for one schema: it passes over what stands before the property, and reads that alone.
@usableFromInline
final class PropertyReader<Value: Sendable>: Sendable {
    let property: StoredProperty
    let encode: @Sendable (Value) throws(CodingError) -> [UInt8]
    private let skips: [PropertySkip]
    private let skip: PropertySkip
    private let decode: @Sendable (inout RecordRun, inout [Value]) throws(CodingError) -> Void

    init(_ projection: Projection<Value>, _ schema: RecordSchema) {
        decode = projection.decode
        encode = projection.encode
        let name: String
        switch projection.place {
        case .key(let index):
            skips = schema.key.prefix(index).map(\.skip)
            (name, skip) = (schema.key[index].name, schema.key[index].skip)
        case .field(let index):
            skips = schema.fields.prefix(index).map(\.skip)
            (name, skip) = (schema.fields[index].name, schema.fields[index].skip)
        }
        property = StoredProperty(name: name, place: projection.place)
    }

    /// Whether the property is a component of the key, so that its stored bytes are those that sort.
    @usableFromInline
    var isInKey: Bool { if case .key = property.place { true } else { false } }

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

    /// Calls a closure with the stored bytes of the property of each record of a run, and its place in the run.
    func forEachBytes(
        _ run: inout RecordRun, _ body: (_ index: Int, _ bytes: ByteView) -> Void
    ) throws(CodingError) {
        run.rewind()
        for skip in skips { try skip(&run) }
        let starts = run.offsets
        try skip(&run)
        for (index, start) in starts.enumerated() {
            let record = isInKey ? run.key(at: index) : run.fields(at: index)
            body(index, record[start..<run.position(at: index)])
        }
    }
}

/// A stored property, by which conditions, sorts and tables find each other.
@usableFromInline
struct StoredProperty: Hashable, Sendable {
    /// The name under which it is stored.
    let name: String
    let place: PropertyLocation

    /// Compares the places alone: a type has one property in each place.
    @usableFromInline
    static func == (left: StoredProperty, right: StoredProperty) -> Bool { left.place == right.place }

    @usableFromInline
    func hash(into hasher: inout Hasher) { hasher.combine(place) }

    /// A bit for the property. Several properties of a type may have the same.
    var bit: UInt64 {
        switch place {
        case .key(let index): 1 &<< UInt64(index % 16)
        case .field(let index): 1 &<< UInt64(16 + index % 48)
        }
    }
}

extension IndexKeyRecord {
    /// Returns the reader of a property.
    ///
    /// - Throws: ``StoreError/notStored(type:property:)``.
    @usableFromInline
    static func reader<Value>(of property: KeyPath<Self, Value>) throws(StoreError) -> PropertyReader<Value> {
        let schema = schema
        if let known = schema.readers.reader(of: property) { return known }
        guard let projection = projection(of: property) as? Projection<Value> else {
            throw StoreError.notStored(type: schema.name, property: "\(property)")
        }
        let reader = PropertyReader(projection, schema)
        schema.readers.add(reader, of: property)
        return reader
    }
}
