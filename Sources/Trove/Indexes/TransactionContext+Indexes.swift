// The one path by which records of types with indexes change: what follows from the old record and from the new
// one is compared, collisions are looked for, and only then anything is written.

import LMDB
import TroveCoding

extension TransactionContext {
    /// Stores a record of a type with indexes.
    ///
    /// - Returns: False when it was not stored, because a record of its key, or of its unique values, was left in place.
    @usableFromInline
    func save<Record: IndexKeyRecord>(_ record: Record, _ rule: ConflictRule) throws -> Bool {
        try translatingErrors { try save(record, rule, resolved: []) }
    }

    /// - Parameter settled: The tables whose collisions are settled.
    func save<Record: IndexKeyRecord>(_ record: Record, _ rule: ConflictRule, resolved: [Int]) throws -> Bool {
        try KeyWriter.withKey({ record.encodeKey(into: &$0) }) { key in
            let table = try unsafe tableForWriting(Record.schema).takeUnretainedValue()
            return try withChanges { changes in
                try changes.encode(record)
                let wasThere = try keyspace.withValueToReplace(table.database, key) { stored in
                    guard rule == .replace else { return }
                    // A damaged one does not tell its rows.
                    try table.verify(key, stored)
                    try changes.compare(with: stored, key, table)
                    if changes.tables.isEmpty { return }
                    Record.derive(try Record.decode(key, stored, table), key, changes.tables, into: &changes.old)
                }
                if wasThere, rule != .replace {
                    if rule == .throw { throw StoreError.keyExists(type: Record.schema.name, key: copiedBytes(key)) }
                    return false
                }
                if !changes.tables.isEmpty {
                    Record.derive(record, key, changes.tables, into: &changes.new)
                    changes.compareEntries()
                    if let collision = try collision(changes.new, of: Record.self, key, table, resolved) {
                        return try resolve(collision, record, key, resolved)
                    }
                }
                try write(changes.value, key, of: Record.schema)
                try apply(changes, to: table)
                return true
            }
        }
    }

    /// Removes a record, with all that follows from it.
    ///
    /// - Returns: Whether it was there.
    @usableFromInline
    func remove<Record: IndexKeyRecord>(_ type: Record.Type, _ key: RawSpan) throws -> Bool {
        guard let table = try tableForRemoval(Record.schema) else { return false }
        if Record.schema.indexes.isEmpty { return try remove(table, key) }
        return try translatingErrors {
            let table = try unsafe tableForWriting(Record.schema).takeUnretainedValue()
            return try withChanges { changes in
                let wasThere = try keyspace.withValueToReplace(table.database, key) { stored in
                    try table.verify(key, stored)
                    Record.derive(try Record.decode(key, stored, table), key, .all, into: &changes.old)
                }
                guard wasThere else { return false }
                _ = try remove(table, key)
                try apply(changes, to: table)
                return true
            }
        }
    }

    /// Removes the records of a plan, with all that follows from them; gives how many there were.
    @usableFromInline
    func remove<Record: IndexKeyRecord>(_ type: Record.Type, _ plan: ScanPlan) throws -> Int {
        guard let table = try tableForRemoval(Record.schema) else { return 0 }
        if Record.schema.indexes.isEmpty { return try remove(table, plan) }
        if plan.isWholeTable, plan.limit == nil {
            let table = try unsafe tableForWriting(Record.schema).takeUnretainedValue()
            try translatingErrors {
                for target in table.indexes { try keyspace.deleteAll(target.database) }
            }
            return try remove(table, plan)
        }
        return try statement { context in
            var scan = TableScan(context, table, plan)
            var removed = 0
            while let batch = try scan.next() {
                _ = try batch.forEach { key, _ in
                    if try context.remove(type, key) { removed += 1 }
                    return true
                }
            }
            return removed
        }
    }

    /// Runs a closure that changes several records: where it throws, all is as before.
    ///
    /// Unique values whose rule is to throw or to replace are compared when it ends, so that two records can swap theirs.
    @usableFromInline
    func statement<R>(_ body: (TransactionContext) throws -> R) throws -> R {
        try nested { context in
            context.isStatement = true
            let result = try body(context)
            context.isStatement = false
            try context.runDeferredChecks()
            return result
        }
    }

    // MARK: Deriving

    /// Calls a closure with memory for one change. A collision rule that changes records meanwhile gets other memory.
    private func withChanges<R>(_ body: (inout RecordChange) throws -> R) throws -> R {
        var changes = spareChanges.take() ?? RecordChange()
        changes.removeAll()
        let result = try body(&changes)
        spareChanges = consume changes
        return result
    }

    /// The entries that follow from the stored record of a key; nil where there is none.
    func entries<Record: IndexKeyRecord>(
        of type: Record.Type, _ key: RawSpan, _ table: RecordTable
    ) throws -> IndexEntries? {
        var list: IndexEntries?
        _ = try keyspace.withValue(table.database, key) { value in
            list = Record.entries(of: try Record.decode(key, value, table), key)
        }
        return list
    }

    // MARK: Writing

    /// Writes the value of a record whose key the table's cursor has just looked for.
    private func write(_ value: [UInt8], _ key: RawSpan, of schema: RecordSchema) throws {
        let size = value.count - StoredValue.headerSize
        guard let opened = try open(schema, key, fieldsSize: size, mode: .replaceNext) else { return }
        unsafe value.withUnsafeBytes { value in
            unsafe opened.fields.copyMemory(
                from: UnsafeRawBufferPointer(rebasing: value[StoredValue.headerSize...]))
        }
        close(opened, key)
    }

    /// Writes what changes in the indexes.
    private func apply(_ changes: borrowing RecordChange, to table: RecordTable) throws {
        for index in changes.old.entries.indices where !changes.old.entries[index].isKept {
            let target = table.indexes[changes.old.entries[index].table]
            try StoredEntry.delete(changes.old.bytes(of: index), target, keyspace)
        }
        for index in changes.new.entries.indices where !changes.new.entries[index].isKept {
            let target = table.indexes[changes.new.entries[index].table]
            // Where a unique value belongs, the cursor has just been to look for another one.
            try StoredEntry.put(
                changes.new.bytes(of: index), of: changes.new.recordKey(of: index), target, keyspace,
                mode: target.kind.isUnique ? .replaceNext : .replace)
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
