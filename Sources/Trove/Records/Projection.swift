// How to read one property of a stored record without decoding the others.

import TroveCoding

/// A ``Projection`` of any type.
public protocol PropertyProjection: Sendable {}

/// Moves a reader past one property.
@usableFromInline typealias PropertySkip = @Sendable (inout RecordReader) throws(CodingError) -> Void

/// The reading of one stored property out of a record's bytes.
///
/// Generated code makes these, in `projection(of:)`.
public struct Projection<Value: Sendable>: PropertyProjection {
    @usableFromInline
    enum Place: Sendable {
        case key(Int)
        case field(Int)
    }

    let place: Place
    let decode: @Sendable (inout RecordReader, inout Value?) throws(CodingError) -> Void

    /// - Parameters:
    ///   - place: Where the property stands.
    ///   - decode: Reads the property, at which the reader stands. It fills a variable in rather than returning what
    ///     it read: a closure that returns a generic value is called through another that moves the value.
    @usableFromInline
    init(place: Place, decode: @escaping @Sendable (inout RecordReader, inout Value?) throws(CodingError) -> Void) {
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
        Projection(place: .key(index)) { (reader, value) throws(CodingError) in
            value = try Value(decodingKey: &reader.key)
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
        Projection(place: .field(index)) { (reader, value) throws(CodingError) in
            value = try Coding.decode(from: &reader.fields)
        }
    }
}

/// A projection made ready for one schema: it passes over what stands before the property, and decodes that alone.
@usableFromInline
struct PropertyReader<Value: Sendable>: Sendable {
    /// Nil where nothing stands before the property.
    @usableFromInline let skip: PropertySkip?
    @usableFromInline let decode: @Sendable (inout RecordReader, inout Value?) throws(CodingError) -> Void

    init(_ projection: Projection<Value>, _ schema: RecordSchema) {
        decode = projection.decode
        skip =
            switch projection.place {
            case .key(let index): Self.joined(schema.key.prefix(index).map(\.skip))
            case .field(let index): Self.joined(Self.skips(over: schema.fields.prefix(index)))
            }
    }

    /// One step for each field of varying size, and one for all of fixed size that follow each other.
    private static func skips(over fields: ArraySlice<FieldProperty>) -> [PropertySkip] {
        var skips: [PropertySkip] = []
        var size = 0
        func skipFixed() {
            if size > 0 { skips.append(fixedSkip(size)) }
            size = 0
        }
        for field in fields {
            if let fixedSize = field.fixedSize {
                size += fixedSize
            } else {
                skipFixed()
                skips.append(field.skip)
            }
        }
        skipFixed()
        return skips
    }

    private static func fixedSkip(_ size: Int) -> PropertySkip {
        { (reader) throws(CodingError) in try reader.fields.skip(size) }
    }

    /// The steps as one: closures in one another rather than a list of them, since calling the next one from a capture
    /// needs no reference counting.
    private static func joined(_ skips: [PropertySkip]) -> PropertySkip? {
        guard let first = skips.first else { return nil }
        return skips.dropFirst().reduce(first, joined)
    }

    private static func joined(_ first: @escaping PropertySkip, _ second: @escaping PropertySkip) -> PropertySkip {
        { (reader) throws(CodingError) in
            try first(&reader)
            try second(&reader)
        }
    }

    /// The property of the record whose bytes these are.
    @inlinable
    @inline(__always)
    func read(key: RawSpan, fields: RawSpan) throws(CodingError) -> Value {
        var value: Value?
        try unsafe key.withUnsafeBytes { (keyBytes) throws(CodingError) in
            try unsafe fields.withUnsafeBytes { (fieldBytes) throws(CodingError) in
                var reader = unsafe RecordReader(key: keyBytes, fields: fieldBytes)
                if let skip { try skip(&reader) }
                try decode(&reader, &value)
            }
        }
        guard let value else { throw CodingError(.malformed(expected: "a property")) }
        return value
    }
}
