// The links of an entity in memory, without an object for each.

import LMDB

/// The links of an entity, seen from its end, in the order of its list.
struct LinkList {
    /// The keys of the entities at the other end.
    private(set) var keys = KeyList()
    /// The positions among the links of this end; 0 if the links have no order.
    private(set) var positions: [Int64] = []

    var count: Int { positions.count }
    var isEmpty: Bool { positions.isEmpty }

    /// Appends a copy of a link.
    mutating func append(_ entry: LinkEntry) {
        keys.append(entry.target)
        positions.append(entry.position)
    }
}
