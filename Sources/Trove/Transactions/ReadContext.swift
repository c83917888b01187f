// The context of a read transaction: a snapshot of the store.

import LMDB
import TroveCoding

/// A snapshot of a store, for the length of a closure.
///
/// It belongs to the closure's thread. A use elsewhere or afterwards throws
/// ``StoreError/TransactionError/wrongThread(path:)`` or ``StoreError/TransactionError/transactionEnded(path:)``.
@safe public class ReadContext {
    let catalog: Catalog
    let verifiesChecksums: Bool
    let core: TransactionCore
    /// This context's lease of `core`.
    private(set) var lease: UInt64
    /// The catalog at the state of this transaction.
    private(set) var catalogSnapshot: CatalogSnapshot
    /// The number of the last commit for which the catalog snapshot is known to be valid.
    private var transaction: Int
    /// The last used table. The catalog's snapshot keeps it, or the transaction that created it.
    private var lastTable: HeldTable?
    /// Notes the reads; nil outside of observed reads.
    final var readRegion: ReadRegion?

    init(_ catalog: Catalog, verifiesChecksums: Bool, _ core: TransactionCore, _ view: Catalog.View) {
        self.catalog = catalog
        self.verifiesChecksums = verifiesChecksums
        self.core = core
        catalogSnapshot = view.snapshot
        transaction = view.transaction
        lease = core.currentLease
    }

    /// Creates the context of a nested transaction.
    init(_ core: TransactionCore, in parent: ReadContext) {
        catalog = parent.catalog
        verifiesChecksums = parent.verifiesChecksums
        self.core = core
        catalogSnapshot = parent.catalogSnapshot
        transaction = parent.transaction
        lease = core.currentLease
    }

    final var keyspace: Keyspace { Keyspace(core, lease: lease) }

    final func catalogStorage() throws -> CatalogStorage {
        readRegion?.noteEverything()
        return try translatingErrors {
            guard let table = try CatalogStorage(keyspace) else {
                throw StoreError.file(.notAStore(path: core.path, reason: nil))
            }
            return table
        }
    }

    /// Returns the table of a type's records; nil if there is none.
    @usableFromInline
    final func table(for schema: RecordSchema) throws -> RecordTable? {
        readRegion?.noteAll(of: schema.keyPrefix)
        return try knownTable(for: schema)?.table
    }

    /// Returns the table of a type's records for a read that depends on some key ranges alone; nil if there is none.
    @usableFromInline
    final func table(
        for schema: RecordSchema, reading ranges: @autoclosure () throws -> [KeyRange]
    ) throws -> RecordTable? {
        if let readRegion { readRegion.note(try ranges(), of: schema.keyPrefix) }
        return try knownTable(for: schema)?.table
    }

    /// Returns the table of a type's records for a read of a single record; nil if there is none.
    @inline(__always)
    final func knownTable(for schema: RecordSchema, reading key: RawSpan) throws -> HeldTable? {
        if let readRegion { readRegion.note(key, of: schema.keyPrefix) }
        return try knownTable(for: schema)
    }

    @inline(__always)
    final func knownTable(for schema: RecordSchema) throws -> HeldTable? {
        // First: a wrong use of the context must not even touch its members.
        do throws(LMDBError) { try core.check(lease) } catch { throw StoreError(error) }
        if let lastTable, lastTable.withTable({ $0.schema === schema }) { return lastTable }
        lastTable = try findTable(for: schema).map(HeldTable.init)
        return lastTable
    }

    /// Returns whether a record has a key.
    final func hasRecord(_ schema: RecordSchema, _ key: [UInt8]) throws -> Bool {
        guard key.count <= KeyWriter.sizeLimit,
            let table = try key.withRawSpan({ try knownTable(for: schema, reading: $0) })?.table
        else { return false }
        return try translatingErrors { try keyspace.withEntry(table.database, key) { _, _ in } }
    }

    func findTable(for schema: RecordSchema) throws -> RecordTable? {
        try catalogSnapshot.table(for: schema, catalog, verifiesChecksums: verifiesChecksums)
    }

    /// The relations of the store, by the prefix of their links.
    var relations: [UInt32: StoredRelation] { catalogSnapshot.relations }

    final func forgetTable() { lastTable = nil }

    /// Writes the pending changes of the transaction's parts, in a write transaction.
    func flushParts() throws {}

    /// Writes the pending changes of the parts whose flush calls no closure of the program, in a write transaction.
    func flushOwnParts() throws {}
}

// MARK: From one read to the next

extension ReadContext {
    /// Returns the context of the reader's last transaction; nil if there is none, or none with these options.
    static func reused(_ core: TransactionCore, verifiesChecksums: Bool) -> ReadContext? {
        // A reader's companion is always a context.
        guard let companion = core.companion.take() else { return nil }
        let context = unsafe unsafeDowncast(companion, to: ReadContext.self)
        return context.verifiesChecksums == verifiesChecksums ? context : nil
    }

    /// Adopts the reader's current transaction.
    ///
    /// - Parameter view: Returns the catalog of the transaction, given the catalog of the last transaction.
    final func renew(_ view: (Catalog.View) throws -> Catalog.View) throws {
        lease = core.currentLease
        guard transaction != core.identifier else { return }
        let current = try view(Catalog.View(snapshot: catalogSnapshot, transaction: transaction))
        if current.snapshot !== catalogSnapshot { forgetTable() }
        catalogSnapshot = current.snapshot
        transaction = current.transaction
    }

    /// Ends the read, and leaves the context with the reader for the next read.
    ///
    /// A context with another strong reference is never used again, so a kept context stays unusable. A weak reference
    /// may find the context in use by a later read of its thread.
    @usableFromInline
    static func end(_ context: consuming ReadContext) {
        var context = context
        let core = context.core
        if isKnownUniquelyReferenced(&context) { core.companion = consume context }
        core.endRead()
    }
}
