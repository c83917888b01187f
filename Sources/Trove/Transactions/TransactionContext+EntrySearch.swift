// The removal of a damaged record, with a search for its index entries: they cannot be derived.

import LMDB
import TroveCoding

extension TransactionContext {
    /// Removes a damaged record. The indexes are scanned for its entries.
    ///
    /// - Returns: Whether the record existed.
    func removeDamaged<Record: IndexKeyRecord>(_ type: Record.Type, _ key: RawSpan) throws -> Bool {
        let key = copiedBytes(key)
        return try translatingErrors {
            try nested { context in
                let table = try context.tableForWriting(Record.schema).table
                guard try key.withRawSpan({ try context.remove(table, $0) }) else { return false }
                try context.removeAllEntries(of: key, Record.self, table)
                try key.withRawSpan { try context.follow($0, isRemoved: true, in: table) }
                return true
            }
        }
    }

    /// Removes all index entries of a record, found by a scan of each index.
    func removeAllEntries<Record: IndexKeyRecord>(
        of key: [UInt8], _ type: Record.Type, _ table: RecordTable
    ) throws {
        for (place, declared) in Record.indexes.enumerated() where place < table.indexes.count {
            try declared.descriptor.kind.maintainer.removeAll(
                of: key, place, from: table, declared.valueSize(in:), in: self)
        }
    }

    /// Removes the entries of a record from totals with a condition, which its bytes do not evaluate. Other indexes do
    /// not mind the removal of an entry that they do not have; from totals it would be taken away.
    func removeAssumedEntries<Record: IndexKeyRecord>(
        _ change: borrowing RecordChange, of key: [UInt8], _ type: Record.Type, _ table: RecordTable
    ) throws {
        for (place, declared) in Record.indexes.enumerated() where place < table.indexes.count {
            let descriptor = declared.descriptor
            guard descriptor.isPartial, descriptor.kind.hasGroups, change.old.hasEntry(of: place) else { continue }
            try descriptor.kind.maintainer.removeAll(of: key, place, from: table, declared.valueSize(in:), in: self)
        }
    }
}
