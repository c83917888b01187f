// The step of a live object's save: keep, put or delete.

import LMDB
import TroveCoding

/// The effect of a save on the stored record.
enum SaveStep<Record: IndexKeyRecord> {
    /// Nothing: the stored record stays as it is; nil if there is none.
    case keep(FoundRecord<Record>?)
    case put(FoundRecord<Record>)
    case delete
}

extension LiveState {
    /// Whether a save has something to do, or to refuse.
    var hasToSave: Bool { hasChanges || isDeleted && open?.result == nil }

    /// Whether a save of its own has something to do, to refuse, or to wait for: a record that another transaction has
    /// saved is not stored before its commit.
    var hasToWait: Bool { hasToSave || isOpen }

    /// Returns the save of a transaction.
    ///
    /// - Parameters:
    ///   - result: The record as stored; nil if it was deleted.
    ///   - sent: The encoded value that was saved; nil for the value of the state.
    func openSave(_ result: FoundRecord<Record>?, _ context: TransactionContext, sent: [UInt8]? = nil) -> OpenSave {
        OpenSave(
            sent: sent ?? bytes ?? StoredValue.withoutFields, result: result, transaction: context.core.identifier,
            relationEdits: relationEdits, replaced: open?.replaced)
    }

    /// Returns the value to save. A record that an earlier save of the transaction has stored in place of the value, by
    /// its rule or by a hook, is not an edit.
    func toSave(_ key: [UInt8]) throws -> FoundRecord<Record> {
        let shown = try bytes.map { FoundRecord(value, bytes: $0) } ?? FoundRecord(value)
        guard let open, let result = open.result, result.bytes != open.sent else { return shown }
        guard let mine = value.merged(base: open.sent, mine: shown.bytes, theirs: result.bytes) else {
            throw changedElsewhere(from: open.sent, to: result.bytes, key)
        }
        return mine
    }

    private func changedElsewhere(from base: [UInt8], to theirs: [UInt8], _ key: [UInt8]) -> StoreError {
        let schema = Record.schema
        return .live(
            .changedElsewhere(
                type: schema.name, key: schema.storedKey(key),
                properties: EditMerge(schema).changedNames(from: base, to: theirs)))
    }

    /// Returns the effect of a save.
    ///
    /// It compares the stored record with the record that the edits began with, however often the object has followed
    /// others since. So the result is the same whether the object has seen the stored record or not.
    ///
    /// - Parameter mine: The value to save.
    func step(
        _ mine: FoundRecord<Record>, of key: Record.IndexKey, _ keyBytes: [UInt8],
        _ rule: EditConflictRule<Record>?, in context: TransactionContext
    ) throws -> SaveStep<Record> {
        let schema = Record.schema
        if hasOtherKey { throw StoreError.record(.keyChanged(type: schema.name, key: schema.storedKey(keyBytes))) }
        if let base, first == base, try context.hasValue(base, schema, keyBytes) {
            return mine.bytes == base && !hasRelations ? .keep(mine) : .put(mine)
        }
        guard let theirs = try context.found(Record.self, key) else {
            return isDraft && !isOpen ? .put(mine) : try stepIfGone(mine, keyBytes, rule)
        }
        let step = try step(mine, against: theirs, keyBytes, rule)
        guard case .put(let new) = step, new.bytes == theirs.bytes, !hasRelations else { return step }
        return .keep(theirs)
    }

    /// The value that the edits began with; nil for a draft. Under an open save, no other writer can have changed the
    /// record.
    private var first: [UInt8]? { isOpen ? base : start ?? base }

    /// Returns the edits on the record that they began with, without the changes that the object has followed since.
    private func original(_ mine: FoundRecord<Record>, _ key: [UInt8]) throws -> FoundRecord<Record> {
        guard let base, let first, first != base else { return mine }
        guard let record = mine.record.merged(base: base, mine: mine.bytes, theirs: first) else {
            throw changedElsewhere(from: first, to: base, key)
        }
        return record
    }

