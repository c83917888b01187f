// A record to read in place.

import LMDB
import TroveCoding

/// A stored record in its page. A write transaction cannot be used until the record is closed: a write could move the
/// bytes.
@usableFromInline
struct OpenRecord {
    @usableFromInline let value: ByteView
    @usableFromInline let table: HeldTable

    @inline(__always)
    init(_ value: ByteView, _ table: HeldTable) {
        self.value = value
        self.table = table
    }

    /// Decodes the open record.
    @inlinable
    @inline(__always)
    func decode<Record: IndexKeyRecord>(_ type: Record.Type, _ key: RawSpan) throws -> Record {
        try table.withTable { table in try ByteView.with(key) { key in try Record.decode(key, value, table) } }
    }
}

extension ReadContext {
    /// Finds a record by its key; nil if it is absent. Read the record at once, and `close` it.
    @usableFromInline
    final func open(_ schema: RecordSchema, _ key: RawSpan) throws -> OpenRecord? {
        guard let table = try knownTable(for: schema, reading: key) else { return nil }
        let keyspace = keyspace
        let found = try translatingErrors { try table.withTable { try keyspace.value($0.database, key) } }
        guard let value = found else { return nil }
        keyspace.openValue()
        return OpenRecord(value, table)
    }

    /// Ends the use of an open record.
    @usableFromInline
    final func close(_ record: OpenRecord) { keyspace.closeValue() }

    /// Returns the record with a key; nil if it is absent.
    final func record<Record: IndexKeyRecord>(of key: [UInt8], _ type: Record.Type) throws -> Record? {
        guard let table = try key.withRawSpan({ try knownTable(for: Record.schema, reading: $0) })?.table else {
            return nil
        }
        var record: Record?
        _ = try keyspace.withEntry(table.database, key) { record = try Record.decode($0, $1, table) }
        return record
    }
}
