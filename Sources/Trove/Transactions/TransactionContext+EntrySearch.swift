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
                try key.withRawSpan { try context.removeRecordNumber($0, table) }
                return true
            }
        }
    }

    /// Removes all index entries of a record, found by a scan of each index.
    func removeAllEntries<Record: IndexKeyRecord>(
        of key: [UInt8], _ type: Record.Type, _ table: RecordTable
    ) throws {
        for (place, declared) in Record.indexes.enumerated() where place < table.indexes.count {
            if declared.descriptor.kind.isText {
                // The document says which words the record had.
                try key.withRawSpan { try removeText(of: $0, place, table) }
            } else {
                try removeEntries(ofRecord: key, from: table.indexes[place], declared.valueSize(in:))
            }
        }
    }

    private func removeEntries(
        ofRecord recordKey: [UInt8], from target: OpenIndex, _ valueSize: (RawSpan) -> Int?
    ) throws {
        var entries: [[UInt8]] = []
        try keyspace.scan(target.database, ScanRange()) { entry, stored in
            let isOfRecord =
                if stored.byteCount > 0 {
                    StoredEntry.recordKey(in: stored, key: entry, seed: target.seed) == recordKey
                } else {
                    ByteView.with(entry) { $0.ends(with: recordKey) }
                        && valueSize(entry) == entry.byteCount - recordKey.count
                }
            if isOfRecord { entries.append(copiedBytes(entry)) }
            return .continue
        }
        for entry in entries { try keyspace.delete(target.database, entry) }
    }
}
