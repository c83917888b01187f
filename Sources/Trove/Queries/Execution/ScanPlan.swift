// A scan of one table: its ranges, its order, and its limit.

import LMDB
import TroveCoding

/// The scan of the records' own table.
@usableFromInline
struct ScanPlan: Sendable {
    /// Disjoint ranges, in ascending order.
    @usableFromInline let ranges: [KeyRange]
    let scanOrder: ScanOrder
    let limit: Int?
    let isWholeTable: Bool
    /// The key after which the scan begins. Unless groups are reversed, the ranges begin after it already.
    let continuation: [UInt8]?

    init(_ ranges: [KeyRange], _ scanOrder: ScanOrder, limit: Int?, after key: [UInt8]?) {
        switch (scanOrder, key) {
        case (.ascending, let key?): self.ranges = ranges.map { $0.after(key) }.filter { !$0.isEmpty }
        case (.descending, let key?): self.ranges = ranges.map { $0.before(key) }.filter { !$0.isEmpty }
        default: self.ranges = ranges
        }
        self.scanOrder = scanOrder
        self.limit = limit
        continuation = key
        isWholeTable = key == nil && ranges.isEverything
    }
}
