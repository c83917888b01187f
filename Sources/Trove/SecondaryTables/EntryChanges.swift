// What has to be written when a record changes: its fields, the entries of the new record that the old one had not, and
// the other way round. Entries that both have cost nothing.

import TroveCoding

/// A record before and after a change. A transaction uses the same memory for one after the other.
final class EntryChanges {
    /// The value of the new record, with zeros before its fields.
    private(set) var value: [UInt8] = []
    var old = EntryList()
    var new = EntryList()
    /// The tables whose entries may change.
    var tables = TableSet.all

    func removeAll() {
        old.removeAll()
        new.removeAll()
        tables = .all
    }

    /// Writes the fields of the new record.
    ///
    /// - Throws: What keeps them from being written; nothing has changed in the store then.
    func encode(_ record: some IndexKeyRecord) throws {
        let size = StoredValue.headerSize + max(0, try record.fieldsSize())
        if value.count > size { value.removeLast(value.count - size) }
        if value.count < size { value.append(contentsOf: repeatElement(0, count: size - value.count)) }
        try unsafe value.withUnsafeMutableBytes { buffer in
            var bytes = unsafe buffer.mutableBytes
            try ValueWriter.write(into: &bytes) { writer in
                UInt64(0).encode(into: &writer)
                record.encodeFields(into: &writer)
            }
        }
    }

    /// Finds out which tables the change of a stored value can concern.
    ///
    /// - Throws: ``StoreError`` for a value that cannot be read.
    func compare(with stored: RawSpan, _ key: RawSpan, _ table: RecordTable) throws {
        guard unsafe stored.withUnsafeBytes({ unsafe StoredValue.version(of: $0) }) == table.fieldsVersion else {
            return
        }
        if table.verifiesChecksums { try table.verify(key, stored) }
        do {
            tables = try unsafe stored.withUnsafeBytes { stored in
                try unsafe value.withUnsafeBytes { new in
                    try unsafe table.schema.dependencies.changed(from: stored, to: new)
                }
            }
        } catch let error as CodingError {
            throw table.corrupted(key, error)
        }
    }

    /// Compares the two lists of entries, once both are made.
    func compareEntries() { old.keepCommon(with: &new) }
}
