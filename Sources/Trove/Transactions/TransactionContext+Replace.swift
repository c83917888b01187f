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

extension TransactionContext {
    /// Stores a record's bytes, written straight into the page.
    ///
    /// - Parameters:
    ///   - key: The record's key.
    ///   - fieldsSize: The number of bytes that `encodeFields` writes.
    ///   - rule: What to do about a record of that key.
    /// - Returns: False when such a record was left as it is.
    @usableFromInline
    func put(
        _ table: RecordTable, _ key: RawSpan, fieldsSize: Int, _ rule: ConflictRule,
        _ encodeFields: (inout ValueWriter) -> Void
    ) throws -> Bool {
        try translatingErrors {
            let isStored = try keyspace.put(
                table.database, key, size: StoredValue.headerSize + fieldsSize, keepingOld: rule != .replace
            ) { value in
                try ValueWriter.write(into: &value) { writer in
                    writer.writeInteger(table.fieldsVersion)
                    writer.writeInteger(UInt32(0))
                    encodeFields(&writer)
                }
                StoredValue.seal(&value, key: key, seed: table.checksumSeed)
            }
            if !isStored, rule == .throw {
                throw StoreError.keyExists(type: table.schema.name, key: copiedBytes(key))
            }
            if isStored { noteChange() }
            return isStored
        }
    }

    /// Removes a key; false when it was not there.
    @usableFromInline
    func remove(_ table: RecordTable, _ key: RawSpan) throws -> Bool {
        let wasThere = try translatingErrors { try keyspace.delete(table.database, key) }
        if wasThere { noteChange() }
        return wasThere
    }

    /// Removes the keys of a plan's ranges, up to its limit; gives how many there were.
    @usableFromInline
    func remove(_ table: RecordTable, _ plan: ScanPlan) throws -> Int {
        let removed = try translatingErrors {
            if plan.limit != nil {
                var scan = RecordScan(self, table, plan)
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
                try count + keyspace.deleteRange(table.database, range)
            }
        }
        if removed > 0 { noteChange() }
        return removed
    }
}
