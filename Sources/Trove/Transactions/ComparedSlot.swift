// Replaces a record without indexes unless its bytes are equal. A new record is written straight into its page. The
// bytes for a stored record go to spare memory first, and equal bytes are not written.

import LMDB
import TroveCoding

/// A value to write: in its page if the key is new, otherwise in spare memory.
@usableFromInline
struct ComparedSlot {
    @usableFromInline let slot: RecordSlot
    /// The stored value of the key.
    fileprivate let stored: ByteView?
}

extension TransactionContext {
    /// Replaces the record with a key, of a type without indexes.
    @inlinable
    @inline(__always)
    func replaceUnlessEqual<Record: IndexKeyRecord>(_ key: RawSpan, with new: Record) throws {
        let slot = try open(Record.schema, key, fieldsSize: try new.checkedFieldsSize())
        do throws(CodingError) {
            try slot.slot.fill { new.encodeFields(into: &$0) }
        } catch {
            abandon(slot, because: error)
            throw error
        }
        try close(slot, key)
    }

    /// Reserves space for a record. Fill the slot at once, and `close` or `abandon` it.
    @usableFromInline
    func open(_ schema: RecordSchema, _ key: RawSpan, fieldsSize: Int) throws -> ComparedSlot {
        let table = try tableForWriting(schema)
        let size = StoredValue.size(fields: fieldsSize)
        let keyspace = keyspace
        let reservation = try translatingErrors {
            try table.withTable { try keyspace.reserveUnlessStored($0.database, key, size: size) }
        }
        keyspace.openValue()
        switch reservation {
        case .new(let value):
            noteChange()
            return ComparedSlot(slot: RecordSlot(value, table, .inserted), stored: nil)
        case .stored(let stored):
            return ComparedSlot(slot: RecordSlot(spareValue.reserve(size), table, .updated), stored: stored)
        }
    }

    /// Completes a record after its slot is filled.
    @usableFromInline
    func close(_ slot: ComparedSlot, _ key: RawSpan) throws {
        guard let stored = slot.stored else { return close(slot.slot, key) }
        keyspace.closeValue()
        try slot.slot.table.withTable { table in
            slot.slot.seal(key, table)
            let value = slot.slot.value.view
            if value.equals(stored) { return }
            // The search for the stored value has moved the cursor to its place.
            _ = try translatingErrors {
                try keyspace.put(table.database, key, size: value.count, mode: .replaceNext) { bytes in
                    value.withSpan { copyBytes($0, into: &bytes) }
                }
            }
            note(.updated, of: key, in: table)
        }
    }

    /// Abandons a record whose slot could not be filled.
    @usableFromInline
    func abandon(_ slot: ComparedSlot, because error: any Error) {
        if slot.stored == nil { return abandon(slot.slot, because: error) }
        keyspace.closeValue()
    }
}
