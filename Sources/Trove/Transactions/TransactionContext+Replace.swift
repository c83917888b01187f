// The one path for changes of records: an insert replaces a record by a new record, a delete by none.
//
// A record of a type without indexes is written straight into its page. With indexes, the path is:
//
//     encode the new record · compare it with the stored value · derive both lists of entries · check unique values
//     · write the record · apply the difference of the entries
//
// If the type cannot decode the stored record, its entries are derived from the bytes, or searched for in the indexes.
// Then all of them are removed, and all of the new record are stored.
//
// All checks precede all writes, so a violated constraint leaves the transaction usable.

import LMDB
import TroveCoding

extension TransactionContext {
    /// Replaces the record with a key.
    ///
    /// - Parameters:
    ///   - key: The key of both records.
    ///   - new: The new record; nil to remove the stored record.
    ///   - rule: The treatment of a stored record, if there is a new record.
    /// - Returns: False if nothing has changed: a rule kept a stored record, or the record to remove was absent.
    @inlinable
    @inline(__always)
    func replace<Record: IndexKeyRecord>(
        _ key: RawSpan, with new: Record?, onConflict rule: ConflictRule = .replace
    ) throws -> Bool {
        guard Record.schema.isWrittenDirectly else { return try replaceOther(key, with: new, onConflict: rule) }
        guard let new else { return try remove(Record.schema, key) }
        guard let slot = try open(Record.schema, key, fieldsSize: try new.checkedFieldsSize(), rule) else {
            return false
        }
        do throws(CodingError) {
            try slot.fill { new.encodeFields(into: &$0) }
        } catch {
            abandon(slot, because: error)
            throw error
        }
        close(slot, key)
        return true
    }

    /// Replaces an entity, or a record with indexes.
    @usableFromInline
    func replaceOther<Record: IndexKeyRecord>(
        _ key: RawSpan, with new: Record?, onConflict rule: ConflictRule
    ) throws -> Bool {
        guard let part = Record.schema.writePart else {
            return try replaceIndexed(key, with: new, onConflict: rule)
        }
        guard let new else { return try part.delete(copiedBytes(key), in: self) }
        return try UntypedRecord.with(new) { try part.save($0, onConflict: rule, in: self) }
    }

    /// Replaces the record with a key, and its index entries.
    ///
    /// - Parameter resolved: The indexes with resolved collisions.
    @usableFromInline
    func replaceIndexed<Record: IndexKeyRecord>(
        _ key: RawSpan, with new: Record?, onConflict rule: ConflictRule, resolved: [Int] = []
    ) throws -> Bool {
        try translatingErrors {
            if new == nil, try tableForRemoval(Record.schema) == nil { return false }
            let table = try tableForWriting(Record.schema).table
            return try withChange { change in
                var isUnchanged = false
                var source = EntrySource.record
                if let new { try change.encode(new) }
                let isStored = try keyspace.withValueToReplace(table.database, key) { stored in
                    guard rule == .replace else { return }
                    // The entries of a damaged record are unknown.
                    try table.verify(key, stored)
                    if new != nil { try change.compare(with: stored, key, table) }
                    isUnchanged = new != nil && Record.schema.savesOnlyChanges && change.equals(stored, key, table)
                    if change.indexes.isEmpty { return }
                    source = try Record.deriveStored(key, stored, in: table, for: change.indexes, into: &change.old)
                }
                if isStored, rule == .throw {
                    throw StoreError.record(
                        .keyExists(type: Record.schema.name, key: table.storedKey(copiedBytes(key))))
                }
                guard isStored ? rule == .replace : new != nil else { return false }
                if isUnchanged { return true }
                if source == .none { change.includeAllIndexes() }
                if let new, !change.indexes.isEmpty {
                    Record.derive(new, key, change.indexes, into: &change.new)
                    if source == .record { change.compareEntries() }
                    let collision = try collision(
                        of: change.new, type: Record.self, key: key, table: table, skipping: resolved)
                    if let collision {
                        return try resolve(collision, saving: new, key: key, resolved: resolved)
                    }
                }
                if new == nil {
                    _ = try remove(table, key)
                } else {
                    try write(&change, key, isNew: !isStored, to: table)
                }
                if source == .none { try removeAllEntries(of: copiedBytes(key), Record.self, table) }
                if source == .bytes { try removeAssumedEntries(change, of: copiedBytes(key), Record.self, table) }
                try apply(change, key, to: table)
                try follow(key, isRemoved: new == nil, in: table)
                return true
            }
        }
    }

    /// Calls a closure with memory for a change. A collision rule with changes of its own gets other memory.
    private func withChange<R>(_ body: (inout RecordChange) throws -> R) throws -> R {
        var change = spareChange.take() ?? RecordChange()
        change.removeAll()
        let result = try body(&change)
        spareChange = consume change
        return result
    }

    /// Writes the value of the new record. The search for the old record has moved the table's cursor to its place.
    private func write(
        _ change: inout RecordChange, _ key: RawSpan, isNew: Bool, to table: RecordTable
    ) throws {
        change.seal(key, table)
        try keyspace.put(table.database, key, change.value, mode: .replaceNext)
        note(isNew ? .inserted : .updated, of: key, in: table)
    }
}

// MARK: Removing

extension TransactionContext {
    /// Removes a record of a type without indexes. Returns whether the record existed.
    @usableFromInline
    func remove(_ schema: RecordSchema, _ key: RawSpan) throws -> Bool {
        guard let table = try tableForRemoval(schema) else { return false }
        return try remove(table, key)
    }

    /// Removes a record, and none of its index entries. Returns whether the record existed.
    func remove(_ table: RecordTable, _ key: RawSpan) throws -> Bool {
        let tombstone = try tombstone(of: key, in: table)
        let isStored = try translatingErrors { try keyspace.delete(table.database, key) }
        if isStored { note(.deleted, of: key, in: table, tombstone: tombstone) }
        return isStored
    }

    /// Removes a record near the last record removed by this method. Returns whether the record existed.
    func removeNext(_ table: RecordTable, _ key: RawSpan) throws -> Bool {
        try writeFullHistory()
        let tombstone = try tombstone(of: key, in: table)
        let isStored = try translatingErrors { try keyspace.remove(table.database, key) { _ in } }
        if isStored { note(.deleted, of: key, in: table, tombstone: tombstone) }
        return isStored
    }
}
