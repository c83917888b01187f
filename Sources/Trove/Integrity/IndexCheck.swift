// Compares indexes with their records: each record has its entries, the index has no other entries, and a unique index
// has no duplicate values. The caller derives the entries of a stored record. A damaged record is reported, and so is a
// record that its type cannot decode. The entries of both are not checked.

import LMDB
import TroveCoding

/// A comparison of some indexes of a type, in one snapshot and in constant memory.
struct IndexCheck {
    /// Returns the entries of an intact record; nil if they cannot be derived. Throws if the type cannot decode it.
    typealias Derive = (_ key: RawSpan, _ value: RawSpan) throws -> IndexEntries?

    private let keyspace: Keyspace
    private let type: String
    /// The layout of the records' keys.
    private let keyLayout: String
    private let records: Database
    private let seed: CRC32C
    /// The indexes, by their positions in `IndexEntries`; nil for omitted indexes.
    private let indexes: [CheckedIndex?]
    private let deriveIntact: Derive
    private let steps: CheckSteps
    private(set) var differences: [IndexDifference] = []
    /// The number of records whose entries could not be derived.
    private(set) var unknownRecords = 0
    /// The names of the indexes that were not compared, because of records whose entries are not known.
    private(set) var incomparable: Set<String> = []
    /// Whether the entries of a record are not known.
    private var hasUnderivedRecords = false
    /// For each index, the number of entries found from their records.
    private var found: [Int]
    /// For each index, the keys of entries already reported as damaged.
    private var damaged: [Set<[UInt8]>]

    init(
        _ keyspace: Keyspace, type: String, keyLayout: String, records: Database, seed: CRC32C,
        _ indexes: [CheckedIndex?], _ steps: CheckSteps, derive: @escaping Derive
    ) {
        self.keyspace = keyspace
        self.type = type
        self.keyLayout = keyLayout
        self.records = records
        self.seed = seed
        self.indexes = indexes
        self.steps = steps
        deriveIntact = derive
        found = [Int](repeating: 0, count: indexes.count)
        damaged = [Set<[UInt8]>](repeating: [], count: indexes.count)
    }

    /// - Parameter includingRecords: Whether to verify the checksums of the records if there is no index to compare.
    mutating func run(includingRecords: Bool = false) throws {
        guard includingRecords || indexes.contains(where: { $0 != nil }) else { return }
        try keyspace.scan(records, ScanRange()) { key, value in
            try steps.advance()
            guard StoredValue.isIntact(value, key: key, seed: seed) else {
                note(.damagedRecord, nil, copiedBytes(key))
                hasUnderivedRecords = true
                return isFull ? .stop : .continue
            }
            let derived: IndexEntries?
            do {
                derived = try deriveIntact(key, value)
            } catch  where error.isOfRecord {
                note(.unreadableRecord, nil, copiedBytes(key))
                hasUnderivedRecords = true
                return isFull ? .stop : .continue
            }
            guard let entries = derived else {
                unknownRecords += 1
                hasUnderivedRecords = true
                return .continue
            }
            let recordKey = copiedBytes(key)
            for place in entries.entries.indices {
                guard let index = indexes[entries.entries[place].index] else { continue }
                try compare(entries, at: place, with: index, key: recordKey)
            }
            return isFull ? .stop : .continue
        }
        for (number, index) in indexes.enumerated() {
            guard let index, !isFull else { continue }
            if let contents = index.contents {
                try compareDocuments(of: index, contents, number)
                continue
            }
            if try keyspace.count(index.database) != found[number] { try compareEntries(of: index, number) }
            if index.forbidsDuplicates, !isFull { try compareValues(of: index, number) }
            if let ranks = index.ranks, !isFull { try compareRanks(ranks, of: index) }
        }
    }

    private var isFull: Bool { differences.count >= IndexDifference.limit }

    private mutating func note(
        _ kind: IndexDifference.Kind, _ index: CheckedIndex?, _ key: [UInt8], other: [UInt8]? = nil
    ) {
        guard !isFull else { return }
        let layout = kind.isOfEntries ? index?.entryLayout : keyLayout
        differences.append(
            IndexDifference(
                type: type, index: index?.name, kind: kind, key: StoredKey(key, of: type, layout: layout),
                other: other.map { StoredKey($0, of: type, layout: keyLayout) }))
    }

    // MARK: From records to entries

    private mutating func compare(
        _ entries: IndexEntries, at place: Int, with index: CheckedIndex, key recordKey: [UInt8]
    ) throws {
        let number = entries.entries[place].index
        if let contents = index.contents {
            switch try ByteView.with(entries.value(of: place), { try contents.state(of: recordKey, $0) }) {
            case .sound: found[number] += 1
            case .missing: if index.hasAllEntries { note(.missing, index, recordKey) }
            case .different:
                found[number] += 1
                note(.damaged, index, recordKey)
            }
            return
        }
        let entry = entries.bytes(of: place)
        let storedKey = StoredEntry.key(of: entry)
        let expected = StoredEntry.value(of: entry, key: storedKey, recordKey: recordKey[...], seed: index.seed)
        var stored: [UInt8]?
        _ = try keyspace.withEntry(index.database, storedKey) { stored = copiedBytes($1) }
        if let stored {
            found[number] += 1
            if stored != expected {
                damaged[number].insert(storedKey)
                note(.damaged, index, recordKey)
            }
        } else if index.hasAllEntries {
            note(.missing, index, recordKey)
        }
    }

