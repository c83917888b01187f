// What the closure of a write receives: all that a read can do, and changes.

import LMDB
import TroveCoding

/// A write transaction of a store, for the length of a closure.
///
/// It reads its own changes. It belongs to the thread that runs the closure.
@safe public final class TransactionContext: ReadContext {
    private let parent: TransactionContext?
    /// Whether a type may be written with a layout that is not its newest one.
    let allowsOlderLayouts: Bool
    /// Tables that this transaction made or brought up to date, for types that the catalog in memory does not know so.
    private var pendingTables: [RecordTable] = []
    private var lastWritten: Unmanaged<RecordTable>?
    /// Whether the commit will change anything.
    private(set) var hasChanges = false
    /// Whether the catalog's types are no longer those of the image.
    private var hasChangedTypes = false

    /// The records that the commit will change.
    var changedKeys = ChangedKeys()
    /// Whether this is the transaction of a statement, at whose end unique values are compared.
    var isStatement = false
    /// What a statement has to look at when it ends.
    var deferredChecks: [DeferredCheck] = []
    /// Memory for the entries of a record that changes, while no record does.
    var spareChanges: RecordChange?

    override init(_ store: Store, _ core: TransactionCore, _ view: Catalog.View) {
        parent = nil
        allowsOlderLayouts = store.allowsOlderLayout
        super.init(store, core, view)
    }

    private init(_ core: TransactionCore, in parent: TransactionContext) {
        self.parent = parent
        allowsOlderLayouts = parent.allowsOlderLayouts
        super.init(core, in: parent)
    }

    final func noteChange() { hasChanges = true }

    /// Runs a closure in a transaction within this one, which takes effect when it returns, and is undone alone when
    /// it throws.
    ///
    /// This context cannot be used until the closure returns; use the one that it receives.
    ///
    /// - Parameter body: Runs once, on this thread.
    /// - Returns: What the closure returns.
    /// - Throws: What the closure throws; this transaction stays usable then.
    @discardableResult
    public func nested<R>(_ body: (TransactionContext) throws -> R) throws -> R {
        let child = try translatingErrors {
            try core.check(lease)
            return TransactionContext(try core.beginNested(), in: self)
        }
        defer { child.core.endNested() }
        let result = try body(child)
        try translatingErrors { try child.core.commit() }
        pendingTables += child.pendingTables
        hasChanges = hasChanges || child.hasChanges
        changedKeys.formUnion(child.changedKeys)
        deferredChecks += child.deferredChecks
        hasChangedTypes = hasChangedTypes || child.hasChangedTypes
        forgetTables()
        return result
    }

    /// Commits, with one more in the store's count of commits, unless nothing was written.
    func commit() throws {
        try translatingErrors {
            if let failure = core.failure { throw failure }
            guard hasChanges else { return }
            let table = try catalogStorage()
            let sequence = try table.number(.commitSequence) + 1
            try table.setNumber(.commitSequence, sequence)
            let transaction = core.identifier
            do throws(LMDBError) {
                try core.commit()
            } catch {
                throw StoreError(committing: error, sequence: sequence)
            }
            catalog.observers.notify(CommitNotice(sequence: sequence, changedKeys: changedKeys))
            if !hasChangedTypes { catalog.note(Catalog.View(image: image, transaction: transaction)) }
        }
    }

    // MARK: Tables

    private func forgetTables() {
        forgetTable()
        unsafe lastWritten = nil
    }

    override func findTable(for schema: RecordSchema) throws -> RecordTable? {
        if let pending = pendingTable(for: schema) { return pending }
        return try super.findTable(for: schema)
    }

    private func pendingTable(for schema: RecordSchema) -> RecordTable? {
        pendingTables.last { $0.schema === schema } ?? parent?.pendingTable(for: schema)
    }

    /// The table of a type's records, made where there is none, with the type's present layout in the catalog.
    ///
    /// The image keeps it, or this transaction.
    @inline(__always)
    @unsafe func tableForWriting(_ schema: RecordSchema) throws -> Unmanaged<RecordTable> {
        do throws(LMDBError) { try core.check(lease) } catch { throw StoreError(error) }
        if let lastWritten = unsafe lastWritten, unsafe lastWritten._withUnsafeGuaranteedRef({ $0.schema === schema }) {
            return unsafe lastWritten
        }
        let table = unsafe Unmanaged.passUnretained(try findTableForWriting(schema))
        unsafe lastWritten = table
        return unsafe table
    }

    /// The table of a type from which records are to be removed; nil where there is none.
    ///
    /// - Throws: ``StoreError/schemaNewer(path:type:stored:declared:undeclaredIndexes:)``, as writing does.
    @usableFromInline
    func tableForRemoval(_ schema: RecordSchema) throws -> RecordTable? {
        guard let table = try table(for: schema), !table.isUpToDate else { return try table(for: schema) }
        if table.outdated != nil { return try unsafe tableForWriting(schema).takeUnretainedValue() }
        // A migration to other keys, of which this program does not know, would bring copied records back.
        let migration = try translatingErrors { try catalogStorage().migration(schema.keyPrefix) }
        if let migration, migration.generation != table.type.generation {
            try translatingErrors { try endMigration(of: table.type, schema.keyPrefix) }
        }
        return table
    }

