// Finds duplicate values in unique indexes. They exist if the index was built from existing records, or if a custom
// collision rule kept both records.
//
// Entries with the same value are adjacent (IndexEntries.swift), so a single scan finds the candidates. Their records
// are then read, because an entry may be cut or orphaned.

import LMDB
import TroveCoding

/// The entries of a unique index, and the functions that read them.
struct UniqueRows {
    let keyspace: Keyspace
    let rows: Database
    let seed: CRC32C
    /// Returns the number of bytes of the value at the beginning of an entry; nil if the bytes do not begin with a
    /// value.
    let valueSize: (_ row: RawSpan) -> Int?
    /// Returns the value of the record with a key; nil if it is unknown.
    let value: (_ recordKey: [UInt8]) throws -> [UInt8]?

    /// Calls a closure with the keys of two records with equal values, the lesser key first. If more than two records
    /// have the value, calls it with a record and each of the others.
    func forEachDuplicate(_ body: (_ first: [UInt8], _ second: [UInt8]) throws -> ScanControl) throws {
        var group = RowGroup()
        try keyspace.scan(rows, ScanRange()) { row, stored in
            if !group.contains(row) {
                begin(&group, row, stored)
                return .continue
            }
            for key in group.takeFirst() + [recordKey(row, stored)] {
                // Skip orphaned entries: their record does not derive this value.
                guard let key, let value = try value(key), value.starts(with: group.head) else { continue }
                guard let other = group.holders[value], other != key else {
                    group.holders[value] = key
                    continue
                }
                let isInOrder = other.lexicographicallyPrecedes(key)
                if try (isInOrder ? body(other, key) : body(key, other)) == .stop { return .stop }
            }
            return .continue
        }
    }

    private func begin(_ group: inout RowGroup, _ row: RawSpan, _ stored: RawSpan) {
        if stored.byteCount > 0 {
            let head = row.extracting(first: min(row.byteCount, IndexEntries.headSize))
            group.begin(row, headSize: valueSize(head) ?? head.byteCount)
            group.first = StoredEntry.recordKey(in: stored, key: row, seed: seed) ?? []
        } else if let size = valueSize(row) {
            group.begin(row, headSize: min(size, IndexEntries.headSize))
            ByteView.with(row) { $0.dropFirst(size).append(to: &group.first) }
        }
    }

    /// Returns the record key of an entry; nil if the entry has none.
    private func recordKey(_ row: RawSpan, _ stored: RawSpan) -> [UInt8]? {
        if stored.byteCount > 0 { return StoredEntry.recordKey(in: stored, key: row, seed: seed) }
        return valueSize(row).map { copiedBytes(row.extracting(droppingFirst: $0)) }
    }
}

/// Adjacent entries that begin with the same value, or, if they are cut, with the same head of the value.
private struct RowGroup {
    /// The common beginning of the entries; empty before the first entry.
    private(set) var head: [UInt8] = []
    /// The record key of the first entry; empty if there is none, or after it was taken.
    var first: [UInt8] = []
    /// For each value seen so far, the key of a record with that value.
    var holders: [[UInt8]: [UInt8]] = [:]

    mutating func begin(_ row: RawSpan, headSize: Int) {
        head.removeAll(keepingCapacity: true)
        first.removeAll(keepingCapacity: true)
        if !holders.isEmpty { holders = [:] }
        ByteView.with(row) { $0.prefix(headSize).append(to: &head) }
    }

    func contains(_ row: RawSpan) -> Bool {
        !head.isEmpty && ByteView.with(row) { $0.starts(with: head) }
    }

    /// Returns the record key of the first entry on the first call; an empty array afterwards.
    mutating func takeFirst() -> [[UInt8]?] {
        defer { first = [] }
        return first.isEmpty ? [] : [first]
    }
}

// MARK: Duplicates of a type

/// The result of searching an index that forbids duplicate values.
struct UniquenessViolation {
    /// The number of the index.
    let number: UInt32
    /// The error for the first two records with equal values; nil if there are none.
    let error: StoreError?
}

extension IndexKeyRecord {
    /// Searches the indexes that may hold duplicate values although their collision rule forbids them.
    static func violations(_ context: ReadContext) throws -> [UniquenessViolation] {
        guard let table = try context.table(for: schema) else { return [] }
        return try zip(table.indexes, indexes).enumerated().compactMap { index, entry in
            let (target, declared) = entry
            guard target.state == .readableWithDuplicates, declared.descriptor.forbidsDuplicates else { return nil }
            let rows = UniqueRows(
                keyspace: context.keyspace, rows: target.database, seed: target.seed,
                valueSize: declared.valueSize(in:)
            ) { key in
                try context.value(of: key, Self.self, index, table)
            }
            var error: StoreError?
            try rows.forEachDuplicate { first, second in
                error = .notUnique(
                    type: schema.name, index: declared.descriptor.text, key: second, existing: first)
                return .stop
            }
            return UniquenessViolation(number: target.number, error: error)
        }
    }
}

extension ReadContext {
    /// Returns the value that an index derives from the record with a key; nil if there is none, or if the record is
    /// damaged.
    fileprivate func value<Record: IndexKeyRecord>(
        of key: [UInt8], _ type: Record.Type, _ index: Int, _ table: RecordTable
    ) throws -> [UInt8]? {
        var list = IndexEntries()
        _ = try keyspace.withEntry(table.database, key) { key, stored in
            // Damaged bytes may decode to anything.
            guard table.isIntact(key, stored) else { return }
            let record = try Record.decode(key, stored, table)
            Record.indexes[index].derive(record, key, as: index, into: &list)
        }
        return list.entries.isEmpty ? nil : Array(list.value(of: 0))
    }
}

extension Store {
    /// Searches the indexes of a type that may hold duplicate values although their collision rule forbids them. Clears
    /// the mark of indexes without duplicates.
    ///
    /// - Returns: An error for each index with duplicates, naming two of the records.
    func reportDuplicates(of type: AnyRecordType) throws -> [StoreError] {
        try translatingErrors {
            let (seen, found) = try read { context in
                (try context.catalogStorage().number(.commitSequence), try type.violations(context))
            }
            guard found.contains(where: { $0.error == nil }) else { return found.compactMap(\.error) }
            do {
                return try note(found, of: type, ifStillAt: seen)
            } catch StoreError.writerBusy {
                // The mark can stay: the next process that opens the store searches again.
                return found.compactMap(\.error)
            }
        }
    }

    /// Clears the mark of indexes without duplicates. Searches again if the store has changed in between.
    ///
    /// - Parameters:
    ///   - found: The results of the search.
    ///   - seen: The commit sequence of the searched snapshot.
    private func note(
        _ found: [UniquenessViolation], of type: AnyRecordType, ifStillAt seen: UInt64
    ) throws -> [StoreError] {
        try write { context in
            let prefix = type.schema.keyPrefix
            let isAsSeen = try context.catalogStorage().number(.commitSequence) == seen
            let found = isAsSeen ? found : try type.violations(context)
            guard var stored = try context.catalogStorage().type(prefix) else { return [] }
            for table in found where table.error == nil { stored.indexes[table.number]?.state = .readable }
            try context.set(stored, prefix)
            return found.compactMap(\.error)
        }
    }
}
