// Deletes whose hooks change the relations that a cascade has looked up before.

import Testing
import TroveTestSupport

@testable import Trove

@EntityModel
private struct Convoy {
    let id: Int
    @Relationship(deleteRule: .cascade, inverse: \.convoy) var trucks: [Truck]?
}

@EntityModel
private struct Truck {
    let id: Int
    @Relationship(inverse: \.trucks) var convoy: Convoy?
    @Relationship(deleteRule: .cascade, inverse: \.truck) var cargo: Pallet?
    @Relationship var driver: Driver? = nil
}

@EntityModel
private struct Pallet {
    let id: Int
    @Relationship(inverse: \.cargo) var truck: Truck?
}

@EntityModel
private struct Driver {
    let id: Int
    var name: String = ""
}

extension Truck {
    /// The first truck that is deleted leaves its cargo and its driver to the second.
    func willDelete(from context: TransactionContext) throws {
        guard id == 1 else { return }
        try Truck(id: 2, cargo: .relation(Pallet(id: 9)), driver: .relation(Driver(id: 5))).save(to: context)
    }
}

@Suite("Plans of deletes") struct DeletePlanTests {
    @Test func theFirstLinksOfARelation_areFollowed_ifAHookAddsThemDuringTheCascade() throws {
        let store = try Store.temporary()
        try Convoy(id: 1, trucks: .relation([Truck(id: 1), Truck(id: 2), Truck(id: 3)])).save(to: store)
        try Convoy.delete(id: 1, from: store)
        #expect(try Truck.query().count(in: store) == 0)
        #expect(try Pallet.query().count(in: store) == 0)
        #expect(try Driver.query().count(in: store) == 1)
        #expect(try links(in: store) == 0)
        #expect(try store.check().isEmpty)
    }

    @Test func theLinksToADeletedEntity_goWithIt_ifAHookHasAddedTheRelation() throws {
        let store = try Store.temporary()
        try [Truck(id: 1), Truck(id: 2)].save(to: store)
        try Driver(id: 7).save(to: store)
        try store.write { context in
            try Driver.delete(id: 7, from: context)
            try Truck.delete(id: 1, from: context)
            try Driver.delete(id: 5, from: context)
        }
        #expect(try Truck.query().count(in: store) == 1)
        #expect(try Driver.query().count(in: store) == 0)
        #expect(try links(in: store) == 1)
        #expect(try store.check().isEmpty)
    }

    /// Returns the number of links of all relations.
    private func links(in store: Store) throws -> Int {
        try store.read { context in
            try context.storedTypes().filter { $0.links != nil }.reduce(0) { count, type in
                var links = 0
                try context.forEachStoredRecord(of: type) { _ in
                    links += 1
                    return true
                }
                return count + links
            }
        }
    }
}