    private func findTableForWriting(_ schema: RecordSchema) throws -> RecordTable {
        if let pending = pendingTable(for: schema) { return pending }
        if let known = try super.findTable(for: schema), known.isUpToDate { return known }
        return try translatingErrors { try registerType(schema) }
    }

    /// Writes a type, or a new layout or name of one, into the catalog, and creates its table.
    private func registerType(_ schema: RecordSchema) throws -> RecordTable {
        let stored = try catalogStorage().type(schema.keyPrefix)
        if let stored { try catalog.check(schema, against: stored, in: image) }
        let name = TableName(keyPrefix: schema.keyPrefix, generation: stored?.generation ?? 0)
        let database = try keyspace.createTable(named: name.text)
        let type = try adopt(schema, over: stored, isEmpty: keyspace.count(database) == 0)
        return try use(type, for: schema)
    }

    /// Goes on with a type as the catalog has it now.
    @discardableResult
    func use(_ type: CatalogType, for schema: RecordSchema) throws -> RecordTable {
        let name = TableName(keyPrefix: schema.keyPrefix, generation: type.generation)
        let database = try keyspace.createTable(named: name.text)
        var indexes: [UInt32: Database] = [:]
        for number in type.indexes.keys {
            let name = TableName(keyPrefix: schema.keyPrefix, table: TableNumber(rawValue: number))
            indexes[number] = try keyspace.table(named: name.text)
        }
        let table = RecordTable(
            schema, database, name, type, indexes, catalog, verifiesChecksums: verifiesChecksums)
        pendingTables.append(table)
        forgetTables()
        return table
    }

    /// Makes a schema's layout a type's newest one.
    ///
    /// - Parameters:
    ///   - stored: What the catalog holds of the type.
    ///   - isEmpty: Whether it has no records, so that none is of an older layout.
    /// - Returns: What the catalog holds now.
    /// - Throws: ``StoreError/schemaNewer(path:type:stored:declared:undeclaredIndexes:)``.
    func adopt(
        _ schema: RecordSchema, over stored: CatalogType?, isEmpty: Bool = false
    ) throws -> CatalogType {
        var type = stored ?? CatalogType(schema)
        let leavesTablesBehind = !type.undeclaredIndexes(by: schema).isEmpty
        if leavesTablesBehind || !allowsOlderLayouts && type.hasNewerLayout(than: schema) {
            throw catalog.newer(type, than: schema)
        }
        let isNewLayout = type.newestVersion != schema.fieldsVersion || stored == nil
        // What is written in this layout from now on would be behind the back of a migration to another one.
        if type.newestVersion != schema.fieldsVersion { try endMigration(of: type, schema.keyPrefix) }
        type.adopt(schema)
        if isEmpty { type.oldestOrdinal = type.newestOrdinal }
        try adoptIndexes(schema, &type, isEmpty: isEmpty, isNewLayout: isNewLayout)
        try set(type, schema.keyPrefix)
        return type
    }

    /// Makes the indexes that a schema has, and empties those whose entries may not follow from the records
    /// any more. They are ready when entries of all records have been made.
    private func adoptIndexes(
        _ schema: RecordSchema, _ type: inout CatalogType, isEmpty: Bool, isNewLayout: Bool
    ) throws {
        for (table, known) in zip(schema.indexes, type.indexNumbers(of: schema)) {
            // What a migration by hand makes of a property, nobody knows but the type.
            if let known, type.hasTable(table, known), !isNewLayout {
                if table.allowsDuplicates { type.indexes[known]?.allowDuplicates() }
                continue
            }
            let number = known ?? (type.indexes.keys.max() ?? 0) + 1
            let name = TableName(keyPrefix: schema.keyPrefix, table: TableNumber(rawValue: number))
            try keyspace.deleteAll(keyspace.createTable(named: name.text))
            let old = known.flatMap { type.indexes[$0] }
            let names = (old?.formerNames ?? []) + [old?.name ?? table.name]
            type.indexes[number] = CatalogIndex(
                table, formerNames: names.filter { $0 != table.name })
            guard isEmpty else { continue }
            type.indexes[number]?.state = table.kind.readable(mayHaveDuplicates: table.allowsDuplicates)
        }
    }

    /// Writes a type into the catalog, for all programs to notice.
    func set(_ type: CatalogType, _ keyPrefix: UInt32) throws {
        let catalog = try catalogStorage()
        try catalog.setType(keyPrefix, type)
        try catalog.setNumber(.schemaEpoch, catalog.number(.schemaEpoch) + 1)
        hasChangedTypes = true
        noteChange()
    }

    /// Forgets a migration that is under way, and what it has written into a table of another generation.
    func endMigration(of type: CatalogType, _ keyPrefix: UInt32) throws {
        let catalog = try catalogStorage()
        guard let migration = try catalog.migration(keyPrefix) else { return }
        if migration.generation != type.generation {
            let name = TableName(keyPrefix: keyPrefix, generation: migration.generation)
            if let table = try keyspace.table(named: name.text) { try keyspace.deleteAll(table) }
        }
        try catalog.setMigration(keyPrefix, nil)
        noteChange()
    }
}
