// The one path by which records change: insert, update and delete differ only in which of old and new there is.

import LMDB
import TroveCoding

/// What an insert does when there is a record of the same key already.
public enum ConflictRule: Sendable {
    /// Puts the new record in its place.
    case replace
    /// Throws ``StoreError/keyExists(type:key:)``; the transaction stays usable.
    case `throw`
    /// Leaves the stored record as it is.
    case ignore
}

/// A record that is being written where it will lie. The transaction cannot be used meanwhile: it could move the bytes.
@usableFromInline
@safe struct NewRecord {
    let value: UnsafeMutableRawBufferPointer
    /// Kept by the transaction.
    let table: Unmanaged<RecordTable>

    init(value: UnsafeMutableRawBufferPointer, table: Unmanaged<RecordTable>) {
        unsafe self.value = value
        unsafe self.table = table
    }

    /// Where the fields go.
    @usableFromInline
    var fields: UnsafeMutableRawBufferPointer {
        unsafe UnsafeMutableRawBufferPointer(rebasing: value[StoredValue.headerSize...])
    }
}

extension TransactionContext {
    /// Makes room for a record in its page; nil when a record of that key was left as it is. Then fill its fields in at
    /// once, and `close` it, or `abandon` it.
    ///
    /// - Parameters:
    ///   - key: The record's key.
    ///   - fieldsSize: The number of bytes that `encodeFields` writes.
    ///   - rule: What to do about a record of that key.
    @usableFromInline
    func open(
        _ schema: RecordSchema, _ key: RawSpan, fieldsSize: Int, _ rule: ConflictRule
    ) throws -> NewRecord? {
        let record = try open(schema, key, fieldsSize: fieldsSize, mode: rule == .replace ? .replace : .keep)
        if rule == .throw, record == nil {
            throw StoreError.keyExists(type: schema.name, key: copiedBytes(key))
        }
        return record
    }

    /// - Parameter mode: What becomes of a record of that key.
    @inline(__always)
    func open(
        _ schema: RecordSchema, _ key: RawSpan, fieldsSize: Int, mode: TransactionCore.PutMode
    ) throws -> NewRecord? {
        let table = try unsafe tableForWriting(schema)
        let size = StoredValue.headerSize &+ max(0, fieldsSize)
        let value = try unsafe translatingErrors {
            try unsafe table._withUnsafeGuaranteedRef { table in
                try unsafe core.reserve(table.database, key, size: size, mode: mode)
            }
        }
        guard let value = unsafe value else { return nil }
        noteChange()
        core.openValue()
        return unsafe NewRecord(value: value, table: table)
    }

    /// Completes a record whose fields are filled in.
    @usableFromInline
    func close(_ record: NewRecord, _ key: RawSpan) {
        unsafe record.table._withUnsafeGuaranteedRef { table in
            var value = unsafe record.value.mutableBytes
            StoredValue.seal(&value, table.fieldsVersion, key: key, seed: table.checksumSeed)
            changedKeys.note(table.schema.keyPrefix, key)
        }
        core.closeValue()
    }

    /// Gives up a record whose fields could not be filled in, and with it the transaction.
    @usableFromInline
    func abandon(_ record: NewRecord, because error: any Error) {
        unsafe record.table._withUnsafeGuaranteedRef { table in
            core.poison(because: error, in: "insert", table.database)
        }
        core.closeValue()
    }

    /// Removes a key; false when it was not there.
    @usableFromInline
    func remove(_ table: RecordTable, _ key: RawSpan) throws -> Bool {
        let wasThere = try translatingErrors { try keyspace.delete(table.database, key) }
        if wasThere {
            noteChange()
            changedKeys.note(table.schema.keyPrefix, key)
        }
        return wasThere
    }

    /// Removes the keys of a plan's ranges, up to its limit; gives how many there were.
    @usableFromInline
    func remove(_ table: RecordTable, _ plan: ScanPlan) throws -> Int {
        let removed = try translatingErrors {
            if plan.limit != nil {
                var scan = try TableScan(self, table, plan, mayWrite: true)
                var removed = 0
                while let batch = try scan.next() {
                    _ = try batch.forEach { key, _ in
                        if try remove(table, key) { removed += 1 }
                        return true
                    }
                }
                return removed
            }
            if plan.isWholeTable {
                let count = try keyspace.count(table.database)
                if count > 0 { try keyspace.deleteAll(table.database) }
                return count
            }
            return try plan.ranges.reduce(0) { count, range in
                try count + keyspace.deleteRange(table.database, ScanRange(range))
            }
        }
        if removed > 0 {
            noteChange()
            changedKeys.noteAny(table.schema.keyPrefix)
        }
        return removed
    }
}
