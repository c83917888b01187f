// The order of a table scan.

import LMDB
import TroveCoding

/// The order and direction of a scan.
enum ScanOrder: Hashable, Sendable {
    case ascending
    case descending
    /// Ascending within groups of entries with equal first components; the groups themselves descending.
    case groups(components: Int)
    /// Groups of entries with equal first components, in either direction, with the records of each group in key order.
    case ties(components: Int, isDescending: Bool)

    /// Creates the direction for a key order.
    init(_ order: KeyOrder) { self = order == .ascending ? .ascending : .descending }
}
