// Unique values: a record that is saved may have some that another one has.

import LMDB
import TroveCoding

/// Another record that has the unique values of one that is to be saved.
struct UniqueCollision {
    /// Which of the type's tables is concerned.
    var table: Int
    /// What both have.
    var value: [UInt8]
    /// The key of the other record.
    var existing: [UInt8]
}

/// A collision to be looked at when a statement ends.
struct DeferredCheck {
    /// Whether the other record goes, where there is one still.
    var replaces: Bool
    var run: (TransactionContext) throws -> Void
}

extension RecordIndex {
    /// Whether a record takes the place of another one that has its values.
    fileprivate var replaces: Bool { if case .upsert? = collisions?.kind { true } else { false } }
}

extension TransactionContext {
    /// A collision of entries that are not stored yet: one whose rule is to replace the other record, where there is
    /// one, since others may be settled with it.
    ///
    /// - Parameters:
    ///   - key: The key of the record that they follow from.
    ///   - settled: The tables that are not asked.
    func collision<Record: IndexKeyRecord>(
        _ entries: IndexEntries, of type: Record.Type, _ key: RawSpan, _ table: RecordTable, _ resolved: [Int]
    ) throws -> UniqueCollision? {
        var first: UniqueCollision?
        for index in entries.entries.indices {
            let entry = entries.entries[index]
            let target = table.indexes[entry.table]
            guard !entry.isKept, target.kind.isUnique, !resolved.contains(entry.table) else { continue }
            if target.isReady, try !mayHold(target, entries.value(of: index)) { continue }
            let value = Array(entries.value(of: index))
            guard let existing = try holder(of: value, type, entry.table, excluding: copiedBytes(key), table) else {
                continue
            }
            let collision = UniqueCollision(table: entry.table, value: value, existing: existing)
            if Record.indexes[entry.table].replaces { return collision }
            first = first ?? collision
        }
        return first
    }

    /// Whether a table may have a row of a value: one look, which nearly always says no.
    private func mayHold(_ target: OpenIndex, _ value: ArraySlice<UInt8>) throws -> Bool {
        return try ByteView.with(value.prefix(IndexEntries.headSize)) { head in
            var mayHold = false
            try head.withSpan { lower in
                try keyspace.withFirst(target.database, from: lower) { row in
                    mayHold = ByteView.with(row) { $0.starts(with: head) }
                }
            }
            return mayHold
        }
    }

    /// The key of another record with a value; nil where there is none.
    ///
    /// Of a table that is being made, the records that it does not have yet are looked at too.
    func holder<Record: IndexKeyRecord>(
        of value: [UInt8], _ type: Record.Type, _ index: Int, excluding key: [UInt8], _ table: RecordTable
    ) throws -> [UInt8]? {
        if let stored = try storedHolder(of: value, type, index, excluding: key, table) { return stored }
        guard !table.indexes[index].isReady else { return nil }
        let number = table.indexes[index].number
        let position = try catalogStorage().type(Record.schema.keyPrefix)?.indexes[number]?.state.position ?? []
        var found: [UInt8]?
        var list = IndexEntries()
        try keyspace.scan(table.database, TypeMigration.range(after: position)) { recordKey, stored in
            list.removeAll()
            guard let record = try Record.decodeUnlessDamaged(recordKey, stored, table) else { return .continue }
            Record.indexes[index].derive(record, recordKey, as: index, into: &list)
            guard !list.entries.isEmpty, list.value(of: 0).elementsEqual(value) else { return .continue }
            let bytes = copiedBytes(recordKey)
            if bytes == key { return .continue }
            found = bytes
            return .stop
        }
        return found
    }

    /// The same, as far as the table has the entries.
    func storedHolder<Record: IndexKeyRecord>(
        of value: [UInt8], _ type: Record.Type, _ index: Int, excluding key: [UInt8], _ table: RecordTable
    ) throws -> [UInt8]? {
        let target = table.indexes[index]
        let head = KeyRange(prefix: Array(value.prefix(IndexEntries.headSize)))
        var found: [UInt8]?
        try keyspace.scan(target.database, ScanRange(from: head.lower, upTo: head.upper)) { row, stored in
            let isLong = stored.byteCount > 0
            let bytes = copiedBytes(row)
            guard isLong || bytes.starts(with: value) else { return .continue }
            let recordKey =
                isLong
                ? StoredEntry.recordKey(in: stored, key: row, seed: target.seed) : Array(bytes.dropFirst(value.count))
            if recordKey == key { return .continue }
            if let recordKey, try self.value(of: recordKey, type, index, table) == value {
                found = recordKey
                return .stop
            }
            // Long values that begin alike stand together. Any other row follows from its record, or the table is
            // wrong.
            if recordKey != nil, isLong, value.count > IndexEntries.headSize { return .continue }
            if let recordKey, try !isIntact(recordKey, in: table) {
                throw StoreError.checksumMismatch(type: Record.schema.name, key: recordKey)
            }
            throw StoreError.indexDamaged(
                type: Record.schema.name, index: Record.schema.indexes[index].text, key: bytes)
        }
        return found
    }

