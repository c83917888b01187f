// The bytes of a record's fields, as live objects compare and merge them.

import LMDB
import TroveCoding

extension StoredValue {
    /// The bytes in place of an encoded value that a live object cannot have: a header without fields.
    static let withoutFields = [UInt8](repeating: 0, count: headerSize)
}

extension IndexKeyRecord {
    /// The bytes of the key.
    var keyBytes: [UInt8] { KeyWriter.bytes { encodeKey(into: &$0) } }

    /// Returns whether the key has these bytes.
    func hasKey(_ bytes: [UInt8]) -> Bool {
        // A key that cannot be stored is another key. A save of it throws `keyChanged`.
        let isSame = try? KeyWriter.withKey({ encodeKey(into: &$0) }) { key in
            ByteView.with(key) { key in ByteView.with(bytes) { key.equals($0) } }
        }
        return isSame ?? false
    }

    /// Returns the fields in the form of a stored value, with a header of zeros.
    ///
    /// - Throws: The error of a field that cannot be stored.
    func encodedValue() throws(CodingError) -> [UInt8] {
        var value = [UInt8](repeating: 0, count: StoredValue.size(fields: try checkedFieldsSize()))
        try value.withMutableRawSpan { (bytes) throws(CodingError) in
            try ValueWriter.write(into: &bytes) { writer in
                UInt64(0).encode(into: &writer)
                encodeFields(into: &writer)
            }
        }
        return value
    }

    /// Decodes a record from the bytes of its key and from an encoded value.
    init(key: [UInt8], encodedValue value: [UInt8]) throws {
        self = try ByteView.with(key) { key in
            try ByteView.with(value) { value in
                var reader = RecordReader(key: key, fields: StoredValue.fields(of: value))
                let record = try Self(decoding: &reader)
                try reader.finish()
                return record
            }
        }
    }
}
