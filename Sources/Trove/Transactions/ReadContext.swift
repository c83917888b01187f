// What the closure of a read receives: the snapshot, and everything that can be asked of it.

import LMDB
import TroveCoding

/// A snapshot of a store, for the length of a closure.
///
/// It belongs to the thread that runs the closure. A use elsewhere or afterwards throws
/// ``StoreError/wrongThread(path:)`` or ``StoreError/transactionEnded(path:)``.
@safe public class ReadContext {
    let catalog: Catalog
    let verifiesChecksums: Bool
    let core: TransactionCore
    /// The use of `core` that this context stands for.
    private(set) var lease: UInt64
    /// The catalog as this transaction found it.
    private(set) var image: CatalogSnapshot
    /// The number of the commit for which the image was found to hold.
    private var snapshot: Int
    /// The table used last, which the catalog's snapshot keeps, or the transaction that created it.
    private var lastTable: HeldTable?

    init(_ store: Store, _ core: TransactionCore, _ view: Catalog.View) {
        catalog = store.catalog
        verifiesChecksums = store.verifiesChecksums
        self.core = core
        image = view.image
        snapshot = view.transaction
        lease = core.currentLease
    }

    /// The context of a transaction nested in another's.
    init(_ core: TransactionCore, in parent: ReadContext) {
        catalog = parent.catalog
        verifiesChecksums = parent.verifiesChecksums
        self.core = core
        image = parent.image
        snapshot = parent.snapshot
        lease = core.currentLease
    }

    final var keyspace: Keyspace { Keyspace(core, lease: lease) }

    final func catalogStorage() throws -> CatalogStorage {
        try translatingErrors {
            guard let table = try CatalogStorage(keyspace) else {
                throw StoreError.notAStore(path: core.path, reason: nil)
            }
            return table
        }
    }

    /// The table of a type's records; nil where there is none.
    @usableFromInline
    final func table(for schema: RecordSchema) throws -> RecordTable? {
        try knownTable(for: schema)?.table
    }

    @inline(__always)
    final func knownTable(for schema: RecordSchema) throws -> HeldTable? {
        // First: a wrong use of the context must not even touch its members.
        do throws(LMDBError) { try core.check(lease) } catch { throw StoreError(error) }
        if let lastTable, lastTable.withTable({ $0.schema === schema }) { return lastTable }
        lastTable = try findTable(for: schema).map(HeldTable.init)
        return lastTable
    }

    func findTable(for schema: RecordSchema) throws -> RecordTable? {
        try image.table(for: schema, catalog, verifiesChecksums: verifiesChecksums)
    }

    final func forgetTable() { lastTable = nil }
}

// MARK: From one read to the next

extension ReadContext {
    /// The context of a read that has just begun: the one that served the reader's last transaction, brought up to
    /// date, unless that was another's.
    static func beginning(_ core: TransactionCore, in store: Store) throws -> ReadContext {
        // Nothing but a context is ever left with a reader.
        if let companion = core.companion.take() {
            let context = unsafe unsafeDowncast(companion, to: ReadContext.self)
            if context.verifiesChecksums == store.verifiesChecksums {
                try context.renew(in: store)
                return context
            }
        }
        let latest = store.catalog.latest
        let known = latest.image.publications <= core.publications ? latest : Catalog.View()
        return ReadContext(store, core, try store.view(of: core, known: known))
    }

    private func renew(in store: Store) throws {
        lease = core.currentLease
        guard snapshot != core.identifier else { return }
        let view = try store.view(of: core, known: Catalog.View(image: image, transaction: snapshot))
        if view.image !== image { forgetTable() }
        image = view.image
        snapshot = view.transaction
    }

    /// Ends the read, and leaves the context with the reader for the next one.
    ///
    /// A context that somebody has kept is never used again: what is kept stays of no use. A weak reference keeps
    /// nothing; it may find the context in use again, on its thread, by a later read.
    @usableFromInline
    static func end(_ context: consuming ReadContext) {
        var context = context
        let core = context.core
        if isKnownUniquelyReferenced(&context) { core.companion = consume context }
        core.endRead()
    }
}

// MARK: Counting

extension ReadContext {
    /// Counts the keys of a plan's ranges, up to its limit.
    @usableFromInline
    final func count(_ table: RecordTable, _ plan: ScanPlan) throws -> Int { try count(table.database, plan) }

    /// Counts the keys of a plan's ranges in a table, up to its limit.
    final func count(_ database: Database, _ plan: ScanPlan) throws -> Int {
        try translatingErrors {
            if plan.isWholeTable, plan.limit == nil { return try keyspace.count(database) }
            let limit = max(0, plan.limit ?? .max)
            return try plan.ranges.reduce(0) { count, range in
                try count + keyspace.count(database, ScanRange(range), atMost: limit - count)
            }
        }
    }
}
