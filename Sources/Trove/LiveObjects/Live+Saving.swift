// Saves, deletes and refreshes a live object.

import LMDB
import TroveCoding

extension Live {
    /// Stores the edits.
    ///
    /// Without edits nothing is written. Edits made while the save runs stay edits.
    ///
    /// - Parameter rule: What happens if the stored record was changed elsewhere. By default it is merged; for a draft,
    ///   a stored record of its key throws.
    /// - Throws: ``StoreError/changedElsewhere(type:key:properties:)``, ``StoreError/recordGone(type:key:)``,
    ///   ``StoreError/keyChanged(type:key:)`` if the key was edited, ``StoreError/keyExists(type:key:)`` for a draft;
    ///   the errors of ``RecordWritable/insert(_:onConflict:)`` and of the commit. The object keeps its edits.
    @available(*, noasync, message: "await the call")
    public func save(_ rule: EditConflictRule<Record>? = nil) throws {
        guard current.hasToSave else { return }
        try store.write { context in
            context.isUndoneByErrors = true
            try save(rule, in: context, keepsEdits: true)
        }
    }

    /// The async form of ``save(_:)``. Saves of many tasks share a commit.
    public func save(_ rule: EditConflictRule<Record>? = nil) async throws {
        guard current.hasToSave else { return }
        try await store.write { context in
            context.isUndoneByErrors = true
            try self.save(rule, in: context, keepsEdits: true)
        }
    }

    /// Stores the edits in a transaction.
    ///
    /// If the closure of the transaction throws, the object shows what is stored, and a draft is gone. If the commit
    /// fails, the object keeps its edits.
    ///
    /// - Parameters:
    ///   - rule: What happens if the stored record was changed elsewhere.
    ///   - context: A write transaction of the same file.
    /// - Throws: The errors of ``save(_:)``.
    @available(*, noasync, message: "call it in the closure of a write")
    public func save(_ rule: EditConflictRule<Record>? = nil, in context: TransactionContext) throws {
        try save(rule, in: context, keepsEdits: false)
    }

    func save(_ rule: EditConflictRule<Record>?, in context: TransactionContext, keepsEdits: Bool) throws {
        let seen = current
        guard seen.hasToSave else { return }
        let mine = try seen.bytes.map { FoundRecord(seen.value, bytes: $0) } ?? FoundRecord(seen.value)
        let step = try seen.step(mine, of: key, keyBytes, rule, in: context)
        let result: FoundRecord<Record>?
        switch step {
        case .keep(let found): result = found
        case .put(let new):
            let isStored = try context.insert(seen.hasRelations ? new.record : new.record.withoutRelations)
            // A hook may have changed the record, or a rule of unique values has kept another record.
            result = isStored && Record.schema.entity == nil ? new : try context.found(Record.self, key)
        case .delete:
            try context.delete(Record.self, key: key)
            result = nil
        }
        begin(seen.openSave(of: mine.bytes, result, context), isNew: seen.isDraft, keepsEdits, in: context)
    }

    /// Deletes the record. A draft is given up.
    ///
    /// The object stays usable, keeps the last value, and ``isDeleted`` is true. Entities are deleted by the delete
    /// rules of their relations.
    ///
    /// - Throws: ``StoreError/deleteDenied(type:key:relation:other:)``, the errors of hooks and of the commit.
    @available(*, noasync, message: "await the call")
    public func delete() throws {
        if giveUpDraft() { return }
        try store.write { context in
            context.isUndoneByErrors = true
            try delete(in: context, keepsEdits: true)
        }
    }

    /// The async form of ``delete()``.
    public func delete() async throws {
        if giveUpDraft() { return }
        try await store.write { context in
            context.isUndoneByErrors = true
            try self.delete(in: context, keepsEdits: true)
        }
    }

    /// Deletes the record in a transaction. If the closure of the transaction throws, the object shows what is stored.
    ///
    /// - Parameter context: A write transaction of the same file.
    /// - Throws: The errors of ``delete()``.
    @available(*, noasync, message: "call it in the closure of a write")
    public func delete(in context: TransactionContext) throws {
        if giveUpDraft() { return }
        try delete(in: context, keepsEdits: false)
    }

    private func delete(in context: TransactionContext, keepsEdits: Bool) throws {
        let seen = current
        try context.delete(Record.self, key: key)
        begin(seen.openSave(of: seen.bytes ?? [], nil, context), isNew: false, keepsEdits, in: context)
    }

    /// Gives the object up if it is a draft that no transaction has saved.
    private func giveUpDraft() -> Bool {
        let seen = current
        guard seen.isDraft, seen.open == nil else { return false }
        revert()
        return true
    }

    /// Notes what a transaction has stored.
    func begin(
        _ open: LiveState<Record>.OpenSave, isNew: Bool, _ keepsEdits: Bool, in context: TransactionContext
    ) {
        var previous: LiveState<Record>.OpenSave?
        var wasDeleted = false
        let parts = update { state in
            (previous, wasDeleted) = (state.open, state.isDeleted)
            state.open = open
            if open.result == nil { state.isDeleted = true }
        }
        context.add(
            LiveSave(
                object: self, save: open, previous: previous, isNew: isNew, wasDeleted: wasDeleted,
                keepsEdits: keepsEdits))
        tellHere(parts)
    }

    // MARK: Without a write

    /// Gives the edits up: the object shows the stored record. A draft is gone: ``isDeleted`` is true.
    public func revert() { tellHere(update { $0.revert(keyBytes) }) }

    /// Reads the record again, on this thread.
    ///
    /// Live objects follow all commits on their own. After this call, the object certainly shows every commit that was
    /// made before the call. Edits are kept.
    ///
    /// - Throws: ``StoreError`` if the record cannot be read: for instance if it is damaged, or of the layout of a
    ///   newer program. The object keeps its value.
    public func refresh() throws {
        let reference = home.reference
        tellHere(try reference.readToEnd { try read(in: $0) }())
    }
}

/// A live object in a transaction that has saved or deleted it.
private struct LiveSave<Record: IndexKeyRecord>: TransactionOutcome {
    let object: Live<Record>
    let save: LiveState<Record>.OpenSave
    /// The earlier save of the object in the transaction.
    let previous: LiveState<Record>.OpenSave?
    /// Whether the object was a draft.
    let isNew: Bool
    let wasDeleted: Bool
    /// Whether the object keeps its edits if the transaction is undone.
    let keepsEdits: Bool

    func noteCommitted() {
        object.tellLater(object.update { $0.commit(save) })
    }

    func noteUndone() {
        object.tellLater(
            object.update { state in
                state.open = previous
                state.isDeleted = wasDeleted
                if !keepsEdits { state.revert(object.keyBytes) }
            })
    }

    func noteFailed() {
        object.tellLater(
            object.update { state in
                state.open = nil
                state.isDeleted = wasDeleted
            })
    }
}
