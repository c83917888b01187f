// Reads a single property of stored records without decoding the others.

import LMDB
import TroveCoding

/// A ``Projection`` of any type.
public protocol PropertyProjection: Sendable {}

/// Moves the readers of a run past a property.
@usableFromInline typealias PropertySkip = @Sendable (inout RecordRun) throws(CodingError) -> Void

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

/// The location of a stored property in a record.
@usableFromInline
enum PropertyLocation: Hashable, Sendable {
    case key(Int)
    case field(Int)
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

/// A projection prepared for a schema. It skips the properties before its property, and reads its property alone.
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

    /// Whether the property is a key component, so that its stored bytes sort as its values do.
    @usableFromInline
    var isInKey: Bool { if case .key = property.place { true } else { false } }

    /// Appends the property of each record of a run.
    @usableFromInline
    func read(_ run: inout RecordRun, into values: inout [Value]) throws(CodingError) {
        run.rewind()
        for skip in skips { try skip(&run) }
        try decode(&run, &values)
    }

    /// Returns the property of each record of a run.
    @usableFromInline
    func column(_ run: inout RecordRun) throws(CodingError) -> [Value] {
        var values: [Value] = []
        try read(&run, into: &values)
        return values
    }

    /// Calls a closure with the position of each record in a run, and with the stored bytes of its property.
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

/// The identity of a stored property, shared by conditions, sort orders and indexes.
@usableFromInline
struct StoredProperty: Hashable, Sendable {
    /// The stored name of the property.
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
