// The maintenance of indexes. The maintainer of a kind alone knows the tables and the rows of its indexes.
//
//     tables     those of TableMaintainer · empty · complete · emptyShared
//     changes    remove · insert · follow · removeAll
//     builds     keepsRows · build
//     checks     contents · verify
//
// A kind with entries needs nothing of its own: the defaults are the maintenance of a table of entries. Another kind is
// a maintainer beside its code, and a line in `IndexKind.all`.

import LMDB
import TroveCoding

/// The maintenance of the indexes of a kind.
protocol IndexMaintainer: TableMaintainer {
    // MARK: Tables

    /// Creates the tables of an index, and removes their rows.
    ///
    /// - Parameter name: The name of the first table.
    func empty(_ index: CatalogIndex, _ name: TableName, in context: TransactionContext) throws

    /// Notes that an index has the rows of all records, because its build has ended, or because there are no records.
    /// A dropped index has none either.
    ///
    /// - Parameter name: The name of the first table.
    func complete(_ index: CatalogIndex, _ name: TableName, in context: TransactionContext) throws

    /// Removes the rows that the indexes of a type share. All of these indexes are empty.
    func emptyShared(_ keyPrefix: UInt32, in context: TransactionContext) throws

    // MARK: Changes

    /// Removes an entry that a record does not have any more.
    ///
    /// - Parameters:
    ///   - entry: The position of the entry in the list of the old record.
    ///   - key: The key of the record.
    func remove(
        _ entry: Int, of change: borrowing RecordChange, _ key: RawSpan, from table: RecordTable,
        in context: TransactionContext
    ) throws

    /// Stores an entry that a record did not have before.
    ///
    /// - Parameters:
    ///   - entry: The position of the entry in the list of the new record.
    ///   - key: The key of the record.
    func insert(
        _ entry: Int, of change: borrowing RecordChange, _ key: RawSpan, into table: RecordTable,
        in context: TransactionContext
    ) throws

    /// Follows a save or a removal of a record, after all entries are written. Called only if the index
    /// ``followsRecords``.
    ///
    /// - Parameters:
    ///   - key: The key of the record.
    ///   - ordinal: The position of an index among the indexes of the type. Each of them is called.
    func follow(
        _ key: RawSpan, isRemoved: Bool, _ ordinal: Int, in table: RecordTable, _ context: TransactionContext
    ) throws

    /// Removes all entries of a record whose bytes do not say which entries it has.
    ///
    /// - Parameters:
    ///   - ordinal: The position of the index among the indexes of the type.
    ///   - valueSize: Returns the number of bytes before the record's key in an entry that is stored whole.
    func removeAll(
        of key: [UInt8], _ ordinal: Int, from table: RecordTable, _ valueSize: (RawSpan) -> Int?,
        in context: TransactionContext
    ) throws

    // MARK: Builds

    /// Returns whether an index keeps the rows of an older layout, because a build replaces each of them.
    func keepsRows(of index: IndexDescriptor) -> Bool

    /// Stores collected entries in the order of the list.
    ///
    /// - Parameter ordinal: The position of the index among the indexes of the type.
    func build(
        _ entries: EntrySorter, _ range: Range<Int>, _ ordinal: Int, of table: RecordTable,
        in context: TransactionContext
    ) throws

    // MARK: Checks

    /// Returns the rows of an index for a check; nil for an index of entries.
    func contents(of index: OpenIndex, _ declared: IndexDescriptor, _ keyspace: Keyspace) -> (any CheckedContents)?

    /// Verifies the checksum of each row of a table.
    ///
    /// - Parameters:
    ///   - name: The name of the table.
    ///   - index: The index; nil for a table that indexes share.
    /// - Throws: ``StoreError/RecordError/indexDamaged(type:index:key:)`` for the first row that fails its checksum.
    func verify(
        _ database: Database, named name: TableName, of index: CatalogIndex?, _ type: CatalogType,
        _ keyspace: Keyspace
    ) throws
}

// MARK: A table of entries

extension IndexMaintainer {
    func empty(_ index: CatalogIndex, _ name: TableName, in context: TransactionContext) throws {
        try context.keyspace.deleteAll(context.keyspace.createTable(named: name.text))
    }

    func complete(_ index: CatalogIndex, _ name: TableName, in context: TransactionContext) throws {}

    func emptyShared(_ keyPrefix: UInt32, in context: TransactionContext) throws {}

    func remove(
        _ entry: Int, of change: borrowing RecordChange, _ key: RawSpan, from table: RecordTable,
        in context: TransactionContext
    ) throws {
        let index = table.indexes[change.old.entries[entry].index]
        try StoredEntry.delete(change.old.bytes(of: entry), index, context.keyspace)
    }

    func insert(
        _ entry: Int, of change: borrowing RecordChange, _ key: RawSpan, into table: RecordTable,
        in context: TransactionContext
    ) throws {
        let index = table.indexes[change.new.entries[entry].index]
        // The check of a unique value has moved the cursor to the position of the entry.
        try StoredEntry.put(
            change.new.bytes(of: entry), of: change.new.recordKey(of: entry), index, context.keyspace,
            mode: index.kind.isUnique ? .replaceNext : .replace)
    }

