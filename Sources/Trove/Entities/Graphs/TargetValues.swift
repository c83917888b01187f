// The values that a request hands out to the owners of a level.

/// The targets of a request: ids or entities.
@usableFromInline
enum TargetValues<Target: EntityModelProtocol> {
    case ids([Target.ID])
    case entities([Target])
}

extension TargetValues {
    /// Sets the relation of owners to the targets chosen for each.
    ///
    /// The code is part of each program that declares relations, where the compiler specializes it for their types.
    ///
    /// - Parameters:
    ///   - places: For each owner, the index of its list in `chosen`.
    ///   - set: Sets the relation of an owner.
    @inlinable
    func handOut<Owner>(
        _ chosen: ChosenTargets, _ form: NestedForm, isToMany: Bool, to owners: inout [Owner], _ places: [Int32],
        set: (inout Owner, RelationState<Target>) -> Void
    ) {
        let (isFragment, isSlice) = (form.isFragment, form.isSlice)
        switch self {
        case .ids(let ids):
            Self.handOut(ids, chosen, isToMany: isToMany, to: &owners, places, set: set) {
                .id($0)
            } list: {
                .ids($0, isSlice: isSlice || $1)
            }
        case .entities(let entities):
            Self.handOut(entities, chosen, isToMany: isToMany, to: &owners, places, set: set) {
                .entity($0, isFragment: isFragment)
            } list: {
                .entities($0, isFragment: isFragment, isSlice: isSlice || $1)
            }
        }
    }

    @inlinable
    static func handOut<Owner, Value>(
        _ values: [Value], _ chosen: ChosenTargets, isToMany: Bool, to owners: inout [Owner], _ places: [Int32],
        set: (inout Owner, RelationState<Target>) -> Void, single: (Value) -> RelationState<Target>,
        list: ([Value], _ isPart: Bool) -> RelationState<Target>
    ) {
        guard isToMany else {
            // Owners of the same target share its box.
            let states = values.map(single)
            for index in owners.indices {
                let target = chosen[Int(places[index])].first
                set(&owners[index], target.map { states[Int($0)] } ?? .none)
            }
            return
        }
        for index in owners.indices {
            let place = Int(places[index])
            set(&owners[index], list(chosen[place].map { values[Int($0)] }, chosen.areParts[place]))
        }
    }
}
