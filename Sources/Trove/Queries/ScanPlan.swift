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

/// What a walk does after a record.
public enum ScanControl: Hashable, Sendable {
    /// Goes on with the next record.
    case `continue`
    /// Ends the walk here.
    case stop
}

/// The ranges that a query reads, in the order in which it reads them.
@usableFromInline
struct ScanPlan: Sendable {
    let ranges: [ScanRange]
    let limit: Int?
    let isWholeTable: Bool

    init(_ ranges: [KeyRange], _ order: KeyOrder, limit: Int?, after key: [UInt8]?) {
        let isDescending = order == .descending
        let remaining = key.map { key in
            ranges.map { isDescending ? $0.before(key) : $0.after(key) }.filter { !$0.isEmpty }
        }
        let ordered = isDescending ? (remaining ?? ranges).reversed() : remaining ?? ranges
        self.ranges = ordered.map { range in
            ScanRange(from: range.lower, upTo: range.upper, isDescending: isDescending)
        }
        self.limit = limit
        isWholeTable = key == nil && ranges == [.all]
    }
}
