// A record as live objects and lists read it.

import TroveCoding

/// A record as it was read, and its encoded value in the present layout.
///
/// It is a class, so that it is passed on in the same fast way for all record types.
final class FoundRecord<Record: IndexKeyRecord>: Sendable {
    let record: Record
    let bytes: [UInt8]

    /// Encodes a record.
    ///
    /// - Throws: ``StoreError/RecordError/unencodable(type:reason:)``.
    init(_ record: Record) throws(StoreError) {
        self.record = record
        do throws(CodingError) {
            bytes = try record.encodedValue()
        } catch {
            throw StoreError(writing: Record.schema.name, error)
        }
    }

    init(_ record: Record, bytes: [UInt8]) {
        self.record = record
        self.bytes = bytes
    }
}
