// A copy of a record's bytes, or its encoding in the current layout. Cursors return it if the scan's batch does not
// hold the record in the current layout.

import LMDB
import TroveCoding

/// The bytes of a record in memory of their own.
@usableFromInline
final class CurrentRecord {
    private let entries = EntryBuffer()
    /// The record as the only entry of a batch.
    private let batch: EntryBatch

    /// The record as a match.
    @usableFromInline
    var matches: Matches { Matches(batch, bits: 1) }

    var entry: Entry { batch[0] }

    /// Encodes a record in the current layout.
    convenience init(_ record: some IndexKeyRecord, _ table: RecordTable) throws {
        let bytes = try record.currentBytes()
        self.init(key: bytes.key, fields: bytes.fields, table)
    }

    /// Creates a record from key and field bytes of the current layout.
    convenience init(key: [UInt8], fields: [UInt8], _ table: RecordTable) {
        var value = [UInt8](repeating: 0, count: StoredValue.headerSize) + fields
        StoredValue.seal(&value, table.fieldsVersion, key: key, seed: table.checksumSeed)
        self.init(key: key, value: value)
    }

    private convenience init(key: [UInt8], value: [UInt8]) {
        self.init(copyingBytes: { body in ByteView.with(key) { key in ByteView.with(value) { body(Entry(key, $0)) } } })
    }

    /// Copies a match. The bytes of a batch are valid only until the next batch.
    @usableFromInline
    convenience init(copying matches: Matches, _ index: Int, _ table: RecordTable) {
        self.init(copying: matches[index])
    }

    /// Copies an entry.
    convenience init(copying entry: Entry) { self.init(copyingBytes: { body in body(entry) }) }

    private init(copyingBytes withEntry: ((Entry) -> Void) -> Void) {
        let buffer = entries
        withEntry { buffer.append($0) }
        batch = buffer.batch(atMost: 1)
    }

    func decoded<Record: IndexKeyRecord>(_ table: RecordTable) throws -> Record { try Record.decode(entry, table) }
}