    /// Returns the entries of a stored record; nil if they cannot be derived.
    private func derive(_ key: RawSpan, _ value: RawSpan) throws -> IndexEntries? {
        guard StoredValue.isIntact(value, key: key, seed: seed) else { return nil }
        do {
            return try deriveIntact(key, value)
        } catch  where error.isOfRecord {
            return nil
        }
    }

    // MARK: From entry to entry

    private mutating func compareValues(of index: CheckedIndex, _ number: Int) throws {
        steps.expect(try keyspace.count(index.database))
        let duplicates = DuplicateValues(
            keyspace: keyspace, entries: index.database, seed: index.seed, valueSize: index.valueSize,
            step: steps.advance
        ) { [self] key in try value(of: key, number) }
        try duplicates.forEachDuplicate { first, second in
            note(.notUnique, index, second, other: first)
            return isFull ? .stop : .continue
        }
    }

    /// Returns the value derived by an index from the record with a key.
    private func value(of recordKey: [UInt8], _ number: Int) throws -> [UInt8]? {
        var found: [UInt8]?
        _ = try keyspace.withEntry(records, recordKey) { key, value in
            guard let entries = try derive(key, value) else { return }
            found = entries.entries.firstIndex { $0.index == number }.map { Array(entries.value(of: $0)) }
        }
        return found
    }

    // MARK: From entries to counts

    private mutating func compareRanks(_ ranks: OpenRanks, of index: CheckedIndex) throws {
        steps.expect(try keyspace.count(index.database))
        for entry in try ranks.differences(keyspace, limit: IndexDifference.limit, step: steps.advance) {
            note(.wrongRanks, index, entry)
        }
    }

    // MARK: From documents to records

    private mutating func compareDocuments(
        of index: CheckedIndex, _ contents: any CheckedContents, _ number: Int
    ) throws {
        let documents = try contents.documentCount()
        if documents != found[number] {
            steps.expect(documents)
            try contents.forEachDocument { key, id in
                try steps.advance()
                if try !(key.map { try mayHaveEntry($0, number) } ?? false) { note(.orphaned, index, key ?? id) }
                return !isFull
            }
        }
        try contents.forEachWaiting { key in
            if try !mayHaveEntry(key, number) { note(.orphaned, index, key) }
            return !isFull
        }
        if contents.needsAllRecords, hasUnderivedRecords {
            incomparable.insert(index.name)
            return
        }
        for (record, row) in try contents.findings(limit: IndexDifference.limit) {
            note(record == nil ? contents.rowDifference : .damaged, index, record ?? row)
        }
    }

    /// Returns whether a record has an entry in an index. Returns true if this cannot be decided: the record is
    /// damaged, or only its program can read its layout.
    private func mayHaveEntry(_ recordKey: [UInt8], _ number: Int) throws -> Bool {
        var mayHave = false
        _ = try keyspace.withEntry(records, recordKey) { key, value in
            mayHave = try derive(key, value).map { $0.entries.contains { $0.index == number } } ?? true
        }
        return mayHave
    }

    // MARK: From entries to records

    private mutating func compareEntries(of index: CheckedIndex, _ number: Int) throws {
        steps.expect(try keyspace.count(index.database))
        try keyspace.scan(index.database, ScanRange()) { entry, stored in
            try steps.advance()
            let storedKey = copiedBytes(entry)
            if !damaged[number].contains(storedKey),
                try !isDerived(entry, key: storedKey, value: stored, in: index, number: number)
            {
                note(.orphaned, index, storedKey)
            }
            return isFull ? .stop : .continue
        }
    }

    /// Returns whether a record derives the entry. Returns true if this cannot be decided.
    private func isDerived(
        _ entry: RawSpan, key storedKey: [UInt8], value stored: RawSpan, in index: CheckedIndex, number: Int
    ) throws -> Bool {
        let found =
            stored.byteCount > 0
            ? StoredEntry.recordKey(in: stored, key: entry, seed: index.seed)
            : index.recordKey(of: entry)
        guard let found else { return false }
        var isDerived = false
        _ = try keyspace.withEntry(records, found) { key, value in
            guard let entries = try derive(key, value) else {
                isDerived = true
                return
            }
            isDerived = entries.entries.indices.contains { place in
                entries.entries[place].index == number && StoredEntry.key(of: entries.bytes(of: place)) == storedKey
            }
        }
        return isDerived
    }
}
