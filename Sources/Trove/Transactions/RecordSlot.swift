// The place of a record's value in its page: opened, filled and closed, without a copy.

import LMDB
import TroveCoding

/// A value to write in place. The transaction cannot be used until the slot is closed: a write could move the bytes.
@usableFromInline
struct RecordSlot {
    @usableFromInline let value: ReservedValue
    let table: HeldTable
    let kind: ChangeKind

    @inline(__always)
    init(_ value: ReservedValue, _ table: HeldTable, _ kind: ChangeKind) {
        self.value = value
        self.table = table
        self.kind = kind
    }

    /// Encodes the fields. They fill the slot exactly.
    @inlinable
    @inline(__always)
    func fill(_ encode: (inout ValueWriter) -> Void) throws(CodingError) {
        try value.write(from: StoredValue.headerSize) { (fields) throws(CodingError) in
            try ValueWriter.write(into: &fields, encode)
        }
    }

    /// Writes the header, after the fields.
    func seal(_ key: RawSpan, _ table: RecordTable) {
        value.write { StoredValue.seal(&$0, table.fieldsVersion, key: key, seed: table.checksumSeed) }
    }
}

extension TransactionContext {
    /// Reserves space for a record in its page; nil if the conflict rule keeps the stored record. Fill the slot at
    /// once, and `close` or `abandon` it.
    ///
    /// - Parameters:
    ///   - key: The record's key.
    ///   - fieldsSize: The number of bytes that `encodeFields` writes.
    ///   - rule: The treatment of a stored record with the key.
    @usableFromInline
    func open(_ schema: RecordSchema, _ key: RawSpan, fieldsSize: Int, _ rule: ConflictRule) throws -> RecordSlot? {
        let table = try tableForWriting(schema)
        let size = StoredValue.size(fields: fieldsSize)
        var mode: TransactionCore.PutMode = rule == .replace ? .replace : .keep
        let keyspace = keyspace
        var kind = ChangeKind.inserted
        if recorder != nil, rule == .replace {
            let reservation = try translatingErrors {
                try table.withTable { try keyspace.reserveUnlessStored($0.database, key, size: size) }
            }
            if case .new(let value) = reservation { return open(value, table, .inserted) }
            // The search for the stored value has moved the cursor to its place.
            (mode, kind) = (.replaceNext, .updated)
        }
        let reserved = try translatingErrors {
            try table.withTable { try keyspace.reserve($0.database, key, size: size, mode: mode) }
        }
        guard let value = reserved else {
            if rule == .throw {
                throw StoreError.record(.keyExists(type: schema.name, key: schema.storedKey(copiedBytes(key))))
            }
            return nil
        }
        return open(value, table, kind)
    }

    @inline(__always)
    private func open(_ value: ReservedValue, _ table: HeldTable, _ kind: ChangeKind) -> RecordSlot {
        noteChange()
        keyspace.openValue()
        return RecordSlot(value, table, kind)
    }

    /// Completes a record after its slot is filled.
    @usableFromInline
    func close(_ slot: RecordSlot, _ key: RawSpan) {
        slot.table.withTable { table in
            slot.seal(key, table)
            note(slot.kind, of: key, in: table)
        }
        keyspace.closeValue()
    }

    /// Abandons a record whose slot could not be filled, and the transaction with it.
    @usableFromInline
    func abandon(_ slot: RecordSlot, because error: any Error) {
        slot.table.withTable { keyspace.poison(because: error, in: "insert", $0.database) }
        keyspace.closeValue()
    }
}
