// How a query is run: which ranges of bytes, in which direction, and how many keys at most.

import LMDB
import TroveCoding

/// The order in which a query gives its records.
public enum KeyOrder: Hashable, Sendable {
    /// From the least key to the greatest.
    case ascending
    /// From the greatest key to the least.
    case descending
}

/// Whether a scan goes on after a record, or stops.
public typealias ScanControl = LMDB.ScanControl

/// The ranges that a query reads, in the order in which it reads them.
@usableFromInline
struct ScanPlan: Sendable {
    /// In the order of the walk; of groups, in ascending order.
    let ranges: [ScanRange]
    let limit: Int?
    let isWholeTable: Bool
    /// How many components the keys of a group share; nil where there are no groups.
    let groupedComponents: Int?
    /// The key behind which the walk begins.
    let continuation: [UInt8]?

    init(_ ranges: [KeyRange], _ scanOrder: ScanOrder, limit: Int?, after key: [UInt8]?) {
        let isDescending = scanOrder == .descending
        groupedComponents = if case .groups(let components) = scanOrder { components } else { nil }
        var remaining = ranges
        if let key, groupedComponents == nil {
            remaining = ranges.map { isDescending ? $0.before(key) : $0.after(key) }.filter { !$0.isEmpty }
        }
        self.ranges = (isDescending ? remaining.reversed() : remaining).map { range in
            ScanRange(from: range.lower, upTo: range.upper, isDescending: isDescending)
        }
        self.limit = limit
        continuation = key
        isWholeTable = key == nil && ranges.isEverything
    }
}
