// The counts of a ranked index, for code that reads its entries in place.

import LMDB
import TroveCoding

/// The counts of the entries of a ranked index.
package struct StoredRanks: Sendable {
    private let ranks: OpenedTables<OpenRanks>

    /// Returns nil for an index of another kind, or without its tables.
    init?(_ open: (_ verifiesChecksums: Bool) -> OpenIndex?) {
        guard let ranks = OpenedTables(open, \.ranks) else { return nil }
        self.ranks = ranks
    }

    /// The number of entries up to which a scan steps over them: the entry after them is not found faster.
    package static var nearCount: Int { QueryPlan.nearOffset }

    /// Returns the number of entries in some ranges.
    ///
    /// - Throws: ``StoreError`` for damaged counts.
    package func count(_ ranges: [KeyRange], in context: ReadContext) throws -> Int {
        try translatingErrors {
            try context.flushOwnParts()
            var reader = try RankReader(ranks.opened(for: context), context.keyspace)
            var count = 0
            for range in ranges { count += try reader.count(range) }
            return count
        }
    }

    /// Returns the parts of some ranges after a number of entries; nil if they must be found by a walk.
    ///
    /// - Parameters:
    ///   - ranges: Disjoint ranges in the order of a scan.
    ///   - isDescending: Whether the scan begins at the end of each range.
    /// - Throws: ``StoreError`` for damaged counts.
    package func ranges(
        _ ranges: [KeyRange], after number: Int, isDescending: Bool, in context: ReadContext
    ) throws -> [KeyRange]? {
        try translatingErrors {
            try context.flushOwnParts()
            let ranks = ranks.opened(for: context)
            var reader = try RankReader(ranks, context.keyspace)
            var rest = number
            for (index, range) in ranges.enumerated() {
                let count = try reader.count(range)
                guard rest < count else {
                    rest -= count
                    continue
                }
                let start = try range.lower.isEmpty ? 0 : reader.count(below: range.lower)
                let position = isDescending ? start + count - 1 - rest : start + rest
                guard let entry = try reader.entry(after: position), range.contains(entry) else {
                    throw ranks.counts.damaged(range.lower)
                }
                // A bound after the entry can be longer than any key.
                if entry.count > IndexEntries.headSize { return nil }
                let part =
                    isDescending
                    ? KeyRange(lower: range.lower, upper: entry + [0]) : KeyRange(lower: entry, upper: range.upper)
                return [part] + ranges[(index + 1)...]
            }
            return []
        }
    }
}

/// The tables of an index, opened for contexts that verify checksums and for contexts that do not.
struct OpenedTables<Tables: Sendable>: Sendable {
    private let trusting: Tables
    private let verifying: Tables

    /// Returns nil if an index lacks the tables.
    init?(_ open: (_ verifiesChecksums: Bool) -> OpenIndex?, _ tables: (OpenIndex) -> Tables?) {
        guard let trusting = open(false).flatMap(tables), let verifying = open(true).flatMap(tables) else { return nil }
        self.trusting = trusting
        self.verifying = verifying
    }

    /// Returns the tables for a context.
    func opened(for context: ReadContext) -> Tables { context.verifiesChecksums ? verifying : trusting }
}
