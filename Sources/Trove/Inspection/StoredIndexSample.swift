// The distinct values of an index and its largest groups, by a sample, without the Swift type.
//
//     few entries    all of them are read
//     few values     one seek for each value; then the entries of each are counted, up to a limit
//     otherwise      the values at positions interpolated between the first and the last key; their groups are counted
//     totals         the rows of the first groups

import LMDB
import TroveCoding

/// The values of an index: how many there are, and which have the most entries.
package struct StoredIndexSample: Sendable {
    /// The entries with a value.
    package struct Group: Sendable {
        /// The values of the indexed properties, as texts; nil if only their own types can read them, or if they are
        /// too long to be stored whole.
        package let texts: [String]?
        /// The bytes with which the entries begin.
        package let bytes: [UInt8]
        /// The number of entries.
        package let entries: Int
        /// Whether there are more entries: counting has ended at this number.
        package let isAtLeast: Bool
    }

    /// The number of entries; of totals, the number of counted records.
    package let entries: Int
    /// The number of distinct values; of totals, the number of groups.
    package let values: Int
    /// Whether ``values`` was counted: otherwise it is an estimate.
    package let isExact: Bool
    /// The largest groups that were found, the largest first.
    package let largest: [Group]
}

extension ReadContext {
    /// Returns a sample of the values of an index.
    ///
    /// - Parameters:
    ///   - index: An index of the type.
    ///   - type: An element of ``storedTypes()``.
    ///   - groups: The number of groups to return.
    /// - Returns: Nil for an index whose entries do not begin with values, or whose layout only its program knows.
    /// - Throws: ``StoreError``.
    /// - Complexity: At most some thousand seeks and a million steps, some 50 milliseconds.
    package final func sample(
        _ index: StoredIndex, of type: StoredType, groups: Int = 10
    ) throws -> StoredIndexSample? {
        try translatingErrors {
            try flushParts()
            guard let layout = try type.newestLayout(), let derivation = LayoutDerivation(index.stored, in: layout)
            else { return nil }
            if let totals = index.totals { return try sample(totals, index, of: type, derivation, groups) }
            guard index.stored.kind.hasEntries, index.stored.kind.repeatsKey else { return nil }
            var sampling = IndexSampling(keyspace: keyspace, entries: index.database, derivation: derivation)
            try sampling.run()
            let largest = sampling.groups.sorted { first, second in
                guard first.value.count == second.value.count else { return first.value.count > second.value.count }
                return first.key.lexicographicallyPrecedes(second.key)
            }.prefix(groups)
            return StoredIndexSample(
                entries: sampling.total, values: sampling.values, isExact: sampling.isExact,
                largest: largest.map { bytes, group in
                    let key = StoredKey(bytes, of: type.name, layout: derivation.entryLayout)
                    return StoredIndexSample.Group(
                        texts: key.componentTexts, bytes: bytes, entries: group.count, isAtLeast: group.isAtLeast)
                })
        }
    }
}

extension ReadContext {
    /// The number of groups of totals that are read.
    private static var groupLimit: Int { 20_000 }

    /// Returns the largest of the first groups of totals; nil for totals that do not have all records.
    private final func sample(
        _ totals: OpenTotals, _ index: StoredIndex, of type: StoredType, _ derivation: LayoutDerivation, _ groups: Int
    ) throws -> StoredIndexSample? {
        guard index.isReady, try CountedRecords(totals, keyspace).isComplete else { return nil }
        var found: [(bytes: [UInt8], records: Int)] = []
        var row = GroupTotals(sums: derivation.sumCount)
        try keyspace.scan(totals.rows.database, ScanRange()) { key, value in
            try ByteView.with(key) { key in
                try ByteView.with(value) { value in
                    found.append((try totals.read(key, value, into: &row).copy(), row.count))
                }
            }
            return found.count < Self.groupLimit ? .continue : .stop
        }
        let read = found.reduce(0) { $0.addingClamped($1.records) }
        let isExact = found.count >= index.count
        let estimate = Double(read) / Double(max(1, found.count)) * Double(index.count)
        // Of groups of the same size, the first comes first.
        let largest = found.enumerated().sorted {
            ($1.element.records, $0.offset) < ($0.element.records, $1.offset)
        }.prefix(groups).map(\.element)
        return StoredIndexSample(
            entries: isExact ? read : min(type.count, Int(estimate)), values: index.count, isExact: isExact,
            largest: largest.map { group in
                let key = StoredKey(group.bytes, of: type.name, layout: derivation.entryLayout)
                return StoredIndexSample.Group(
                    texts: key.componentTexts, bytes: group.bytes, entries: group.records, isAtLeast: false)
            })
    }
}

