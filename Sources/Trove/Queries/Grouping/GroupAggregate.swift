// An aggregate of the records in a group: its state, and the values that change the state.

import LMDB
import TroveCoding

/// An aggregate, computed from the key bytes of a property or from the number of records.
struct GroupAggregate<State> {
    /// The records of a group that decide the aggregate.
    enum Need {
        /// Any record.
        case any
        /// The record with the least value of the property.
        case least
        /// The record with the greatest value of the property.
        case greatest
        case all
    }

    let need: Need
    /// The property; nil for an aggregate without one. Then `add` is called with no bytes.
    var property: SortTerm?
    /// Whether nil has no effect on the aggregate.
    var ignoresNil = false
    let initial: State
    let add: (inout State, ByteView) throws -> Void
    /// Adds the totals of some records of a group; nil for an aggregate that totals do not have.
    ///
    /// - Parameter sum: The position of the property among the summed properties.
    private(set) var addTotals: ((inout State, GroupTotals, _ sum: Int?) throws -> Void)?

    /// Returns the aggregate with a function that adds totals.
    func addingTotals(_ add: @escaping (inout State, GroupTotals, _ sum: Int?) throws -> Void) -> GroupAggregate {
        var aggregate = self
        aggregate.addTotals = add
        return aggregate
    }
}

extension GroupAggregate where State == Void {
    /// The groups alone.
    static var keys: GroupAggregate { GroupAggregate(need: .any, initial: ()) { _, _ in }.addingTotals { _, _, _ in } }
}

extension GroupAggregate where State == Int {
    /// The number of records.
    static var count: GroupAggregate {
        GroupAggregate(need: .all, initial: 0) { count, _ in count += 1 }.addingTotals { count, totals, _ in
            count += totals.count
        }
    }
}

extension GroupAggregate where State == [UInt8]? {
    /// Returns the aggregate of the least or greatest value, as key bytes.
    static func extreme(of property: SortTerm, isGreatest: Bool, ignoresNil: Bool) -> GroupAggregate {
        GroupAggregate(
            need: isGreatest ? .greatest : .least, property: property, ignoresNil: ignoresNil, initial: nil
        ) { extreme, value in
            if ignoresNil, value.starts(with: [0]) { return }
            if let extreme {
                let order = value.compare(extreme)
                guard isGreatest ? order > 0 : order < 0 else { return }
            }
            extreme = value.copy()
        }
    }
}
