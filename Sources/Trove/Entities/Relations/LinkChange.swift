// The change of a relation's links by a save of its owner.

import TroveCoding

/// The change that a saved entity makes to the links of a relation.
enum LinkChange: Sendable {
    /// The links stay as they are.
    case none
    /// The owner is linked to exactly these targets, in this order. A null relation has none.
    case set(KeyList)
    /// The owner is linked to these targets too, after the others.
    case append(KeyList)

    /// Returns the change without some targets.
    func filter(_ isIncluded: (_ target: [UInt8]) throws -> Bool) rethrows -> Self {
        switch self {
        case .none: .none
        case .set(let keys): .set(try keys.including(isIncluded))
        case .append(let keys): .append(try keys.including(isIncluded))
        }
    }

    /// Returns the change by a list, or by a part of a list.
    static func list(of keys: KeyList, isSlice: Bool) -> Self { isSlice ? .append(keys) : .set(keys) }
}
