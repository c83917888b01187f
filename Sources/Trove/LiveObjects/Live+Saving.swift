// Saves, deletes and refreshes a live object.

import LMDB
import TroveCoding

extension Live {
    /// Stores the edits.
    ///
    /// Without edits nothing is written. Edits made while the save runs stay edits.
    ///
    /// - Parameter rule: The rule for a stored record that was changed elsewhere. By default it is merged; for a draft,
    ///   a stored record of its key throws.
    /// - Throws: ``StoreError/LiveError/changedElsewhere(type:key:properties:)``,
    ///   ``StoreError/LiveError/recordGone(type:key:)``, ``StoreError/RecordError/keyChanged(type:key:)`` if the key
    ///   was edited, ``StoreError/RecordError/keyExists(type:key:)`` for a draft;
    ///   ``StoreError/RecordError/notUnique(type:index:key:existing:)``, also where the rule is
    ///   ``CollisionRule/ignore``; the errors of ``RecordWritable/insert(_:onConflict:)`` and of the commit. The object
    ///   keeps its edits.
    @available(*, noasync, message: "await the call")
    public func save(resolving rule: EditConflictRule<Record>? = nil) throws {
        guard version.state.hasToWait else { return }
        try store.write { context in
            context.isUndoneByErrors = true
            try save(rule, in: context, keepsEdits: true)
        }
    }

    /// The async form of `save(resolving:)`. Saves of many tasks share a commit.
    public func save(resolving rule: EditConflictRule<Record>? = nil) async throws {
        guard version.state.hasToWait else { return }
        try await store.write { context in
            context.isUndoneByErrors = true
            try self.save(rule, in: context, keepsEdits: true)
        }
    }

    /// Stores the edits in a transaction.
    ///
    /// If the closure of the transaction throws, the object shows the stored record, and a draft is gone. If the commit
    /// fails, the object keeps its edits.
    ///
    /// - Parameters:
    ///   - rule: The rule for a stored record that was changed elsewhere.
    ///   - context: A write transaction of the same file.
    /// - Throws: The errors of `save(resolving:)`; ``StoreError/LiveError/ofOtherStore(type:key:path:)``.
    @available(*, noasync, message: "call it in the closure of a write")
    public func save(resolving rule: EditConflictRule<Record>? = nil, in context: TransactionContext) throws {
        try save(rule, in: context, keepsEdits: false)
    }

    func save(_ rule: EditConflictRule<Record>?, in context: TransactionContext, keepsEdits: Bool) throws {
        try checkStore(of: context)
        let version = version
        guard version.state.hasToSave else { return }
        let step = try version.state.step(version.state.toSave(keyBytes), of: key, keyBytes, rule, in: context)
        let result: FoundRecord<Record>?
        var left: FoundRecord<Record>?
        switch step {
        case .keep(let found):
            result = found
            if found == nil { left = try version.state.baseRecord(keyBytes).map { try FoundRecord($0) } }
        case .put(let new):
            let record = version.state.hasRelations ? new.record : new.record.withoutRelations
            try context.insertOrThrow(record, encoded: new.bytes)
            // A hook may have changed the record.
            result = Record.schema.entity == nil ? new : try context.found(Record.self, key)
        case .delete:
            try context.delete(Record.self, key: key)
            result = nil
        }
        var save = version.state.openSave(result, context)
        save.left = left
        begin(save, version, keepsEdits: keepsEdits, in: context)
    }

    /// Deletes the record. A draft is given up.
    ///
    /// The object stays usable, keeps the last value, and ``isDeleted`` is true. Entities are deleted by the delete
    /// rules of their relations. Of a draft in place of a record that the object has shown, the draft alone is
    /// given up: the object shows the record.
    ///
    /// - Throws: ``StoreError/EntityError/deleteDenied(type:key:relation:other:)``, the errors of hooks and of the
    ///   commit.
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

    /// Deletes the record in a transaction. If the closure of the transaction throws, the object shows the stored
    /// record.
    ///
    /// - Parameter context: A write transaction of the same file.
    /// - Throws: The errors of `delete()`; ``StoreError/LiveError/ofOtherStore(type:key:path:)``.
    @available(*, noasync, message: "call it in the closure of a write")
    public func delete(in context: TransactionContext) throws {
        if giveUpDraft() { return }
        try delete(in: context, keepsEdits: false)
    }

    private func delete(in context: TransactionContext, keepsEdits: Bool) throws {
        try checkStore(of: context)
        let version = version
        try context.delete(Record.self, key: key)
        begin(version.state.openSave(nil, context), version, keepsEdits: keepsEdits, in: context)
    }

