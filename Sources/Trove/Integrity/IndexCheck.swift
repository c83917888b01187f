// Compares indexes with their records: each record has its entries, the index has no other entries, and a unique index
// has no duplicate values. The caller derives the entries of a stored record. A damaged record is reported; its entries
// are not checked.

import LMDB
import TroveCoding

/// A comparison of some indexes of a type, in one snapshot and in constant memory.
struct IndexCheck {
    /// Returns the entries of an intact record; nil if they cannot be derived.
    typealias Derive = (_ key: RawSpan, _ value: RawSpan) throws -> IndexEntries?

    /// The maximum number of differences to report.
    static let limit = 1000

    private let keyspace: Keyspace
    private let type: String
    private let records: Database
    private let seed: CRC32C
    /// The indexes, by their positions in `IndexEntries`; nil for omitted indexes.
    private let tables: [CheckedIndex?]
    private let deriveIntact: Derive
    private(set) var differences: [IndexDifference] = []
    /// The number of records whose entries could not be derived.
    private(set) var unknownRecords = 0
    /// For each index, the number of entries found from their records.
    private var found: [Int]
    /// For each index, the keys of entries already reported as damaged.
    private var damaged: [Set<[UInt8]>]

    init(
        _ keyspace: Keyspace, type: String, records: Database, seed: CRC32C, _ tables: [CheckedIndex?],
        derive: @escaping Derive
    ) {
        self.keyspace = keyspace
        self.type = type
        self.records = records
        self.seed = seed
        self.tables = tables
        deriveIntact = derive
        found = [Int](repeating: 0, count: tables.count)
        damaged = [Set<[UInt8]>](repeating: [], count: tables.count)
    }

    mutating func run() throws {
        guard tables.contains(where: { $0 != nil }) else { return }
        try keyspace.scan(records, ScanRange()) { key, value in
            guard StoredValue.isIntact(value, key: key, seed: seed) else {
                note(.damagedRecord, nil, copiedBytes(key))
                return isFull ? .stop : .continue
            }
            guard let entries = try deriveIntact(key, value) else {
                unknownRecords += 1
                return .continue
            }
            let recordKey = copiedBytes(key)
            for place in entries.entries.indices {
                guard let table = tables[entries.entries[place].table] else { continue }
                try compare(entries, place, table, recordKey)
            }
            return isFull ? .stop : .continue
        }
        for (index, table) in tables.enumerated() {
            guard let table, !isFull else { continue }
            if try keyspace.count(table.database) != found[index] { try compareEntries(of: table, index) }
            if table.forbidsDuplicates, !isFull { try compareValues(of: table, index) }
        }
    }

    private var isFull: Bool { differences.count >= Self.limit }

    private mutating func note(
        _ kind: IndexDifference.Kind, _ table: CheckedIndex?, _ key: [UInt8], other: [UInt8]? = nil
    ) {
        guard !isFull else { return }
        differences.append(IndexDifference(type: type, index: table?.name, kind: kind, key: key, other: other))
    }

    // MARK: From records to entries

    private mutating func compare(
        _ entries: IndexEntries, _ place: Int, _ table: CheckedIndex, _ recordKey: [UInt8]
    ) throws {
        let index = entries.entries[place].table
        let entry = entries.bytes(of: place)
        let storedKey = StoredEntry.key(of: entry)
        let expected =
            StoredEntry.isLong(entry)
            ? StoredEntry.value(key: storedKey, recordKey: recordKey[...], seed: table.seed) : []
        var stored: [UInt8]?
        _ = try keyspace.withEntry(table.database, storedKey) { stored = copiedBytes($1) }
        if let stored {
            found[index] += 1
            if stored != expected {
                damaged[index].insert(storedKey)
                note(.damaged, table, recordKey)
            }
        } else if table.hasAllEntries {
            note(.missing, table, recordKey)
        }
    }

    /// Returns the entries of a stored record; nil if they cannot be derived.
    private func derive(_ key: RawSpan, _ value: RawSpan) throws -> IndexEntries? {
        StoredValue.isIntact(value, key: key, seed: seed) ? try deriveIntact(key, value) : nil
    }

    // MARK: From entry to entry

    private mutating func compareValues(of table: CheckedIndex, _ index: Int) throws {
        let duplicates = DuplicateValues(
            keyspace: keyspace, entries: table.database, seed: table.seed, valueSize: table.valueSize
        ) { [self] key in try value(of: key, index) }
        try duplicates.forEachDuplicate { first, second in
            note(.notUnique, table, second, other: first)
            return isFull ? .stop : .continue
        }
    }

    /// Returns the value derived by an index from the record with a key.
    private func value(of recordKey: [UInt8], _ index: Int) throws -> [UInt8]? {
        var found: [UInt8]?
        _ = try keyspace.withEntry(records, recordKey) { key, value in
            guard let entries = try derive(key, value) else { return }
            found = entries.entries.firstIndex { $0.table == index }.map { Array(entries.value(of: $0)) }
        }
        return found
    }

    // MARK: From entries to records

    private mutating func compareEntries(of table: CheckedIndex, _ index: Int) throws {
        try keyspace.scan(table.database, ScanRange()) { entry, stored in
            let storedKey = copiedBytes(entry)
            if !damaged[index].contains(storedKey), try !follows(storedKey, entry, stored, table, index) {
                note(.orphaned, table, storedKey)
            }
            return isFull ? .stop : .continue
        }
    }

    /// Returns whether a record derives the entry. Returns true if this cannot be decided.
    private func follows(
        _ storedKey: [UInt8], _ entry: RawSpan, _ stored: RawSpan, _ table: CheckedIndex, _ index: Int
    ) throws -> Bool {
        let found =
            stored.byteCount > 0
            ? StoredEntry.recordKey(in: stored, key: entry, seed: table.seed)
            : table.valueSize(entry).map { copiedBytes(entry.extracting(droppingFirst: $0)) }
        guard let found else { return false }
        var follows = false
        _ = try keyspace.withEntry(records, found) { key, value in
            guard let entries = try derive(key, value) else {
                follows = true
                return
            }
            follows = entries.entries.indices.contains { place in
                entries.entries[place].table == index && StoredEntry.key(of: entries.bytes(of: place)) == storedKey
            }
        }
        return follows
    }
}
