// The context of a write transaction: reads and changes.

import LMDB
import TroveCoding

/// A write transaction of a store, for the length of a closure.
///
/// It reads its own changes. It belongs to the closure's thread.
@safe public final class TransactionContext: ReadContext {
    /// The store whose transaction this is.
    let store: any RecordWritable
    let parent: TransactionContext?
    /// The number of transactions around this one.
    let depth: Int
    /// The state that other folders keep, shared with the transactions around and within this one.
    let parts: TransactionParts
    /// Whether types may be written with an older layout.
    let allowsOlderLayouts: Bool
    /// The tables created or updated by this transaction, not yet in the shared catalog.
    var pendingTables: [RecordTable] = []
    /// The relations created or updated by this transaction, by the prefix of their links.
    var pendingRelations: [UInt32: StoredRelation] = [:] { didSet { forgetPartTables() } }
    /// The prefixes of the links whose relations this transaction has dropped.
    var droppedRelations: Set<UInt32> = [] { didSet { forgetPartTables() } }
    /// The last written table. The catalog's snapshot keeps it, or ``pendingTables``.
    var lastWritten: HeldTable?
    /// All written tables.
    var writtenTables: [HeldTable] = []
    /// Whether the commit will change anything.
    private(set) var hasChanges = false
    /// Whether the catalog's types or features differ from the catalog snapshot.
    var hasChangedTypes = false

    /// The records changed by this transaction.
    var changedKeys = ChangedKeys()
    /// The recorder of the changes for the history; nil in a store without a history.
    final var recorder: (any ChangeRecorder)?
    /// The name of the author of the changes, for the history.
    final var author: String?
    /// Whether this is the transaction of a statement, or within it. Its checks are deferred.
    var isStatement = false
    /// Whether each error of the running code undoes this transaction, so that statements need none of their own.
    @usableFromInline package var isUndoneByErrors = false
    /// The checks to run at the end of the statement: of unique values, and of relations whose rule is to deny.
    var deferredChecks: [(TransactionContext) throws -> Void] = []
    /// The records removed by collision rules; nil if no statement needs them.
    var replacedRecords: ReplacedRecords?
    /// The matches of the updates of entities that are running, the outermost first.
    var upcomingMatches: [UpcomingMatches] = []
    /// The collisions whose closures are running, the outermost first.
    var openCollisions: [OpenCollision] = []
    /// The error for the record that a collision rule has left unsaved last.
    var refusal: StoreError?
    /// The receivers of the end of this transaction.
    private var outcomes: [any TransactionOutcome] = []
    /// Spare memory for the next change of a record; nil during a change.
    var spareChange: RecordChange?
    /// Spare memory for the next value to compare with a stored value.
    let spareValue: SpareValue

    init(
        _ store: some RecordWritable, catalog: Catalog, verifiesChecksums: Bool, allowsOlderLayouts: Bool,
        core: TransactionCore, view: Catalog.View
    ) {
        self.store = store
        parent = nil
        depth = 0
        parts = TransactionParts()
        spareValue = SpareValue()
        self.allowsOlderLayouts = allowsOlderLayouts
        super.init(catalog, verifiesChecksums: verifiesChecksums, core, view)
    }

    private init(_ core: TransactionCore, in parent: TransactionContext) {
        store = parent.store
        self.parent = parent
        depth = parent.depth + 1
        parts = parent.parts
        allowsOlderLayouts = parent.allowsOlderLayouts
        spareValue = parent.spareValue
        isStatement = parent.isStatement
        openCollisions = parent.openCollisions
        replacedRecords = parent.replacedRecords.map { _ in ReplacedRecords() }
        upcomingMatches = parent.upcomingMatches
        writtenTables = parent.writtenTables
        recorder = parent.recorder
        author = parent.author
        super.init(core, in: parent)
    }

    final func noteChange() { hasChanges = true }

    /// Runs a closure in a nested transaction: kept if the closure returns, undone alone if it throws.
    ///
    /// This context cannot be used until the closure returns. Use the closure's argument.
    ///
    /// - Parameter body: Runs once, on this thread.
    /// - Returns: The closure's result.
    /// - Throws: The closure's error; this transaction stays usable.
    @discardableResult
    public func nested<R>(_ body: (TransactionContext) throws -> R) throws -> R {
        let child = try translatingErrors {
            try core.check(lease)
            return TransactionContext(try core.beginNested(), in: self)
        }
        for part in parts.all { part.beginNested(child) }
        let result: R
        do {
            result = try body(child)
            try translatingErrors { try child.core.commit() }
        } catch {
            child.noteUndone()
            end(child, isCommitted: false)
            throw error
        }
        end(child, isCommitted: true)
        merge(child)
        return result
    }

