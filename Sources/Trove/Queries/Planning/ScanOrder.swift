// The order in which a table is scanned.

import LMDB
import TroveCoding

/// The direction of a scan.
enum ScanOrder: Hashable, Sendable {
    case ascending
    case descending
    /// Ascending within groups of entries that share their first components; the groups themselves descending.
    case groups(components: Int)
    /// Groups of entries that share their first components, in either direction, with the records of each group in key
    /// order.
    case ties(components: Int, isDescending: Bool)

    /// Creates the direction for a key order.
    init(_ order: KeyOrder) { self = order == .ascending ? .ascending : .descending }
}
