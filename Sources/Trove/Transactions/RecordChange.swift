// The change of a record: the encoded new record, and the difference of the index entries. Entries that both records
// have cost nothing.

import LMDB
import TroveCoding

/// A record before and after a change. A transaction reuses the memory for its next change.
struct RecordChange: ~Copyable {
    /// The value of the new record, whose header is written last.
    private(set) var value: [UInt8] = []
    var old = IndexEntries()
    var new = IndexEntries()
    /// The indexes whose entries may change.
    private(set) var indexes = IndexMask.all
    private var values = ValuePair()

    mutating func removeAll() {
        old.removeAll()
        new.removeAll()
        indexes = .all
    }

    /// Marks all indexes as possibly changed.
    mutating func includeAllIndexes() { indexes = .all }

    /// Encodes the fields of the new record.
    ///
    /// - Throws: The error of a field. The store is unchanged.
    mutating func encode(_ record: some IndexKeyRecord) throws {
        let size = StoredValue.size(fields: try record.checkedFieldsSize())
        if value.count > size { value.removeLast(value.count - size) }
        if value.count < size { value.append(contentsOf: repeatElement(0, count: size - value.count)) }
        try value.withMutableRawSpan { bytes in
            try ValueWriter.write(into: &bytes) { writer in
                UInt64(0).encode(into: &writer)
                record.encodeFields(into: &writer)
            }
        }
    }

    /// Finds the indexes whose entries may change, by comparing stored values.
    ///
    /// - Throws: ``StoreError`` if the stored value cannot be read.
    mutating func compare(with stored: RawSpan, _ key: RawSpan, _ table: RecordTable) throws {
        guard StoredValue.version(of: stored) == table.fieldsVersion else { return }
        do {
            indexes = try ByteView.with(stored) { stored in
                try ByteView.with(value) { new in
                    values.set(stored, new)
                    return try table.schema.dependencies.changed(in: &values)
                }
            }
        } catch let error as CodingError {
            throw table.corrupted(key, error)
        }
    }

    /// Returns whether the stored value has the same bytes. Then the header of the new record's value is written.
    mutating func equals(_ stored: RawSpan, _ key: RawSpan, _ table: RecordTable) -> Bool {
        guard StoredValue.version(of: stored) == table.fieldsVersion, stored.byteCount == value.count else {
            return false
        }
        return ByteView.with(stored) { stored in
            guard ByteView.with(value, { StoredValue.fields(of: stored).equals(StoredValue.fields(of: $0)) }) else {
                return false
            }
            // A damaged checksum is not kept.
            seal(key, table)
            return ByteView.with(value) { stored.equals($0) }
        }
    }

    /// Writes the header of the new record's value.
    mutating func seal(_ key: RawSpan, _ table: RecordTable) {
        StoredValue.seal(&value, table.fieldsVersion, key: key, seed: table.checksumSeed)
    }

    /// Compares both derived lists of entries.
    mutating func compareEntries() { old.keepCommon(with: &new) }
}
