// Unique values: the search for duplicates, and the collision rules.

import LMDB
import TroveCoding

/// Another record with the unique values of a record to save.
struct UniqueCollision {
    /// The position of the index among the type's indexes.
    var index: Int
    /// The encoded values of both records.
    var value: [UInt8]
    /// The key of the other record.
    var existing: [UInt8]
}

extension RecordIndex {
    /// Whether the collision rule removes the other record.
    fileprivate var replaces: Bool { if case .upsert? = collisions?.kind { true } else { false } }

    /// Whether the collision rule leaves the new record unsaved.
    fileprivate var ignores: Bool { if case .ignore? = collisions?.kind { true } else { false } }
}

extension IndexKeyRecord {
    /// Whether saving a record may remove another record.
    @usableFromInline
    static var replacesRecords: Bool { indexes.contains(where: \.replaces) }

    /// Whether saving a record may save others: records that an entity takes along, or records of a collision rule.
    @usableFromInline
    static var mayAddBySaving: Bool {
        schema.mayAddBySaving || indexes.contains { $0.collisions?.allowsDuplicates == true }
    }

    /// Whether a record may be left unsaved without an error.
    fileprivate static var ignoresRecords: Bool { indexes.contains(where: \.ignores) }
}

extension TransactionContext {
    /// Returns a collision of new entries. A collision whose rule removes the other record is preferred, since the
    /// removal may resolve the other collisions.
    ///
    /// - Parameters:
    ///   - key: The key of the entries' record.
    ///   - resolved: The indexes to skip.
    func collision<Record: IndexKeyRecord>(
        of entries: IndexEntries, type: Record.Type, key: RawSpan, table: RecordTable, skipping resolved: [Int]
    ) throws -> UniqueCollision? {
        var first: UniqueCollision?
        for place in entries.entries.indices {
            let entry = entries.entries[place]
            let target = table.indexes[entry.index]
            guard !entry.isKept, target.kind.isUnique, !resolved.contains(entry.index) else { continue }
            let value = entries.value(of: place)
            // A single seek. Nearly always it finds no entry of the value.
            let head = value.prefix(IndexEntries.headSize)
            if target.isReady, try head.withRawSpan({ try !keyspace.hasKey(target.database, startingWith: $0) }) {
                continue
            }
            let holder = try self.holder(of: Array(value), type, entry.index, excluding: copiedBytes(key), table)
            guard let existing = holder else { continue }
            let collision = UniqueCollision(index: entry.index, value: Array(value), existing: existing)
            if Record.indexes[entry.index].replaces { return collision }
            first = first ?? collision
        }
        return first
    }

    /// Returns the key of another record with a value; nil if there is none.
    ///
    /// While an index is being built, the records after its position are checked too.
    func holder<Record: IndexKeyRecord>(
        of value: [UInt8], _ type: Record.Type, _ index: Int, excluding key: [UInt8], _ table: RecordTable
    ) throws -> [UInt8]? {
        if let stored = try storedHolder(of: value, type, index, excluding: key, table) { return stored }
        guard !table.indexes[index].isReady else { return nil }
        let number = table.indexes[index].number
        let position = try catalogStorage().type(Record.schema.keyPrefix)?.indexes[number]?.state.position ?? []
        var found: [UInt8]?
        var list = IndexEntries()
        try keyspace.scan(table.database, ScanRange(after: position)) { recordKey, stored in
            try Record.deriveUnlessDamaged(
                recordKey, stored, in: table, for: index, includingPartial: false, into: &list)
            guard !list.entries.isEmpty, list.value(of: 0).elementsEqual(value) else { return .continue }
            let bytes = copiedBytes(recordKey)
            if bytes == key { return .continue }
            found = bytes
            return .stop
        }
        return found
    }

