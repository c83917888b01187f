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

extension PropertyCoding {
    /// Returns the value of a property outside the key from its bytes.
    func value(of bytes: [UInt8]) throws(CodingError) -> Value? {
        let record = [UInt8](repeating: 0, count: StoredValue.headerSize) + bytes
        let buffer = EntryBuffer()
        ByteView.with(record) { buffer.append(Entry(ByteView(), $0)) }
        guard let batch = buffer.next() else { return nil }
        var run = RecordRun(batch)
        var values: [Value] = []
        try decode(&run, &values)
        return values.first
    }
}
