// Values that stand twice in a unique table: one that was made of stored records has whatever these hold, and a closure
// that decides about collisions may let both stay.
//
// The rows of a value stand side by side (IndexEntries.swift), so that one walk over the rows finds those that have
// company. Their records are asked then, since a row may have no room for all of its value, or follow from no record at
// all.

import LMDB
import TroveCoding

/// The rows of a unique table, and how they are read.
struct UniqueRows {
    let keyspace: Keyspace
    let rows: Database
    let seed: CRC32C
    /// How many bytes at the beginning of a row are its value; nil where it does not hold a value.
    let valueSize: (_ row: RawSpan) -> Int?
    /// The value of the record with a key; nil where nobody knows.
    let value: (_ recordKey: [UInt8]) throws -> [UInt8]?

    /// Calls a closure with the keys of two records that have the same value, the lesser one first; where more than two
    /// have it, with those of one of them and each of the others.
    func forEachDuplicate(_ body: (_ first: [UInt8], _ second: [UInt8]) throws -> ScanControl) throws {
        var group = RowGroup()
        try keyspace.scan(rows, ScanRange()) { row, stored in
            if !group.contains(row) {
                begin(&group, row, stored)
                return .continue
            }
            for key in group.takeFirst() + [recordKey(row, stored)] {
                // What does not follow from its record holds no value.
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

    /// The key of the record to which a row leads; nil where it leads to none.
    private func recordKey(_ row: RawSpan, _ stored: RawSpan) -> [UInt8]? {
        if stored.byteCount > 0 { return StoredEntry.recordKey(in: stored, key: row, seed: seed) }
        return valueSize(row).map { copiedBytes(row.extracting(droppingFirst: $0)) }
    }
}

/// Rows side by side that begin with the same value, or with the same head of values for which rows have no room.
private struct RowGroup {
    /// What they begin with; empty before the first row.
    private(set) var head: [UInt8] = []
    /// The key of the first row's record; empty where there is none, or it was looked at.
    var first: [UInt8] = []
    /// By value, the key of one record that has it, of those that were looked at.
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

    /// The first row's record, the first time that it is asked for.
    mutating func takeFirst() -> [[UInt8]?] {
        defer { first = [] }
        return first.isEmpty ? [] : [first]
    }
}

// MARK: Of a type

/// Whether a value stands twice in a table in which none may.
struct UniquenessViolation {
    /// The table's number.
    let number: UInt32
    /// The error of the first two records that have the same values; nil where there are none.
    let error: StoreError?
}

extension IndexKeyRecord {
    /// Looks through the tables that may have values twice, although their rules forbid it.
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
    /// The value that a table has for the record of a key; nil where there is none, or the record is damaged.
    fileprivate func value<Record: IndexKeyRecord>(
        of key: [UInt8], _ type: Record.Type, _ index: Int, _ table: RecordTable
    ) throws -> [UInt8]? {
        var list = IndexEntries()
        let key = unsafe key.span.bytes
        _ = try keyspace.withValue(table.database, key) { stored in
            // What is damaged may read as anything.
            guard table.isIntact(key, stored) else { return }
            let record = try Record.decode(key, stored, table)
            Record.indexes[index].derive(record, key, as: index, into: &list)
        }
        return list.entries.isEmpty ? nil : Array(list.value(of: 0))
    }
}

extension Store {
    /// Looks through the tables of a type that may have values twice, although their rules forbid it, and notes which
    /// of them do not.
    ///
    /// - Returns: Of each of the others, an error with two records that have the same values.
    func reportDuplicates(of type: AnyRecordType) throws -> [StoreError] {
        try translatingErrors {
            let (seen, found) = try read { context in
                (try context.catalogStorage().number(.commitSequence), try type.violations(context))
            }
            guard found.contains(where: { $0.error == nil }) else { return found.compactMap(\.error) }
            do {
                return try note(found, of: type, ifStillAt: seen)
            } catch StoreError.writerBusy {
                // Nobody needs the note taken back: whoever opens the store next looks again.
                return found.compactMap(\.error)
            }
        }
    }

    /// - Parameters:
    ///   - found: What there is to tell of the tables.
    ///   - seen: The number of the commit that has been looked at.
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
