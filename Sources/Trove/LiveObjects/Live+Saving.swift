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
        guard current.hasToWait else { return }
        try store.write { context in
            context.isUndoneByErrors = true
            try save(rule, in: context, keepsEdits: true)
        }
    }

    /// The async form of `save(_:)`. Saves of many tasks share a commit.
    public func save(_ rule: EditConflictRule<Record>? = nil) async throws {
        guard current.hasToWait else { return }
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
    /// - Throws: The errors of `save(_:)`; ``StoreError/ofOtherStore(type:key:path:)``.
    @available(*, noasync, message: "call it in the closure of a write")
    public func save(_ rule: EditConflictRule<Record>? = nil, in context: TransactionContext) throws {
        try save(rule, in: context, keepsEdits: false)
    }

    func save(_ rule: EditConflictRule<Record>?, in context: TransactionContext, keepsEdits: Bool) throws {
        try checkStore(of: context)
        let seen = current
        guard seen.hasToSave else { return }
        let mine = try seen.bytes.map { FoundRecord(seen.value, bytes: $0) } ?? FoundRecord(seen.value)
        let step = try seen.step(mine, of: key, keyBytes, rule, in: context)
        let result: FoundRecord<Record>?
        switch step {
        case .keep(nil):
            tellLater(
                update { state in
                    state.revert(keyBytes)
                    state.isDeleted = true
                })
            return
        case .keep(let found): result = found
        case .put(let new):
            let isStored = try context.insert(seen.hasRelations ? new.record : new.record.withoutRelations)
            // A hook may have changed the record, or a rule of unique values has kept another record.
            result = isStored && Record.schema.entity == nil ? new : try context.found(Record.self, key)
        case .delete:
            try context.delete(Record.self, key: key)
            result = nil
        }
        begin(seen.openSave(of: mine.bytes, result, context), keepsEdits: keepsEdits, in: context)
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

    /// The async form of `delete()`.
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
    /// - Throws: The errors of `delete()`; ``StoreError/ofOtherStore(type:key:path:)``.
    @available(*, noasync, message: "call it in the closure of a write")
    public func delete(in context: TransactionContext) throws {
        if giveUpDraft() { return }
        try delete(in: context, keepsEdits: false)
    }

    private func delete(in context: TransactionContext, keepsEdits: Bool) throws {
        try checkStore(of: context)
        let seen = current
        try context.delete(Record.self, key: key)
        begin(seen.openSave(of: seen.bytes ?? [], nil, context), keepsEdits: keepsEdits, in: context)
    }

    private func checkStore(of context: TransactionContext) throws {
        guard context.catalog === home.reference.catalog else {
            throw StoreError.ofOtherStore(type: Record.schema.name, key: storedKey, path: home.reference.path)
        }
    }

    /// Gives the object up if it is a draft that no transaction has saved.
    private func giveUpDraft() -> Bool {
        let seen = current
        guard seen.isDraft, !seen.isOpen else { return false }
        revert()
        return true
    }

    /// Notes what a transaction has stored, until it ends.
    ///
    /// - Parameters:
    ///   - keepsEdits: Whether the object keeps its edits if the transaction is undone.
    ///   - created: How the object was created in the transaction; nil if it was not.
    func begin(
        _ save: LiveState<Record>.OpenSave, keepsEdits: Bool, created: LiveCreation? = nil,
        in context: TransactionContext
    ) {
        var before = current
        let parts = update { state in
            before = state
            var save = save
            save.serial = before.revision
            save.wasDeleted = created != nil || before.open?.wasDeleted ?? before.isDeleted
            state.open = save
            state.isDeleted = save.result == nil
        }
        context.add(
            LiveSave(
                object: self, serial: before.revision, previous: before.open, keepsEdits: keepsEdits,
                isLostByFailure: created == .alone))
        tellLater(parts)
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
        tellHere(try reference.readToEnd { try read(in: $0, again: false) }())
    }
}

/// How a live object was created.
enum LiveCreation {
    /// In a transaction of its own: the object is lost if the commit fails.
    case alone
    /// In a transaction of the program.
    case inTransaction
}

/// A live object in a transaction that has saved or deleted it.
private struct LiveSave<Record: IndexKeyRecord>: TransactionOutcome {
    let object: Live<Record>
    /// The number of the save.
    let serial: Int
    /// The earlier save of the object in the transaction.
    let previous: LiveState<Record>.OpenSave?
    let keepsEdits: Bool
    let isLostByFailure: Bool

    func noteCommitted(_ number: Int?) {
        object.tellLater(
            object.update { state in
                // A later save of the transaction counts, and a round may have come first.
                guard let save = state.open, save.serial == serial else { return }
                state.commit(save)
                if let number { state.snapshot = max(state.snapshot, number) }
            })
    }

    func noteUndone() { end(restoring: previous, keepsEdits: keepsEdits) }

    func noteFailed() { end(restoring: nil, keepsEdits: !isLostByFailure) }

    private func end(restoring save: LiveState<Record>.OpenSave?, keepsEdits: Bool) {
        object.tellLater(object.update { $0.undo(to: save, keepsEdits: keepsEdits, object.keyBytes) })
    }
}