    private func checkStore(of context: TransactionContext) throws {
        guard context.catalog === home.reference.catalog else {
            throw StoreError.live(.ofOtherStore(type: Record.schema.name, key: storedKey, path: home.reference.path))
        }
    }

    /// Gives the object up if it is a draft that no transaction has saved. A stored record of its key may be one that
    /// the program has not seen.
    private func giveUpDraft() -> Bool {
        let version = version
        guard version.state.isDraft, !version.state.isOpen else { return false }
        revert()
        return true
    }

    /// Notes the record that a transaction has stored, until the transaction ends.
    ///
    /// - Parameters:
    ///   - seen: The state that was saved.
    ///   - keepsEdits: Whether the object keeps its edits if the transaction is undone.
    private func begin(
        _ save: LiveState<Record>.OpenSave, _ seen: LiveVersion<Record>, keepsEdits: Bool,
        in context: TransactionContext
    ) {
        begin(keepsEdits: keepsEdits, isLostByFailure: false, in: context) { state in
            var save = save
            save.sent = state.sent(save.sent, by: seen.state)
            save.wasDeleted = state.open?.wasDeleted ?? state.isDeleted
            return save
        }
    }

    /// Notes that a transaction has stored a new record.
    ///
    /// - Parameters:
    ///   - record: The record, which the object shows from now on.
    ///   - stored: The record as it is stored.
    ///   - isNew: Whether the object was made for the record.
    ///   - isAlone: Whether the transaction stores the record alone: the object is lost if the commit fails.
    func begin(
        creating record: Record, _ bytes: [UInt8], stored: FoundRecord<Record>?, isNew: Bool, isAlone: Bool,
        in context: TransactionContext
    ) {
        begin(keepsEdits: false, isLostByFailure: isAlone, in: context) { state in
            let replaced = isNew ? nil : LiveVersion(state)
            let wasDeleted = isNew || state.open?.wasDeleted ?? state.isDeleted
            state.becomeDraft(record)
            var save = state.openSave(stored, context, sent: bytes)
            (save.replaced, save.wasDeleted) = (replaced, wasDeleted)
            return save
        }
    }

    private func begin(
        keepsEdits: Bool, isLostByFailure: Bool, in context: TransactionContext,
        _ makeSave: (inout LiveState<Record>) -> LiveState<Record>.OpenSave
    ) {
        var (serial, previous): (Int, LiveState<Record>.OpenSave?) = (0, nil)
        let parts = update { state in
            (serial, previous) = (state.revision, state.open)
            var save = makeSave(&state)
            save.serial = serial
            state.open = save
            state.isDeleted = save.result == nil
        }
        context.add(
            LiveSave(
                object: self, serial: serial, previous: previous, keepsEdits: keepsEdits,
                isLostByFailure: isLostByFailure))
        notifyLater(parts)
    }

    // MARK: Without a write

    /// Gives the edits up: the object shows the stored record. A draft is gone: ``isDeleted`` is true.
    public func revert() { notifyHere(update { $0.revert(keyBytes) }) }

    /// Reads the record again, on this thread.
    ///
    /// Live objects follow all commits on their own. After this call, the object certainly shows every commit that was
    /// made before the call. Edits are kept.
    ///
    /// - Throws: ``StoreError`` if the record cannot be read: for instance if it is damaged, or of the layout of a
    ///   newer program. The object keeps its value.
    public func refresh() throws {
        notifyHere(try readAgain())
    }

    /// Reads the record again. Returns the parts that have changed, whose observers are still to be notified.
    func readAgain() throws -> LiveParts { try home.openReference.readToEnd { try read(in: $0, again: false) }() }
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
        var isOpen = false
        let parts = object.update { state in
            // A later save of the transaction counts, and a round may have come first.
            isOpen = state.open?.serial == serial
            guard isOpen, let save = state.open else { return }
            state.commit(save)
            // A transaction without writes has read the state of its predecessor.
            state.snapshot = max(state.snapshot, number ?? save.transaction - 1)
        }
        // The thread of the round may not have noted yet that the object is saved.
        if !isOpen { object.home.objects.pending.note(object) }
        object.notifyLater(parts)
    }

    func noteUndone() { end(restoring: previous, keepsEdits: keepsEdits) }

    func noteFailed() { end(restoring: nil, keepsEdits: !isLostByFailure) }

    private func end(restoring save: LiveState<Record>.OpenSave?, keepsEdits: Bool) {
        object.notifyLater(object.update { $0.undo(to: save, keepsEdits: keepsEdits, object.keyBytes) })
    }
}
