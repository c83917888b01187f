// The maintenance of full-text indexes: their tables, and the words of records in them.
//
// An index of gathered text has no words of the records themselves. A save notes the record as waiting for its text
// (FullText/Gathering).

import LMDB
import TroveCoding

/// The maintenance of full-text indexes, of the records' own text and of gathered text.
struct TextMaintainer: IndexMaintainer {
    // MARK: Tables

    var feature: StoreFeature? { .text }

    func parts(of index: CatalogIndex, _ name: TableName) -> [TableName] {
        TextParts.names(name, isGathered: index.isGathered)
    }

    func sharedParts(_ keyPrefix: UInt32) -> [TableName] { RecordNumberParts.names(keyPrefix) }

    func open(_ index: CatalogIndex, _ tables: IndexTables) -> OpenIndex? {
        let text = OpenText(
            tables.name, index, type: tables.type, tables.parts, verifiesChecksums: tables.verifiesChecksums)
        return text.map { OpenIndex(index.kind, tables, parts: $0) }
    }

    func empty(_ index: CatalogIndex, _ name: TableName, in context: TransactionContext) throws {
        try context.use(.text)
        context.catalog.knownWords.removeAll()
        context.texts.close(name, depth: context.depth)
        let keyspace = context.keyspace
        for part in parts(of: index, name) { try keyspace.deleteAll(keyspace.createTable(named: part.text)) }
        // The index had another definition before.
        let waiting = name.part(TextPart.waiting.rawValue).text
        if !index.isGathered, let table = try keyspace.table(named: waiting) { try keyspace.deleteAll(table) }
        for part in sharedParts(name.keyPrefix) { _ = try keyspace.createTable(named: part.text) }
    }

    func emptyShared(_ keyPrefix: UInt32, in context: TransactionContext) throws {
        try context.emptyRecordNumbers(keyPrefix)
    }

    // MARK: Changes

    func remove(
        _ entry: Int, of change: borrowing RecordChange, _ key: RawSpan, from table: RecordTable,
        in context: TransactionContext
    ) throws {
        let ordinal = change.old.entries[entry].index
        // A new text replaces the old text.
        if !change.new.hasEntry(of: ordinal) { try context.removeText(of: key, ordinal, table) }
    }

    func insert(
        _ entry: Int, of change: borrowing RecordChange, _ key: RawSpan, into table: RecordTable,
        in context: TransactionContext
    ) throws {
        let ordinal = change.new.entries[entry].index
        if table.indexes[ordinal].isGathered { return }
        try context.saveText(change.new.value(of: entry), of: key, ordinal, table)
    }

    var followsRecords: Bool { true }

    func follow(
        _ key: RawSpan, isRemoved: Bool, _ ordinal: Int, in table: RecordTable, _ context: TransactionContext
    ) throws {
        if !isRemoved { return try context.noteForGathering(key, ordinal, table) }
        // The indexes of a type share the numbers of its records.
        let isFirst = ordinal == table.followers.first { table.indexes[$0].text != nil }
        if isFirst { try context.removeRecordNumber(key, ordinal, table) }
    }

    /// Removes the words of a record: the document says which words the record had.
    func removeAll(
        of key: [UInt8], _ ordinal: Int, from table: RecordTable, _ valueSize: (RawSpan) -> Int?,
        in context: TransactionContext
    ) throws {
        try key.withRawSpan { try context.removeText(of: $0, ordinal, table) }
    }

    // MARK: Builds

    /// Returns whether each record has a document, whose texts alone may differ from those of an older layout. The
    /// build compares each document with the record's texts of now, and writes the differences.
    func keepsRows(of index: IndexDescriptor) -> Bool { !index.isPartial && !index.needsKeysOnly }

    func build(
        _ entries: EntrySorter, _ range: Range<Int>, _ ordinal: Int, of table: RecordTable,
        in context: TransactionContext
    ) throws {
        if table.indexes[ordinal].isGathered {
            return try context.gatherForBuild(range.lazy.map { entries.recordKey(of: $0) }, ordinal, table)
        }
        for entry in range {
            try entries.recordKey(of: entry).withRawSpan { key in
                try context.saveText(entries.value(of: entry), of: key, ordinal, table)
            }
        }
    }

    // MARK: Checks

    func contents(of index: OpenIndex, _ declared: IndexDescriptor, _ keyspace: Keyspace) -> (any CheckedContents)? {
        guard let text = index.text, let rule = declared.rule else { return nil }
        return CheckedText(text, rule.gathering == nil ? rule.analyzer : nil, keyspace)
    }

    func verify(
        _ database: Database, named name: TableName, of index: CatalogIndex?, _ type: CatalogType,
        _ keyspace: Keyspace
    ) throws {
        let table = RowTable(
            database, name, type: type.qualifiedName, index: index?.text ?? RecordNumberParts.name,
            verifiesChecksums: true)
        try table.verify(keyspace)
    }
}