    private func stepIfGone(
        _ mine: FoundRecord<Record>, _ key: [UInt8], _ rule: EditConflictRule<Record>?
    ) throws -> SaveStep<Record> {
        switch rule {
        case .mine: return .put(try original(mine, key))
        case .theirs: return .keep(nil)
        case .custom(let resolve):
            guard let first else { return try step(resolve(mine.record, original(mine, key).record, nil), key) }
            // The closure must not take the edited record for the one that the edits began with.
            guard let base = try? Record(key: key, encodedValue: first) else {
                throw changedElsewhere(from: first, to: mine.bytes, key)
            }
            return try step(resolve(base, original(mine, key).record, nil), key)
        case .merge, .throw, nil:
            throw StoreError.live(.recordGone(type: Record.schema.name, key: Record.schema.storedKey(key)))
        }
    }

    private func step(
        _ mine: FoundRecord<Record>, against theirs: FoundRecord<Record>, _ key: [UInt8],
        _ rule: EditConflictRule<Record>?
    ) throws -> SaveStep<Record> {
        let schema = Record.schema
        guard let base, let first else {
            switch rule {
            case .merge, .mine: return .put(mine)
            case .theirs: return .keep(theirs)
            case .custom(let resolve): return try step(resolve(mine.record, mine.record, theirs.record), key)
            case .throw, nil: throw StoreError.record(.keyExists(type: schema.name, key: schema.storedKey(key)))
            }
        }
        // As if the object had followed the stored record before. A merge that fails is a conflict.
        guard let merged = mine.record.merged(base: base, mine: mine.bytes, theirs: theirs.bytes),
            let start = try? EditMerge(schema).start(first, of: mine.bytes, on: base, following: theirs.bytes)
        else { throw changedElsewhere(from: first, to: theirs.bytes, key) }
        // Others have stored the same, or have changed nothing.
        if merged.bytes == theirs.bytes, !hasRelations { return .keep(theirs) }
        if theirs.bytes == start { return .put(merged) }
        switch rule ?? .merge {
        case .merge: return .put(merged)
        case .mine: return .put(try original(mine, key))
        case .theirs: return .keep(theirs)
        case .throw: throw changedElsewhere(from: start, to: theirs.bytes, key)
        case .custom(let resolve):
            // The closure must not take the edited record for the one that the edits began with.
            guard let base = try? Record(key: key, encodedValue: start) else {
                throw changedElsewhere(from: start, to: theirs.bytes, key)
            }
            return try step(resolve(base, original(mine, key).record, theirs.record), key)
        }
    }

    /// Returns the step for the record that a closure has returned.
    private func step(_ resolved: Record?, _ key: [UInt8]) throws -> SaveStep<Record> {
        guard let resolved else { return .delete }
        guard resolved.keyBytes == key else {
            throw StoreError.record(.keyChanged(type: Record.schema.name, key: Record.schema.storedKey(key)))
        }
        return .put(try FoundRecord(resolved))
    }

    /// Returns the stored record as last seen; nil for a draft, and if the record does not decode.
    func baseRecord(_ key: [UInt8]) -> Record? {
        // A deleted object without it keeps the value that it shows.
        (isOpen || isDraft ? base : stored).flatMap { try? Record(key: key, encodedValue: $0) }
    }
}

extension ReadContext {
    /// Returns whether a record is stored with exactly these fields, in the present layout.
    ///
    /// - Parameter value: An encoded value.
    func hasValue(_ value: [UInt8], _ schema: RecordSchema, _ key: [UInt8]) throws -> Bool {
        guard let table = try table(for: schema) else { return false }
        var isSame = false
        _ = try translatingErrors {
            try keyspace.withEntry(table.database, key) { _, stored in
                isSame = ByteView.with(stored) { stored in
                    ByteView.with(value) { value in
                        StoredValue.version(of: stored) == table.fieldsVersion
                            && StoredValue.fields(of: stored).equals(StoredValue.fields(of: value))
                    }
                }
            }
        }
        return isSame
    }
}
