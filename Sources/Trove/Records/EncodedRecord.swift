// The bytes of a record in the current layout.

/// The bytes of a record in the current layout of its type. Its memory is reused for the next record.
struct EncodedRecord {
    var key: [UInt8] = []
    var fields: [UInt8] = []
}
