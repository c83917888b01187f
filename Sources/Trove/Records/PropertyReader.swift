// The reader of a property: its coding, prepared for the schema of the type.

import LMDB
import TroveCoding

/// Moves the readers of a run past a property.
@usableFromInline typealias PropertySkip = @Sendable (inout RecordRun) throws(CodingError) -> Void

/// A property's coding and its place in a schema. It skips the properties before its property, and reads its property
/// alone.
@usableFromInline
final class PropertyReader<Value: Sendable>: Sendable {
    let property: StoredProperty
    let encode: @Sendable (Value) throws(CodingError) -> [UInt8]
    private let skips: [PropertySkip]
    private let skip: PropertySkip
    private let decode: @Sendable (inout RecordRun, inout [Value]) throws(CodingError) -> Void

    init(_ coding: PropertyCoding<Value>, at place: PropertyLocation, in schema: RecordSchema) {
        decode = coding.decode
        encode = coding.encode
        let name: String
        switch place {
        case .key(let index):
            skips = schema.key.prefix(index).map(\.skip)
            (name, skip) = (schema.key[index].name, schema.key[index].skip)
        case .field(let index):
            skips = schema.fields.prefix(index).map(\.skip)
            (name, skip) = (schema.fields[index].name, schema.fields[index].skip)
        }
        property = StoredProperty(name: name, place: place)
    }

    /// Whether the property is a key component: then its stored bytes sort as its values do.
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

extension IndexKeyRecord {
    /// Returns the reader of a property.
    ///
    /// - Throws: ``StoreError/QueryError/notStored(type:property:)`` or
    ///   ``StoreError/QueryError/relationNotStored(type:relation:path:)``.
    @usableFromInline
    static func reader<Value>(of path: KeyPath<Self, Value>) throws(StoreError) -> PropertyReader<Value> {
        let schema = schema
        return try schema.readers.value(of: path) { () throws(StoreError) in
            guard let (place, coding) = schema.property(at: path), let coding = coding as? PropertyCoding<Value> else {
                throw notStored(path)
            }
            return PropertyReader(coding, at: place, in: schema)
        }
    }
}
