// The maintenance of ranked indexes: that of a table of entries, and the counts of the entries.
//
// The counts are those of the stored entries at any time, also during a build: only an entry that was not stored is
// counted, and only one that was stored is taken away.

import LMDB
import TroveCoding

/// The maintenance of ranked indexes.
struct RankedMaintainer: IndexMaintainer {
    // MARK: Tables

    var feature: StoreFeature? { .ranks }

    func parts(of index: CatalogIndex, _ name: TableName) -> [TableName] { OpenRanks.names(name) }

    func open(_ index: CatalogIndex, _ tables: IndexTables) -> OpenIndex? {
        OpenRanks(index, tables).map { OpenIndex(index.kind, tables, parts: $0) }
    }

    func empty(_ index: CatalogIndex, _ name: TableName, in context: TransactionContext) throws {
        try context.use(.ranks)
        context.ranks.forget(name, in: context)
        let keyspace = context.keyspace
        for part in parts(of: index, name) { try keyspace.deleteAll(keyspace.createTable(named: part.text)) }
    }

    // MARK: Changes

    func remove(
        _ entry: Int, of change: borrowing RecordChange, _ key: RawSpan, from table: RecordTable,
        in context: TransactionContext
    ) throws {
        let index = table.indexes[change.old.entries[entry].index]
        try remove(StoredEntry.key(of: change.old.bytes(of: entry)), from: index, in: context)
    }

    private func remove(_ storedKey: [UInt8], from index: OpenIndex, in context: TransactionContext) throws {
        let wasStored = try context.keyspace.delete(index.database, storedKey)
        if wasStored { try note(storedKey, isNew: false, index, context) }
    }

    func insert(
        _ entry: Int, of change: borrowing RecordChange, _ key: RawSpan, into table: RecordTable,
        in context: TransactionContext
    ) throws {
        let index = table.indexes[change.new.entries[entry].index]
        try insert(change.new.bytes(of: entry), of: change.new.recordKey(of: entry), into: index, in: context)
    }

    private func insert(
        _ entry: ArraySlice<UInt8>, of recordKey: ArraySlice<UInt8>, into index: OpenIndex,
        in context: TransactionContext
    ) throws {
        let keyspace = context.keyspace
        let storedKey = StoredEntry.key(of: entry)
        let value = StoredEntry.value(of: entry, key: storedKey, recordKey: recordKey, seed: index.seed)
        let isNew = try keyspace.put(index.database, storedKey, size: value.count, mode: .keep) { bytes in
            value.withRawSpan { copyBytes($0, into: &bytes) }
        }
        if isNew { return try note(storedKey, isNew: true, index, context) }
        // The stored value of a long entry may be damaged.
        if !value.isEmpty { try keyspace.put(index.database, storedKey, value) }
    }

    private func note(_ storedKey: [UInt8], isNew: Bool, _ index: OpenIndex, _ context: TransactionContext) throws {
        // The index does not open without its counts.
        guard let ranks = index.ranks else { return }
        try ByteView.with(storedKey) { try context.ranks.note($0, isNew: isNew, of: ranks, in: context) }
    }

    func removeAll(
        of key: [UInt8], _ ordinal: Int, from table: RecordTable, _ valueSize: (RawSpan) -> Int?,
        in context: TransactionContext
    ) throws {
        let index = table.indexes[ordinal]
        for storedKey in try StoredEntry.keys(of: key, in: index, context.keyspace, valueSize) {
            try remove(storedKey, from: index, in: context)
        }
    }

    // MARK: Builds

    func build(
        _ entries: EntrySorter, _ range: Range<Int>, _ ordinal: Int, of table: RecordTable,
        in context: TransactionContext
    ) throws {
        for entry in range {
            try insert(
                entries.bytes(of: entry), of: entries.recordKey(of: entry), into: table.indexes[ordinal], in: context)
        }
    }

    // MARK: Checks

    func verify(
        _ database: Database, named name: TableName, of index: CatalogIndex?, _ type: CatalogType,
        _ keyspace: Keyspace
    ) throws {
        if name.part == 0 {
            return try EntryMaintainer().verify(database, named: name, of: index, type, keyspace)
        }
        let table = RowTable(
            database, name, type: type.qualifiedName, index: index?.text ?? name.text, verifiesChecksums: true)
        try table.verify(keyspace)
    }
}
