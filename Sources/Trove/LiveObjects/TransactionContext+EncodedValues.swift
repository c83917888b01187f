// Stores records whose encoded values live objects have.

import LMDB
import TroveCoding

extension TransactionContext {
    /// Stores a record that is encoded already. A collision rule that leaves the record unsaved is an error here.
    ///
    /// The fields of a record without indexes are copied. An entity is encoded again, since its hooks may change it. So
    /// is a record with indexes: its entries are derived from the record, in which a class may have changed meanwhile.
    /// Such a change of a record without indexes is stored only after `didChange()`.
    ///
    /// - Parameter value: The encoded value of the record.
    /// - Throws: The errors of ``insertOrThrow(_:onConflict:)``.
    func insertOrThrow<Record: IndexKeyRecord>(
        _ record: Record, encoded value: [UInt8], onConflict rule: ConflictRule = .replace
    ) throws {
        let fieldsSize = value.count - StoredValue.headerSize
        // Without fields, the value may be in place of a record that cannot be encoded: then this throws the error.
        guard Record.schema.isWrittenDirectly, fieldsSize > 0 else {
            return try insertOrThrow(record, onConflict: rule)
        }
        do {
            try KeyWriter.withKey({ record.encodeKey(into: &$0) }) { key in
                guard let slot = try open(Record.schema, key, fieldsSize: fieldsSize, rule) else {
                    throw errorOfRefusal(of: record)
                }
                slot.fill(with: value)
                close(slot, key)
            }
        } catch let error as CodingError {
            throw StoreError(writing: Record.schema.name, error)
        }
    }
}

extension RecordSlot {
    /// Copies the fields of an encoded value, which fill the slot exactly.
    fileprivate func fill(with encoded: [UInt8]) {
        value.write(from: StoredValue.headerSize) { fields in
            ByteView.with(encoded) { StoredValue.fields(of: $0).withSpan { copyBytes($0, into: &fields) } }
        }
    }
}
