// The one path by which records of types with secondary tables change: what follows from the old record and from the new
// one is compared, collisions are looked for, and only then anything is written.

import LMDB
import TroveCoding

extension TransactionContext {
    /// Stores a record of a type with secondary tables.
    ///
    /// - Returns: False when it was not stored, because a record of its key, or of its unique values, was left in place.
    @usableFromInline
    func save<Record: IndexKeyRecord>(_ record: Record, _ rule: ConflictRule) throws -> Bool {
        try save(record, rule, unchecked: [])
    }

    /// - Parameter unchecked: The tables whose collisions are settled.
    private func save<Record: IndexKeyRecord>(
        _ record: Record, _ rule: ConflictRule, unchecked: Set<Int>
    ) throws -> Bool {
        try translatingErrors {
            try KeyWriter.withKey({ record.encodeKey(into: &$0) }) { key in
                let table = try unsafe tableForWriting(Record.schema).takeUnretainedValue()
                if rule != .replace, try keyspace.withValue(table.database, key, { _ in }) {
                    if rule == .throw { throw StoreError.keyExists(type: Record.schema.name, key: copiedBytes(key)) }
                    return false
                }
                let entries = Record.entries(of: record, key)
                guard let collision = try collision(of: entries, Record.self, key, table, unchecked) else {
                    try replace(key, in: table, with: record, entries)
                    return true
                }
                return try resolve(collision, record, key, unchecked)
            }
        }
    }

    /// Removes a record of a type with secondary tables.
    ///
    /// - Returns: Whether it was there.
    @usableFromInline
    func remove<Record: IndexKeyRecord>(_ type: Record.Type, _ key: RawSpan) throws -> Bool {
        try translatingErrors {
            guard try self.table(for: Record.schema) != nil else { return false }
            let table = try unsafe tableForWriting(Record.schema).takeUnretainedValue()
            guard let old = try entries(of: type, key, table) else { return false }
            _ = try remove(table, key)
            try write(EntryChanges(from: old, to: EntryList()), old, EntryList(), key, table)
            return true
        }
    }

    /// Removes the records of a plan, of a type with secondary tables; gives how many there were.
    @usableFromInline
    func remove<Record: IndexKeyRecord>(_ type: Record.Type, _ plan: ScanPlan) throws -> Int {
        guard try self.table(for: Record.schema) != nil else { return 0 }
        let table = try unsafe tableForWriting(Record.schema).takeUnretainedValue()
        if plan.isWholeTable, plan.limit == nil {
            for target in table.secondaryTables { try translatingErrors { try keyspace.deleteAll(target.database) } }
            return try remove(table, plan)
        }
        var scan = RecordScan(self, table, plan)
        var removed = 0
        while let batch = try scan.next() {
            _ = try batch.forEach { key, _ in
                if try remove(type, key) { removed += 1 }
                return true
            }
        }
        return removed
    }

    // MARK: Writing

    private func replace<Record: IndexKeyRecord>(
        _ key: RawSpan, in table: RecordTable, with record: Record, _ new: EntryList
    ) throws {
        let old = try entries(of: Record.self, key, table) ?? EntryList()
        let size = try record.fieldsSize()
        guard let opened = try open(Record.schema, key, fieldsSize: size, .replace) else { return }
        do throws(CodingError) {
            var fields = unsafe opened.fields.mutableBytes
            try ValueWriter.write(into: &fields) { record.encodeFields(into: &$0) }
        } catch {
            abandon(opened, because: error)
            throw error
        }
        close(opened, key)
        try write(EntryChanges(from: old, to: new), old, new, key, table)
    }

    /// The entries of the record that is stored under a key; nil where there is none.
    private func entries<Record: IndexKeyRecord>(
        of type: Record.Type, _ key: RawSpan, _ table: RecordTable
    ) throws -> EntryList? {
        var list: EntryList?
        _ = try keyspace.withValue(table.database, key) { value in
            list = Record.entries(of: try Record.decode(key, value, table), key)
        }
        return list
    }

    private func write(
        _ changes: EntryChanges, _ old: EntryList, _ new: EntryList, _ key: RawSpan, _ table: RecordTable
    ) throws {
        for index in changes.removed {
            let target = table.secondaryTables[old.entries[index].table]
            let row = SecondaryRow.key(of: old.bytes(of: index))
            _ = try unsafe keyspace.delete(target.database, row.span.bytes)
        }
        for index in changes.added {
            let target = table.secondaryTables[new.entries[index].table]
            try put(new.bytes(of: index), copiedBytes(key)[...], into: target)
        }
    }

