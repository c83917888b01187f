// How a query is run: which table, which ranges of it, what is left to be tested, and how the order comes about.

import LMDB
import TroveCoding

/// The direction in which ranges are walked.
enum ScanOrder: Hashable, Sendable {
    case ascending
    case descending
    /// Entries that begin with the same so many components together, in ascending order; these groups in descending one.
    case groups(components: Int)
    /// Such groups up or down, and those of a group in the order of the records' keys.
    case ties(components: Int, isDescending: Bool)

    /// The direction that gives an order of keys.
    init(_ order: KeyOrder) { self = order == .ascending ? .ascending : .descending }
}

/// How a query is run.
struct QueryPlan: Sendable {
    let type: String
    var table: AccessPath
    /// The tables whose keys are merged, to be looked up in that of the records; nil where one table is walked.
    var merged: MergedScan?
    /// What is walked: ranges in ascending order, without a key in common.
    var ranges: [KeyRange]
    /// The ranges in which the records' keys have to be, where another table is walked.
    var keyRanges: [KeyRange]
    /// What the ranges were made of.
    var usedFilters: [FilterTree]
    /// What is left to be tested.
    var filter: FilterTree
    /// Which parts of the query's filter that is, by their places.
    var rest: [Int]
    var scanOrder: ScanOrder
    /// The properties by which it was asked to sort.
    var order: [SortOrder]
    /// Whether the records that are found have to be sorted.
    var sorts: Bool
    var limit: Int?
    var offset: Int
    /// Which share of the table's entries the ranges are supposed to have, where nothing is counted.
    var share: Double
    /// Whether the ranges have one entry at most, or few where a collision rule lets values collide.
    var isSingle: Bool

    /// Ways to find keys, of which those are taken that any way gives, or each.
    struct MergedScan: Sendable {
        var isUnion: Bool
        var parts: [QueryPlan]

        /// The error of a key that no record has.
        func damaged(_ key: [UInt8]) -> StoreError {
            let tables = parts.filter { $0.table.kind != .records }.map(\.table.name)
            return .indexDamaged(type: parts[0].type, index: tables.joined(separator: " or "), key: key)
        }
    }

    /// A property by which is sorted.
    struct SortOrder: Hashable, Sendable {
        var property: StoredProperty
        var isDescending: Bool
    }

    /// How many records have to be known to give those that are wanted; nil for all.
    var wanted: Int? {
        limit.map { limit in
            let (sum, overflow) = offset.addingReportingOverflow(max(0, limit))
            return overflow ? .max : sum
        }
    }

    /// Whether the filter leaves nothing to be tested of what the ranges have.
    var isExact: Bool { filter.isEverything }

    /// Whether all entries of the table are walked.
    var isWholeTable: Bool { merged == nil && ranges.isEverything }

    /// Whether each entry of the ranges is one that is wanted.
    var isRangesAlone: Bool { isExact && keyRanges.isEverything && merged == nil }

    /// Whether a change of records moves what is walked.
    var scansIndexes: Bool { table.kind != .records || merged != nil }
}