    private func end(_ child: TransactionContext, isCommitted: Bool) {
        child.core.endNested()
        refusal = child.refusal ?? refusal
        for part in parts.all { part.endNested(in: self, isCommitted: isCommitted) }
    }

    /// Takes over the changes of a nested transaction that is committed.
    private func merge(_ child: TransactionContext) {
        outcomes += child.outcomes
        pendingTables += child.pendingTables
        if !child.pendingRelations.isEmpty { pendingRelations.merge(child.pendingRelations) { $1 } }
        if !child.droppedRelations.isEmpty { droppedRelations.formUnion(child.droppedRelations) }
        hasChanges = hasChanges || child.hasChanges
        changedKeys.formUnion(child.changedKeys)
        deferredChecks += child.deferredChecks
        if let replaced = child.replacedRecords { replacedRecords?.formUnion(replaced) }
        hasChangedTypes = hasChangedTypes || child.hasChangedTypes
        if !child.pendingTables.isEmpty { forgetTables() }
    }

    // MARK: The end

    /// Adds a receiver of the end of the transaction: of the outermost one, or of this one if it is undone alone.
    func add(_ outcome: some TransactionOutcome) { outcomes.append(outcome) }

    /// Notes that the changes are undone because of an error of the transaction's closure.
    func noteUndone() {
        for outcome in outcomes.reversed() { outcome.noteUndone() }
        outcomes = []
    }

    /// Commits, and increments the store's count of commits, unless nothing was written.
    func commit() throws {
        let transaction = core.identifier
        let sequence: UInt64?
        do {
            sequence = try commitChanges(transaction)
        } catch {
            for outcome in outcomes { outcome.noteFailed() }
            throw error
        }
        // Before the rounds begin, which read the same objects.
        for outcome in outcomes { outcome.noteCommitted(sequence == nil ? nil : transaction) }
        guard let sequence else { return }
        catalog.hub.publish(CommitNotice(sequence: sequence, changedKeys: changedKeys))
        if !hasChangedTypes { catalog.note(Catalog.View(snapshot: catalogSnapshot, transaction: transaction)) }
    }

    /// Commits the writes. Returns the number of the commit; nil if nothing was written.
    private func commitChanges(_ transaction: Int) throws -> UInt64? {
        try translatingErrors {
            if let failure = core.failure { throw failure }
            guard hasChanges else { return nil }
            try flushParts()
            let table = try catalogStorage()
            let sequence = try table.number(.commitSequence) + 1
            try table.setNumber(.commitSequence, sequence)
            try recorder?.finish(sequence, in: self)
            let recentChanges = try storeRecentChanges(sequence, in: table)
            catalog.hub.announce(sequence)
            do throws(LMDBError) {
                try core.commit()
            } catch {
                catalog.counters.noteFailedCommit()
                catalog.hub.publishFailure(of: sequence, error.outcome)
                throw StoreError(committing: error, sequence: sequence)
            }
            catalog.attachments.noteCommit(transaction, hasChangedTypes: hasChangedTypes)
            for part in parts.all { part.noteCommitted(transaction, hasChangedTypes: hasChangedTypes) }
            catalog.keep(recentChanges, after: transaction)
            catalog.counters.noteCommit()
            return sequence
        }
    }

    /// Writes the pending changes of the parts: before a search, and before the commit.
    override func flushParts() throws {
        for part in parts.all { try part.flush(in: self) }
    }

    /// Writes the pending changes of the parts whose flush calls no closure of the program.
    override func flushOwnParts() throws {
        try translatingErrors {
            for part in parts.all where !type(of: part).callsProgram { try part.flush(in: self) }
        }
    }

    // MARK: Tables

    func forgetTables() {
        forgetTable()
        lastWritten = nil
        writtenTables = []
        forgetPartTables()
    }

    private func forgetPartTables() {
        for part in parts.all { part.forgetTables() }
    }

    override func findTable(for schema: RecordSchema) throws -> RecordTable? {
        if let pending = pendingTable(for: schema) { return pending }
        return try super.findTable(for: schema)
    }

    override var relations: [UInt32: StoredRelation] {
        let known = parent?.relations ?? super.relations
        if pendingRelations.isEmpty, droppedRelations.isEmpty { return known }
        return known.filter { !droppedRelations.contains($0.key) }.merging(pendingRelations) { $1 }
    }

    func pendingTable(for schema: RecordSchema) -> RecordTable? {
        pendingTables.last { $0.schema === schema } ?? parent?.pendingTable(for: schema)
    }
}
