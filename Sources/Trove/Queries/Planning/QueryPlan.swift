// A query plan: the access path, its ranges, the remaining filter and the order.

import LMDB
import TroveCoding

/// The plan of a query.
struct QueryPlan: Sendable {
    let type: String
    var path: AccessPath
    /// The index scans whose keys are merged and then looked up; nil if a single access path is scanned.
    var merged: MergedScan?
    /// The source whose keys are looked up; nil if an access path is scanned.
    var source: SourceScan?
    /// The ranges to scan, in ascending order and disjoint.
    var ranges: [KeyRange]
    /// The required ranges of the record key, if an index is scanned.
    var keyRanges: [KeyRange]
    /// The filters replaced by the ranges.
    var usedFilters: [FilterTree]
    /// The remaining filter.
    var filter: FilterTree
    /// The remaining parts of the query's filter, by their positions.
    var rest: [Int]
    var scanOrder: ScanOrder
    /// The properties of the requested sort order.
    var order: [SortOrder]
    /// Whether the matches have to be sorted.
    var sorts: Bool
    /// Whether a closure decides the order.
    var isSortedByClosure = false
    var limit: Int?
    var offset: Int
    /// The assumed selectivity, if entries are not counted: the share of the access path's entries in the ranges.
    var share: Double
    /// Whether the ranges contain at most a single entry, or a few if a collision rule allows duplicate values.
    var isSingle: Bool
    /// The filter on the elements of an index of elements, by its position in the query's filter; nil for other plans.
    var elementFilter: Int?
    /// Whether the scan may find a record several times: then its keys have to be merged.
    var repeatsRecords = false
    /// Whether the scan begins after a record.
    var isContinued = false

    /// Index scans with merged keys: their union or intersection.
    struct MergedScan: Sendable {
        var isUnion: Bool
        var parts: [QueryPlan]

        /// Creates the error for a key that no record has.
        func damaged(_ key: StoredKey) -> StoreError {
            let indexes = parts.filter { $0.path.kind != .records }.map(\.path.name)
            return .record(.indexDamaged(type: parts[0].type, index: indexes.joined(separator: " or "), key: key))
        }
    }

    /// A property of the sort order.
    struct SortOrder: Hashable, Sendable {
        var property: StoredProperty
        var isDescending: Bool
    }

    /// Offset plus limit: the number of matches needed; nil without a limit.
    var wanted: Int? {
        limit.map { limit in
            let (sum, overflow) = offset.addingReportingOverflow(max(0, limit))
            return overflow ? .max : sum
        }
    }

    /// Whether no filter remains to be tested on the entries of the ranges.
    var isExact: Bool { filter.isEverything }

    /// Whether all entries of the access path are scanned.
    var isWholePath: Bool { merged == nil && source == nil && ranges.isEverything }

    /// Whether every entry in the ranges belongs to the result.
    var isRangesAlone: Bool { isExact && keyRanges.isEverything && merged == nil && source == nil }

    /// Whether the plan reads a sorted result in its order, and at most as many records as the cost model counts. Then
    /// a choice among plans would cost as much as the query.
    var isShort: Bool {
        guard !order.isEmpty, !sorts, isRangesAlone, let scanned, scanned <= CostModel.countLimit else { return false }
        if case .ties = scanOrder { return false }
        return true
    }

    /// Whether the plan scans an index or a source: then a change to a record can move entries of the scan.
    var scansIndexes: Bool { path.kind != .records || merged != nil || source != nil }
}
