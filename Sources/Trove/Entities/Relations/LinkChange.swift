// What saving an entity does to the links of one of its relations.

import TroveCoding

/// The change that a saved entity makes to the links of a relation.
enum LinkChange: Sendable {
    /// The links stay as they are.
    case none
    /// The owner is linked to exactly these targets, in this order. A null relation has none.
    case set(KeyList)
    /// The owner is linked to these targets too, after the others.
    case append(KeyList)

    static func list(of ids: some Sequence<some KeyComponent>, isSlice: Bool) -> Self {
        let keys = KeyList(ids)
        return isSlice ? .append(keys) : .set(keys)
    }
}
