// The maintenance of indexes of totals: their tables, and the numbers of records in them.

import LMDB
import TroveCoding

/// The maintenance of indexes of totals.
struct TotalsMaintainer: IndexMaintainer {
    // MARK: Tables

    var feature: StoreFeature? { .totals }

    func parts(of index: CatalogIndex, _ name: TableName) -> [TableName] { OpenTotals.names(name) }

    func open(_ index: CatalogIndex, _ tables: IndexTables) -> OpenIndex? {
        OpenTotals(index, tables).map { OpenIndex(index.kind, tables, parts: $0) }
    }

    func empty(_ index: CatalogIndex, _ name: TableName, in context: TransactionContext) throws {
        try context.use(.totals)
        context.totals.forget(name, in: context)
        let keyspace = context.keyspace
        for part in parts(of: index, name) { try keyspace.deleteAll(keyspace.createTable(named: part.text)) }
        try prepare(index, name, keyspace)
    }

    func prepare(_ index: CatalogIndex, _ name: TableName, _ keyspace: Keyspace) throws {
        try CountedRecords.begin(rows(of: index, name, keyspace), keyspace)
    }

    func complete(_ index: CatalogIndex, _ name: TableName, in context: TransactionContext) throws {
        let keyspace = context.keyspace
        for part in parts(of: index, name).dropFirst() {
            try CountedRecords.end(rows(of: index, name, keyspace), keyspace.createTable(named: part.text), keyspace)
        }
        context.totals.forgetProgress(name)
    }

    private func rows(of index: CatalogIndex, _ name: TableName, _ keyspace: Keyspace) throws -> RowTable {
        RowTable(
            try keyspace.createTable(named: name.text), name, type: "", index: index.text, verifiesChecksums: false)
    }

    // MARK: Changes

    func remove(
        _ entry: Int, of change: borrowing RecordChange, _ key: RawSpan, from table: RecordTable,
        in context: TransactionContext
    ) throws {
        let ordinal = change.old.entries[entry].index
        let value = change.old.value(of: entry)
        // The record is written already: without its totals, it must not be committed.
        try context.poisoningIfDamaged(table.indexes[ordinal].database) {
            let isCounted = try count(key, ordinal, table, context)
            if isCounted { try add(value, -1, ordinal, table, context) }
        }
    }

    func insert(
        _ entry: Int, of change: borrowing RecordChange, _ key: RawSpan, into table: RecordTable,
        in context: TransactionContext
    ) throws {
        let ordinal = change.new.entries[entry].index
        let value = change.new.value(of: entry)
        try context.poisoningIfDamaged(table.indexes[ordinal].database) {
            _ = try count(key, ordinal, table, context)
            try add(value, 1, ordinal, table, context)
        }
    }

    /// Notes that a record is counted by writes from now on. Returns whether the totals have had it before.
    private func count(
        _ key: RawSpan, _ ordinal: Int, _ table: RecordTable, _ context: TransactionContext
    ) throws -> Bool {
        guard let totals = table.indexes[ordinal].totals else { return true }
        let counted = try context.totals.counted(by: totals, context.keyspace)
        if counted.isComplete { return true }
        let key = copiedBytes(key)
        if try counted.contains(key) { return true }
        try counted.insert(key)
        return false
    }

    private func add(
        _ value: ArraySlice<UInt8>, _ sign: Int, _ ordinal: Int, _ table: RecordTable, _ context: TransactionContext
    ) throws {
        guard let totals = table.indexes[ordinal].totals else { return }
        try context.totals.add(value, sign, to: totals, sums: table.schema.indexes[ordinal].sumCount, in: context)
    }

    /// Begins the index again: no row says which numbers a record has in it. The next program that opens the store with
    /// the type builds it. Until then, queries read the records.
    func removeAll(
        of key: [UInt8], _ ordinal: Int, from table: RecordTable, _ valueSize: (RawSpan) -> Int?,
        in context: TransactionContext
    ) throws {
        let prefix = table.schema.keyPrefix
        guard var stored = try context.catalogStorage().type(prefix) else { return }
        try context.empty(table.indexes[ordinal].number, of: &stored, prefix)
        try context.set(stored, prefix)
    }

    // MARK: Builds

    func build(
        _ entries: EntrySorter, _ range: Range<Int>, _ ordinal: Int, of table: RecordTable,
        in context: TransactionContext
    ) throws {
        guard let totals = table.indexes[ordinal].totals, let last = range.last else { return }
        let counted = try context.totals.counted(by: totals, context.keyspace)
        for entry in range where try !counted.contains(Array(entries.recordKey(of: entry))) {
            try add(entries.value(of: entry), 1, ordinal, table, context)
        }
        let position = Array(entries.recordKey(of: last))
        if let before = counted.position, before.lexicographicallyPrecedes(position) {
            try context.totals.move(totals, to: position, context.keyspace)
        }
    }

    // MARK: Checks

    func contents(of index: OpenIndex, _ declared: IndexDescriptor, _ keyspace: Keyspace) -> (any CheckedContents)? {
        index.totals.map { CheckedTotals($0, sums: declared.sumCount, keyspace) }
    }

    func verify(
        _ database: Database, named name: TableName, of index: CatalogIndex?, _ type: CatalogType,
        _ keyspace: Keyspace
    ) throws {
        let table = RowTable(
            database, name, type: type.qualifiedName, index: index?.text ?? name.text, verifiesChecksums: true)
        try table.verify(keyspace)
    }
}