    /// Whether the record of a key is the one that was written, where there is one.
    private func isIntact(_ key: [UInt8], in table: RecordTable) throws -> Bool {
        var isIntact = true
        let key = unsafe key.span.bytes
        _ = try keyspace.withValue(table.database, key) { isIntact = table.isIntact(key, $0) }
        return isIntact
    }

    /// The value that a table has for the record of a key.
    private func value<Record: IndexKeyRecord>(
        of key: [UInt8], _ type: Record.Type, _ index: Int, _ table: RecordTable
    ) throws -> [UInt8]? {
        guard let list = try unsafe entries(of: type, key.span.bytes, table) else { return nil }
        return list.entries.firstIndex { $0.table == index }.map { Array(list.value(of: $0)) }
    }

    // MARK: Settling

    /// Does with a collision what its table's rule says.
    ///
    /// - Parameters:
    ///   - record: The record to save, and its key.
    ///   - settled: The tables whose collisions are settled.
    /// - Returns: Whether the record was saved.
    func resolve<Record: IndexKeyRecord>(
        _ collision: UniqueCollision, _ record: Record, _ key: RawSpan, _ resolved: [Int]
    ) throws -> Bool {
        let declared = Record.indexes[collision.table]
        switch declared.collisions?.kind {
        case .ignore?: return false
        case .custom(let resolve)?:
            return try attempt { context in
                if let existing = try context.record(of: collision.existing, Record.self) {
                    try resolve(context, record, existing)
                }
                // What else it collides with is settled when the statement ends, as with the other records.
                context.isStatement = isStatement
                return try context.save(record, .replace, resolved: resolved + [collision.table])
            }
        case .throw?, .upsert?, nil:
            let key = copiedBytes(key)
            if isStatement {
                deferredChecks.append(
                    DeferredCheck(replaces: declared.replaces) { context in
                        try context.resolve(collision, of: Record.self, savedAs: key)
                    })
                return try save(record, .replace, resolved: resolved + [collision.table])
            }
            guard declared.replaces else {
                throw StoreError.notUnique(
                    type: Record.schema.name, index: declared.descriptor.text, key: key,
                    existing: collision.existing)
            }
            return try attempt { context in
                _ = try unsafe context.remove(Record.self, collision.existing.span.bytes)
                return try context.save(record, .replace, resolved: resolved)
            }
        }
    }

    /// Does what settles a collision and saves a record; nothing where the record is not saved after all.
    private func attempt(_ body: (TransactionContext) throws -> Bool) throws -> Bool {
        do {
            return try nested { context in
                guard try body(context) else { throw NotSaved() }
                return true
            }
        } catch is NotSaved {
            return false
        }
    }

    private struct NotSaved: Error {}

    /// Settles the collisions that are left at the end of a statement.
    ///
    /// Of records that replace each other, the one that was saved last stays. Those that must not collide are looked at
    /// when the others are gone.
    func runDeferredChecks() throws {
        try translatingErrors {
            for collision in deferredChecks.reversed() where collision.replaces { try collision.run(self) }
            for collision in deferredChecks where !collision.replaces { try collision.run(self) }
            deferredChecks = []
        }
    }

    /// Settles a collision at the end of a statement, if it is one still.
    ///
    /// - Parameter key: The key of the record that was saved later.
    private func resolve<Record: IndexKeyRecord>(
        _ collision: UniqueCollision, of type: Record.Type, savedAs key: [UInt8]
    ) throws {
        let declared = Record.indexes[collision.table]
        let table = try unsafe tableForWriting(Record.schema).takeUnretainedValue()
        guard try value(of: key, type, collision.table, table) == collision.value else { return }
        while let existing = try holder(of: collision.value, type, collision.table, excluding: key, table) {
            guard declared.replaces else {
                throw StoreError.notUnique(
                    type: Record.schema.name, index: declared.descriptor.text, key: key, existing: existing)
            }
            _ = try unsafe remove(type, existing.span.bytes)
        }
    }
}