    /// Returns the key of another record with a value, by the stored entries; nil if there is none.
    func storedHolder<Record: IndexKeyRecord>(
        of value: [UInt8], _ type: Record.Type, _ index: Int, excluding key: [UInt8], _ table: RecordTable
    ) throws -> [UInt8]? {
        let target = table.indexes[index]
        let head = KeyRange(prefix: Array(value.prefix(IndexEntries.headSize)))
        var found: [UInt8]?
        try keyspace.scan(target.database, ScanRange(from: head.lower, upTo: head.upper)) { entry, stored in
            let isLong = stored.byteCount > 0
            let bytes = copiedBytes(entry)
            guard isLong || bytes.starts(with: value) else { return .continue }
            let recordKey =
                isLong
                ? StoredEntry.recordKey(in: stored, key: entry, seed: target.seed) : Array(bytes.dropFirst(value.count))
            if recordKey == key { return .continue }
            if let recordKey, try self.value(of: recordKey, type, index, table) == value {
                found = recordKey
                return .stop
            }
            // Long values with the same head are adjacent. Every other entry matches its record, or is damaged.
            if recordKey != nil, isLong, value.count > IndexEntries.headSize { return .continue }
            if let recordKey, try !isIntact(recordKey, in: table) {
                throw StoreError.record(.checksumMismatch(type: Record.schema.name, key: table.storedKey(recordKey)))
            }
            throw StoreError.record(
                .indexDamaged(
                    type: Record.schema.name, index: Record.schema.indexes[index].text,
                    key: Record.schema.entryKey(bytes, of: Record.schema.indexes[index].text)))
        }
        return found
    }

    /// Returns whether the record with a key is intact, or absent.
    private func isIntact(_ key: [UInt8], in table: RecordTable) throws -> Bool {
        var isIntact = true
        _ = try keyspace.withEntry(table.database, key) { isIntact = table.isIntact($0, $1) }
        return isIntact
    }

    /// Returns the indexed value of the record with a key; nil if the record has no entry.
    private func value<Record: IndexKeyRecord>(
        of key: [UInt8], _ type: Record.Type, _ index: Int, _ table: RecordTable
    ) throws -> [UInt8]? {
        var value: [UInt8]?
        _ = try keyspace.withEntry(table.database, key) { key, stored in
            var list = IndexEntries()
            _ = try Record.deriveStored(key, stored, in: table, for: .all, into: &list)
            value = list.entries.firstIndex { $0.index == index }.map { Array(list.value(of: $0)) }
        }
        return value
    }

    // MARK: Refusing

    /// Stores a record. A collision rule that leaves the record unsaved is an error here.
    ///
    /// - Throws: ``StoreError/RecordError/notUnique(type:index:key:existing:)``; the errors of
    ///   ``RecordWritable/insert(_:onConflict:)``.
    func insertOrThrow<Record: IndexKeyRecord>(_ record: Record, onConflict rule: ConflictRule = .replace) throws {
        if try !insert(record, onConflict: rule) { throw errorOfRefusal(of: record) }
    }

    /// Returns the error for a record that a collision rule has just left unsaved.
    func errorOfRefusal<Record: IndexKeyRecord>(of record: Record) -> StoreError {
        refusal ?? .record(.keyExists(type: Record.schema.name, key: StoredKey(record.indexKey, of: Record.self)))
    }

    /// Notes the error for a record that a collision rule leaves unsaved.
    ///
    /// A function of its own: rules call each other on the stack, which may be small.
    @inline(never)
    private func noteRefusal(of schema: RecordSchema, _ key: RawSpan, _ index: String, existing: [UInt8]) {
        refusal = .record(
            .notUnique(
                type: schema.name, index: index, key: schema.storedKey(copiedBytes(key)),
                existing: schema.storedKey(existing)))
    }

    // MARK: Resolving

