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
    var pendingTables: [RecordTable] = []
    /// The table written last, which the catalog's snapshot keeps, or ``pendingTables``.
    var lastWritten: HeldTable?
    /// Whether the commit will change anything.
    private(set) var hasChanges = false
    /// Whether the catalog's types differ from the catalog snapshot.
    var hasChangedTypes = false

    /// The records that the commit will change.
    var changedKeys = ChangedKeys()
    /// Whether this is the transaction of a statement, at whose end unique values are compared.
    var isStatement = false
    /// What a statement has to look at when it ends.
    var deferredChecks: [DeferredCheck] = []
    /// Memory for the entries of a record that changes, while no record does.
    var spareChange: RecordChange?

    init(
        _ catalog: Catalog, verifiesChecksums: Bool, allowsOlderLayouts: Bool, _ core: TransactionCore,
        _ view: Catalog.View
    ) {
        parent = nil
        self.allowsOlderLayouts = allowsOlderLayouts
        super.init(catalog, verifiesChecksums: verifiesChecksums, core, view)
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
            if !hasChangedTypes { catalog.note(Catalog.View(snapshot: catalogSnapshot, transaction: transaction)) }
        }
    }

    // MARK: Tables

    func forgetTables() {
        forgetTable()
        lastWritten = nil
    }

    override func findTable(for schema: RecordSchema) throws -> RecordTable? {
        if let pending = pendingTable(for: schema) { return pending }
        return try super.findTable(for: schema)
    }

    func pendingTable(for schema: RecordSchema) -> RecordTable? {
        pendingTables.last { $0.schema === schema } ?? parent?.pendingTable(for: schema)
    }
}