/// The sampling of an index.
private struct IndexSampling {
    let keyspace: Keyspace
    let entries: Database
    let derivation: LayoutDerivation
    private(set) var total = 0
    private(set) var values = 0
    private(set) var isExact = true
    private(set) var groups: [[UInt8]: (count: Int, isAtLeast: Bool)] = [:]

    init(keyspace: Keyspace, entries: Database, derivation: LayoutDerivation) {
        (self.keyspace, self.entries, self.derivation) = (keyspace, entries, derivation)
    }

    /// The number of entries up to which all are read.
    private static let wholeLimit = 20_000
    /// The number of values up to which all are found.
    private static let valueLimit = 500
    /// The number of interpolated positions.
    private static let sampleCount = 128
    /// The number of entries to count.
    private static let countBudget = 1_000_000

    mutating func run() throws {
        total = try keyspace.count(entries)
        if total <= Self.wholeLimit { return try readAll() }
        let (first, isAll) = try firstValues()
        if isAll {
            try count(first)
            values = first.count
            return
        }
        isExact = false
        let sampled = try sampledValues()
        try count(sampled)
        let found = groups.values.reduce(0) { $0 + $1.count }
        let mean = max(1, Double(found) / Double(max(1, groups.count)))
        values = max(first.count, min(total, Int(Double(total) / mean)))
    }

    /// Returns the value at the beginning of an entry.
    private func value(_ entry: RawSpan, _ stored: RawSpan) -> [UInt8] {
        let limit = min(entry.byteCount, IndexEntries.headSize)
        // Of a cut entry, only the first bytes of the value may be left.
        let size = stored.byteCount > 0 ? limit : derivation.valueSize(in: entry) ?? limit
        return copiedBytes(entry.extracting(first: size))
    }

    private mutating func readAll() throws {
        var last: [UInt8]?
        var count = 0
        try keyspace.scan(entries, ScanRange()) { entry, stored in
            let value = value(entry, stored)
            if value != last, let known = last {
                groups[known] = (count, false)
                count = 0
            }
            last = value
            count += 1
            return .continue
        }
        if let last { groups[last] = (count, false) }
        values = groups.count
    }

    /// Returns the value of the first entry of a range; nil if the range is empty.
    private func firstValue(_ range: ScanRange) throws -> [UInt8]? {
        var found: [UInt8]?
        try keyspace.scan(entries, range) { entry, stored in
            found = value(entry, stored)
            return .stop
        }
        return found
    }

    /// Returns the first values, and whether there are no others.
    private func firstValues() throws -> ([[UInt8]], Bool) {
        var found: [[UInt8]] = []
        var range = ScanRange()
        while let value = try firstValue(range) {
            guard found.count < Self.valueLimit else { return (found, false) }
            found.append(value)
            guard let upper = KeyRange(prefix: value).upper else { break }
            range = ScanRange(from: upper)
        }
        return (found, true)
    }

    /// Returns the values at interpolated positions.
    private func sampledValues() throws -> [[UInt8]] {
        guard let first = try firstKey(ScanRange()), let last = try firstKey(ScanRange(isDescending: true)) else {
            return []
        }
        // The keys are interpolated after the bytes that the first and the last have in common.
        let common = zip(first, last).prefix { $0 == $1 }.count
        let (low, high) = (Self.head(first, common), Self.head(last, common))
        var found: Set<[UInt8]> = []
        for index in 0..<Self.sampleCount {
            let share = (Double(index) + 0.5) / Double(Self.sampleCount)
            // The difference as a Double may be greater than its integer.
            let offset = min(high - low, UInt64(Double(high - low) * share))
            let head = low + offset
            let bound = first.prefix(common) + (0..<8).map { UInt8(truncatingIfNeeded: head >> (56 - 8 * $0)) }
            if let value = try firstValue(ScanRange(from: Array(bound))) { found.insert(value) }
        }
        return found.sorted { $0.lexicographicallyPrecedes($1) }
    }

    private func firstKey(_ range: ScanRange) throws -> [UInt8]? {
        var found: [UInt8]?
        try keyspace.scan(entries, range) { entry, _ in
            found = copiedBytes(entry)
            return .stop
        }
        return found
    }

    private static func head(_ key: [UInt8], _ start: Int) -> UInt64 {
        (0..<8).reduce(0) { $0 << 8 | UInt64(start + $1 < key.count ? key[start + $1] : 0) }
    }

    /// Counts the entries of some values.
    private mutating func count(_ values: [[UInt8]]) throws {
        let limit = max(1, Self.countBudget / max(1, values.count))
        for value in values {
            let range = KeyRange(prefix: value)
            let count = try keyspace.count(entries, ScanRange(from: range.lower, upTo: range.upper), atMost: limit)
            groups[value] = (count, count == limit)
        }
    }
}