    func follow(
        _ key: RawSpan, isRemoved: Bool, _ ordinal: Int, in table: RecordTable, _ context: TransactionContext
    ) throws {}

    func removeAll(
        of key: [UInt8], _ ordinal: Int, from table: RecordTable, _ valueSize: (RawSpan) -> Int?,
        in context: TransactionContext
    ) throws {
        let index = table.indexes[ordinal]
        for storedKey in try StoredEntry.keys(of: key, in: index, context.keyspace, valueSize) {
            try context.keyspace.delete(index.database, storedKey)
        }
    }

    func keepsRows(of index: IndexDescriptor) -> Bool { false }

    func build(
        _ entries: EntrySorter, _ range: Range<Int>, _ ordinal: Int, of table: RecordTable,
        in context: TransactionContext
    ) throws {
        try StoredEntry.put(entries, range, into: table.indexes[ordinal], context.keyspace)
    }

    func contents(of index: OpenIndex, _ declared: IndexDescriptor, _ keyspace: Keyspace) -> (any CheckedContents)? {
        nil
    }

    func verify(
        _ database: Database, named name: TableName, of index: CatalogIndex?, _ type: CatalogType,
        _ keyspace: Keyspace
    ) throws {
        let seed = name.checksumSeed
        try keyspace.scan(database, ScanRange()) { key, value in
            guard StoredEntry.isIntact(value, key: key, seed: seed) else {
                throw StoreError.record(
                    .indexDamaged(
                        type: type.qualifiedName, index: index?.text ?? name.text,
                        key: index.map { type.entryKey(copiedBytes(key), of: $0) }
                            ?? StoredKey(copiedBytes(key), of: type.qualifiedName)))
            }
            return .continue
        }
    }
}

extension EntryMaintainer: IndexMaintainer {}

extension IndexKind {
    private static let maintainers = MaintainersByKind<any IndexMaintainer> {
        $0 as? any IndexMaintainer ?? EntryMaintainer()
    }

    /// The maintenance of indexes.
    var maintainer: any IndexMaintainer { Self.maintainers[self] }
}

// MARK: All indexes of a type

extension TransactionContext {
    /// Removes the entries that only the old record has, and stores the entries that only the new record has.
    ///
    /// - Parameter isMaintained: Whether each index of the type is maintained; nil if all are.
    func apply(
        _ change: borrowing RecordChange, _ key: RawSpan, to table: RecordTable, _ isMaintained: [Bool]? = nil
    ) throws {
        for entry in change.old.entries.indices where !change.old.entries[entry].isKept {
            let ordinal = change.old.entries[entry].index
            if isMaintained?[ordinal] == false { continue }
            try table.indexes[ordinal].kind.maintainer.remove(entry, of: change, key, from: table, in: self)
        }
        for entry in change.new.entries.indices where !change.new.entries[entry].isKept {
            let ordinal = change.new.entries[entry].index
            if isMaintained?[ordinal] == false { continue }
            try table.indexes[ordinal].kind.maintainer.insert(entry, of: change, key, into: table, in: self)
        }
    }

    /// Lets the indexes that follow records follow a save or a removal.
    func follow(_ key: RawSpan, isRemoved: Bool, in table: RecordTable, _ isMaintained: [Bool]? = nil) throws {
        for ordinal in table.followers where isMaintained?[ordinal] != false {
            try table.indexes[ordinal].kind.maintainer.follow(key, isRemoved: isRemoved, ordinal, in: table, self)
        }
    }

    /// Creates the tables of an index, and removes their rows.
    ///
    /// - Parameter name: The name of the first table.
    func empty(_ index: CatalogIndex, _ name: TableName) throws {
        try index.kind.maintainer.empty(index, name, in: self)
    }

    /// Empties an index before a rebuild.
    func empty(_ number: UInt32, of stored: inout CatalogType, _ prefix: UInt32) throws {
        let name = TableName(keyPrefix: prefix, table: TableNumber(rawValue: number))
        if let index = stored.indexes[number] {
            try empty(index, name)
        }
        stored.indexes[number] = stored.indexes[number]?.emptied
    }

    /// Removes the rows of all indexes of a type, whose records are removed together.
    func emptyIndexes(of table: RecordTable) throws {
        let keyPrefix = table.schema.keyPrefix
        for open in table.indexes {
            guard let index = table.type.indexes[open.number] else { continue }
            let name = TableName(keyPrefix: keyPrefix, table: TableNumber(rawValue: open.number))
            try empty(index, name)
            if index.isReady { try index.kind.maintainer.complete(index, name, in: self) }
        }
        for kind in Set(table.indexes.map(\.kind)) { try kind.maintainer.emptyShared(keyPrefix, in: self) }
    }
}
