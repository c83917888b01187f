// The entities of the graphs that a killed program saves and deletes, with relations of all forms.

import Trove

@EntityModel
package struct Harbor: Hashable {
    package let id: Int
    package var name: String
    @Relationship(deleteRule: .cascade, inverse: \.harbor) package var ships: [Ship]?
    @Relationship(inverse: \.keeps) package var keeper: Sailor?
}

@EntityModel
package struct Ship: Hashable {
    #Index<Ship>(\.name)

    package let id: Int
    package var name: String
    @Relationship(inverse: \.ships) package var harbor: Harbor?
    @Relationship(inverse: \.ships) package var crew: [Sailor]?
    @Relationship(deleteRule: .cascade, inverse: \.ship) package var cargo: Cargo?
    @Relationship(.required) package var captain: Sailor?
    @Relationship package var guests: [Sailor]? = nil
}

@EntityModel
package struct Sailor: Hashable {
    package let id: Int
    package var name: String
    @Relationship(inverse: \.crew) package var ships: [Ship]?
    @Relationship(deleteRule: .deny, inverse: \.keeper) package var keeps: [Harbor]?
    @Relationship(inverse: \.friends) package var friends: [Sailor]?
    @Relationship(inverse: \.partner) package var partner: Sailor?
}

@EntityModel
package struct Cargo: Hashable {
    package let id: Int
    package var weight: Int
    @Relationship(inverse: \.cargo) package var ship: Ship?
}

/// The number of the last step, stored in the transaction of the step.
@IndexKeyRecord("id")
package struct Voyage: Hashable {
    package let id: Int
    package var step: Int

    /// Returns the number of steps that a store has the results of.
    package static func steps(in context: ReadContext) throws -> Int {
        try context.get(Voyage.self, key: 0).map { $0.step + 1 } ?? 0
    }
}
