// What the closure of a write receives: all that a read can do, and changes.

import LMDB
import TroveCoding

/// A write transaction of a store, for the length of a closure.
///
/// It reads its own changes. It belongs to the thread that runs the closure.
@safe public final class TransactionContext: ReadContext {
    private let parent: TransactionContext?
    /// Tables that this transaction made or brought up to date, for types that the catalog in memory does not know so.
    private var pendingTables: [RecordTable] = []
    private var lastWritten: Unmanaged<RecordTable>?
    /// Whether the commit will change anything.
    private(set) var hasChanges = false

    override init(_ store: Store, _ core: TransactionCore, _ view: Catalog.View) {
        parent = nil
        super.init(store, core, view)
    }

    private init(_ core: TransactionCore, in parent: TransactionContext) {
        self.parent = parent
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
        forgetTable()
        return result
    }

    /// Commits, with one more in the store's count of commits, unless nothing was written.
    func commit() throws {
        try translatingErrors {
            if let failure = core.failure { throw failure }
            guard hasChanges else { return }
            let table = try catalogTable()
            let sequence = try table.number(.commitSequence) + 1
            try table.setNumber(.commitSequence, sequence)
            let transaction = core.identifier
            do throws(LMDBError) {
                try core.commit()
            } catch {
                throw StoreError(committing: error, sequence: sequence)
            }
            if pendingTables.isEmpty { catalog.note(Catalog.View(image: image, transaction: transaction)) }
        }
    }

    // MARK: Tables

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

    private func findTableForWriting(_ schema: RecordSchema) throws -> RecordTable {
        if let pending = pendingTable(for: schema) { return pending }
        if let known = try super.findTable(for: schema), known.isUpToDate { return known }
        return try translatingErrors { try registerType(schema) }
    }

    /// Writes a type, or a new layout or name of one, into the catalog, and creates its table.
    private func registerType(_ schema: RecordSchema) throws -> RecordTable {
        let catalog = try catalogTable()
        let stored = try catalog.type(schema.keyPrefix)
        if let stored { try self.catalog.check(schema, against: stored, in: image) }
        let type = CatalogType(
            qualifiedName: schema.qualifiedName, generation: stored?.generation ?? 0, keyLayout: schema.keyLayout)
        let name = TableName(keyPrefix: schema.keyPrefix, generation: type.generation)
        let database = try keyspace.createTable(named: name.text)
        try catalog.setType(schema.keyPrefix, type)
        try catalog.setLayout(schema.keyPrefix, version: schema.fieldsVersion, schema.layout)
        try catalog.setNumber(.schemaEpoch, catalog.number(.schemaEpoch) + 1)
        let table = RecordTable(
            schema, database, name, storedLayouts: stored?.layouts ?? [:], isUpToDate: true,
            verifiesChecksums: verifiesChecksums)
        pendingTables.append(table)
        noteChange()
        forgetTable()
        return table
    }
}