    /// Writes the row of an entry.
    func put(_ entry: ArraySlice<UInt8>, _ recordKey: ArraySlice<UInt8>, into target: SecondaryTarget) throws {
        let row = SecondaryRow.key(of: entry)
        let value = SecondaryRow.value(of: entry, key: row, recordKey: recordKey, seed: target.seed)
        _ = try unsafe keyspace.put(target.database, row.span.bytes, size: value.count) { destination in
            copyBytes(unsafe value.span.bytes, into: &destination)
        }
    }
}

// MARK: Unique values

/// Another record that has the unique values of one that is to be saved.
struct UniqueCollision {
    /// Which of the type's tables is concerned.
    var table: Int
    /// The key of the other record.
    var existing: [UInt8]
}

extension TransactionContext {
    /// The first collision of a record's entries.
    private func collision<Record: IndexKeyRecord>(
        of entries: EntryList, _ type: Record.Type, _ key: RawSpan, _ table: RecordTable, _ unchecked: Set<Int>
    ) throws -> UniqueCollision? {
        for (index, entry) in entries.entries.enumerated() {
            guard Record.secondaryTables[entry.table].collisions != nil, !unchecked.contains(entry.table) else {
                continue
            }
            let value = Array(entries.value(of: index))
            if let existing = try holder(of: value, type, entry.table, besides: copiedBytes(key), table) {
                return UniqueCollision(table: entry.table, existing: existing)
            }
        }
        return nil
    }

    /// The key of another record with a value; nil where there is none.
    func holder<Record: IndexKeyRecord>(
        of value: [UInt8], _ type: Record.Type, _ index: Int, besides key: [UInt8], _ table: RecordTable
    ) throws -> [UInt8]? {
        let target = table.secondaryTables[index]
        let head = KeyRange(prefix: Array(value.prefix(EntryList.headSize)))
        var found: [UInt8]?
        try keyspace.scan(target.database, ScanRange(from: head.lower, upTo: head.upper)) { row, stored in
            let recordKey: [UInt8]
            if stored.byteCount == 0 {
                let bytes = copiedBytes(row)
                guard bytes.starts(with: value) else { return .continue }
                recordKey = Array(bytes.dropFirst(value.count))
            } else {
                guard let long = SecondaryRow.recordKey(in: stored, key: row, seed: target.seed) else {
                    throw StoreError.checksumMismatch(type: Record.schema.name, key: copiedBytes(row))
                }
                guard try value.count <= EntryList.headSize || self.value(of: long, type, index, table) == value else {
                    return .continue
                }
                recordKey = long
            }
            guard recordKey != key else { return .continue }
            found = recordKey
            return .stop
        }
        return found
    }

    /// The value that a table has for the record of a key.
    private func value<Record: IndexKeyRecord>(
        of key: [UInt8], _ type: Record.Type, _ index: Int, _ table: RecordTable
    ) throws -> [UInt8]? {
        guard let list = try unsafe entries(of: type, key.span.bytes, table) else { return nil }
        return list.entries.firstIndex { $0.table == index }.map { Array(list.value(of: $0)) }
    }

    private func resolve<Record: IndexKeyRecord>(
        _ collision: UniqueCollision, _ record: Record, _ key: RawSpan, _ unchecked: Set<Int>
    ) throws -> Bool {
        let secondary = Record.secondaryTables[collision.table]
        switch secondary.collisions?.kind {
        case .ignore?: return false
        case .throw?, nil:
            throw StoreError.notUnique(
                type: Record.schema.name, table: secondary.description.text, key: copiedBytes(key),
                existing: collision.existing)
        case .upsert?:
            return try nested { context in
                _ = try unsafe context.remove(Record.self, collision.existing.span.bytes)
                return try context.save(record, .replace, unchecked: unchecked)
            }
        case .custom(let resolve)?:
            return try nested { context in
                if let existing = try context.record(of: collision.existing, Record.self) {
                    try resolve(context, record, existing)
                }
                return try context.save(record, .replace, unchecked: unchecked.union([collision.table]))
            }
        }
    }
}

extension ReadContext {
    /// The record that is stored under a key.
    final func record<Record: IndexKeyRecord>(of key: [UInt8], _ type: Record.Type) throws -> Record? {
        guard let table = try table(for: Record.schema) else { return nil }
        var record: Record?
        _ = try unsafe keyspace.withValue(table.database, key.span.bytes) { value in
            record = try Record.decode(unsafe key.span.bytes, value, table)
        }
        return record
    }
}
