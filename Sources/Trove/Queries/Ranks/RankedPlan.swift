// Positions in a query's order, by the counts of a ranked index.
//
//     order           entries of the index              positions
//     as stored       1 2 2 3 3 3                        0 1 2 3 4 5
//     backwards       1 2 2 3 3 3                        5 4 3 2 1 0
//     groups          1 2 2 3 3 3                        5 3 4 0 1 2      sorted(by: \.score.desc)

import LMDB
import TroveCoding

extension QueryPlan {
    /// Whether the positions of entries in the order of the plan are known from counts.
    var hasRanks: Bool {
        guard path.isRanked, isRangesAlone, !sorts, !isContinued else { return false }
        if case .ties = scanOrder { return false }
        return true
    }

    /// The offset up to which a scan steps over the entries: the entry after them is not found faster.
    static let nearOffset = 4 * RankReader.nearCount

    /// Whether the scan begins at the offset, found by the counts.
    var skipsByCounts: Bool { hasRanks && offset > Self.nearOffset }

    /// The number of entries that a scan reads until it has all matches needed; nil without a limit.
    ///
    /// The pages of a query without an order have the same access path. So its choice does not depend on the offset.
    var scanned: Int? { skipsByCounts && !order.isEmpty ? limit : wanted }
}

/// A reader of positions in the order of a plan.
struct RankedPlan: ~Copyable {
    private let ranges: [KeyRange]
    private let scanOrder: ScanOrder
    private let entries: EntryReader
    private let counts: RowTable
    private var ranks: RankReader

    /// Returns nil unless the positions in the order of the plan are known from counts.
    init?(_ plan: QueryPlan, _ table: RecordTable, _ context: ReadContext) throws {
        guard plan.hasRanks, case .index(let index) = plan.path.kind, let ranks = table.indexes[index].ranks else {
            return nil
        }
        try context.flushOwnParts()
        let reader = try RankReader(ranks, context.keyspace)
        ranges = plan.ranges
        scanOrder = plan.scanOrder
        counts = ranks.counts
        entries = EntryReader(
            of: table, plan.path, context.keyspace, ranks.entries, headSize: IndexEntries.headSize)
        self.ranks = reader
    }

    /// Returns the number of entries in the ranges.
    mutating func count() throws -> Int {
        var count = 0
        for range in ranges { count += try ranks.count(range) }
        return count
    }

    /// Returns the number of entries in the ranges below a bound; nil for all.
    private mutating func count(below bound: [UInt8]?) throws -> Int {
        guard let bound else { return try count() }
        var count = 0
        for range in ranges {
            guard let part = range.intersection(KeyRange(lower: [], upper: bound)) else { break }
            count += try ranks.count(part)
        }
        return count
    }

    /// Returns the stored entry of the ranges with a number of entries before it, in the order of their bytes.
    private mutating func entry(after number: Int) throws -> [UInt8]? {
        var rest = number
        for range in ranges {
            let count = try ranks.count(range)
            guard rest >= count else {
                let start = try range.lower.isEmpty ? 0 : ranks.count(below: range.lower)
                guard let entry = try ranks.entry(after: start + rest), range.contains(entry) else {
                    throw counts.damaged(range.lower)
                }
                return entry
            }
            rest -= count
        }
        return nil
    }

    /// Returns the stored entry at a position in the order of the plan; nil if there are fewer entries.
    ///
    /// - Parameter position: The number of entries before it.
    mutating func entry(at position: Int) throws -> [UInt8]? {
        if scanOrder == .ascending { return try entry(after: position) }
        let count = try count()
        guard position < count, let entry = try entry(after: count - 1 - position) else { return nil }
        guard case .groups(let components) = scanOrder else { return entry }
        let group = KeyRange(prefix: try prefix(of: entry, components))
        let before = try count - self.count(below: group.upper)
        return try self.entry(after: self.count(below: group.lower) + position - before)
    }

    /// Returns the number of entries before an entry in the order of the plan.
    ///
    /// - Parameter entry: An entry of the ranges, which is stored whole.
    mutating func position(of entry: [UInt8]) throws -> Int {
        let before = try count(below: entry)
        let position: Int
        switch scanOrder {
        case .groups(let components):
            let group = KeyRange(prefix: try prefix(of: entry, components))
            position = try before - count(below: group.lower) + count() - count(below: group.upper)
        case .descending: position = try count() - 1 - before
        case .ascending, .ties: position = before
        }
        guard position >= 0 else { throw counts.damaged(entry) }
        return position
    }

    private func prefix(of entry: [UInt8], _ components: Int) throws -> [UInt8] {
        try ByteView.with(entry) { try entries.prefix(of: $0, components: components) }
    }
}

extension QueryPlan {
    /// Sets the scan to begin at the offset, if the entry before it is found from counts. Returns the entry after which
    /// the scan begins; nil for the beginning.
    mutating func skipOffset(in table: RecordTable, _ context: ReadContext) throws -> [UInt8]? {
        guard skipsByCounts, var ranks = try RankedPlan(self, table, context) else { return nil }
        guard let entry = try ranks.entry(at: offset - 1) else {
            (ranges, offset) = ([], 0)
            return nil
        }
        // Entries with the same head are in the order of the whole entries, which the table does not know.
        if entry.count > IndexEntries.headSize { return nil }
        offset = 0
        return entry
    }
}
