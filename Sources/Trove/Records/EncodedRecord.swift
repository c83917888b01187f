// The bytes of a record in the current layout.

import LMDB
import TroveCoding

/// The bytes of a record in the current layout of its type. Its memory is reused for the next record.
struct EncodedRecord {
    var key: [UInt8] = []
    var fields: [UInt8] = []
}

extension IndexKeyRecord {
    /// Returns the record's bytes in the current layout.
    func currentBytes() throws -> EncodedRecord {
        var bytes = EncodedRecord()
        do {
            try encode(into: &bytes)
        } catch let error as CodingError {
            throw StoreError(writing: Self.schema.name, error)
        }
        return bytes
    }

    /// Writes the record's bytes. An error of encoding is a `CodingError`.
    func encode(into new: inout EncodedRecord) throws {
        new.key = try KeyWriter.withKey({ encodeKey(into: &$0) }) { copiedBytes($0) }
        new.fields = try ValueWriter.bytes(count: checkedFieldsSize()) { encodeFields(into: &$0) }
    }
}