    /// Resolves a collision by the rule of its index.
    ///
    /// - Parameters:
    ///   - record: The record to save.
    ///   - key: The key of the record.
    ///   - resolved: The indexes with resolved collisions.
    /// - Returns: Whether the record was saved.
    func resolve<Record: IndexKeyRecord>(
        _ collision: UniqueCollision, saving record: Record, key: RawSpan, resolved: [Int]
    ) throws -> Bool {
        let declared = Record.indexes[collision.index]
        switch declared.collisions?.kind {
        case .ignore?:
            noteRefusal(of: Record.schema, key, declared.descriptor.text, existing: collision.existing)
            return false
        case .custom(let rule)?:
            return try attempt { context in
                if let existing = try context.record(of: collision.existing, Record.self) {
                    try context.open(OpenCollision(collision, of: Record.self, copiedBytes(key)))
                    try (rule as? CollisionClosure<Record>)?.resolve(context, record, existing)
                    context.openCollisions.removeLast()
                }
                return try context.replaceIndexed(
                    key, with: record, onConflict: .replace, resolved: resolved + [collision.index])
            }
        case .upsert?:
            let keyPrefix = Record.schema.keyPrefix
            if let matches = upcomingMatches.last(where: { $0.contains(keyPrefix, collision.existing) }) {
                matches.note(collision, savedAs: copiedBytes(key))
                return try replaceIndexed(
                    key, with: record, onConflict: .replace, resolved: resolved + [collision.index])
            }
            // Without a nested transaction if an error undoes the removal anyway, and no record may be ignored.
            if isUndoneByErrors, !Record.ignoresRecords {
                return try removeExisting(of: collision, saving: record, key: key, resolved: resolved)
            }
            return try attempt { context in
                try context.removeExisting(of: collision, saving: record, key: key, resolved: resolved)
            }
        case .throw?, nil:
            let recordKey = copiedBytes(key)
            guard isStatement else {
                throw StoreError.record(
                    .notUnique(
                        type: Record.schema.name, index: declared.descriptor.text,
                        key: Record.schema.storedKey(recordKey), existing: Record.schema.storedKey(collision.existing)))
            }
            deferredChecks.append { context in try context.check(collision, of: Record.self, savedAs: recordKey) }
            return try replaceIndexed(key, with: record, onConflict: .replace, resolved: resolved + [collision.index])
        }
    }

    /// Removes the other record of a collision, and saves a record. Returns whether the record was saved.
    private func removeExisting<Record: IndexKeyRecord>(
        of collision: UniqueCollision, saving record: Record, key: RawSpan, resolved: [Int]
    ) throws -> Bool {
        if replacedRecords != nil {
            let table = try tableForWriting(Record.schema).table
            _ = try keyspace.withEntry(table.database, collision.existing) { key, stored in
                replacedRecords?[Record.schema.keyPrefix, copiedBytes(key)] = copiedBytes(stored)
            }
        }
        let calls = hookCalls
        let calledBefore = calls.value.count
        _ = try collision.existing.withRawSpan { try replace($0, with: nil as Record?) }
        // A hook may have saved a record with the same values.
        let mayRepeat = calls.value.count != calledBefore
        if mayRepeat { try open(OpenCollision(collision, of: Record.self, collision.existing)) }
        let isSaved = try replaceIndexed(key, with: record, onConflict: .replace, resolved: resolved)
        if mayRepeat { openCollisions.removeLast() }
        return isSaved
    }

    /// Resolves a collision and saves a record, in a nested transaction. Undoes both if the record is not saved.
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

    /// Throws if a collision still exists at the end of a statement.
    ///
    /// - Parameter key: The key of the record saved later.
    private func check<Record: IndexKeyRecord>(
        _ collision: UniqueCollision, of type: Record.Type, savedAs key: [UInt8]
    ) throws {
        let table = try tableForWriting(Record.schema).table
        guard try value(of: key, type, collision.index, table) == collision.value,
            let existing = try holder(of: collision.value, type, collision.index, excluding: key, table)
        else { return }
        throw StoreError.record(
            .notUnique(
                type: Record.schema.name, index: Record.indexes[collision.index].descriptor.text,
                key: table.storedKey(key), existing: table.storedKey(existing)))
    }
}
