// Deleting at the edges: entities saved again, links of types that the program does not know, damage, and many links.

import LMDB
import Testing
import TroveCoding
import TroveTestSupport

@testable import Trove

@EntityModel
private struct Keeper {
    let id: Int
    var comesBack: Bool = false
    @Relationship(deleteRule: .deny, inverse: \.keeper) var things: [Thing]?
}

@EntityModel
private struct Thing {
    let id: Int
    @Relationship(inverse: \.things) var keeper: Keeper?
}

extension Keeper {
    func didDelete(from context: TransactionContext) throws {
        if comesBack { try Keeper(id: id).save(to: context) }
    }
}

@EntityModel
private struct Place {
    #Index<Place>(\.name)
    let id: Int
    var name: String = ""
    @Relationship(deleteRule: .cascade, inverse: \.place) var rooms: [Room]?
}

@EntityModel
private struct Room {
    let id: Int
    @Relationship(inverse: \.rooms) var place: Place?
}

@EntityModel
private struct Visit {
    let id: Int
    @Relationship(.required) var place: Place?
    @Relationship(deleteRule: .cascade) var seen: [Place]? = nil
}

@EntityModel
private struct Crate {
    let id: Int
    @Relationship(deleteRule: .deny) var destination: Place? = nil
}

@EntityModel
private struct Warden {
    let id: Int
    @Relationship(inverse: \.warden) var wards: [Ward]?
}

@EntityModel
private struct Ward {
    let id: Int
    @Relationship(deleteRule: .deny, inverse: \.wards) var warden: Warden?
    @Relationship(deleteRule: .deny) var friend: Warden? = nil
}

@EntityModel
private struct Phoenix {
    let id: Int
    /// What the entity's hooks do.
    var action: String = ""
    @Relationship(deleteRule: .cascade) var ashes: [Phoenix]? = nil
    @Relationship var nest: Phoenix? = nil
}

extension Phoenix {
    func willDelete(from context: TransactionContext) throws {
        switch action {
        case "revive 1 first": try Phoenix(id: 1, nest: .id(7)).save(to: context)
        case "leave ashes":
            try Phoenix(id: id + 10).save(to: context)
            try Phoenix(id: id, ashes: .appending(ids: [id + 10])).save(to: context)
        default: break
        }
    }

    func didDelete(from context: TransactionContext) throws {
        if id == 1 { try Phoenix(id: 99).save(to: context) }
        if action == "fail" { throw LMDBError(.mapFull, in: "put") }
        guard action == "revive 1" else { return }
        try Phoenix(id: 1, action: "again", nest: .id(7)).save(to: context)
        try Phoenix(id: 8, nest: .id(1)).save(to: context)
    }
}

@Suite("Deleting at the edges") struct DeleteEdgeTests {
    /// Returns all orders of the elements.
    private func permutations(_ elements: some Sequence<Int>) -> [[Int]] {
        elements.reduce([[]]) { orders, element in
            orders.flatMap { order in (0...order.count).map { order[..<$0] + [element] + order[$0...] } }
        }
    }

    @Test func anEntityThatAHookSavesAgain_keepsItsDenyingLinks() throws {
        let store = try Store.temporary(records: [Keeper.self])
        try Keeper(id: 1, comesBack: true, things: .relation([Thing(id: 1), Thing(id: 2)])).save(to: store)
        try Keeper(id: 1).delete(from: store)
        #expect(try store.get(Keeper.self, key: 1)?.comesBack == false)
        #expect(try Keeper.ids("things", of: 1, in: store) == [1, 2])
        #expect(throws: StoreError.self) { try Keeper(id: 1).delete(from: store) }
        try store.expectIntactLinks()
    }

    @Test func anEntityThatAHookSavesAgain_keepsTheLinksItIsGiven() throws {
        let store = try Store.temporary(records: [Phoenix.self])
        try Phoenix(
            id: 1, ashes: .relation([Phoenix(id: 2, action: "revive 1"), Phoenix(id: 3)]), nest: .id(5)
        ).save(to: store)
        try Phoenix(id: 4, nest: .id(1)).save(to: store)
        try Phoenix(id: 1).delete(from: store)
        #expect(try store.get(Phoenix.self, key: 1)?.action == "again")
        #expect(try Phoenix.ids("nest", of: 1, in: store) == [7])
        #expect(try Phoenix.ids("nest", of: 8, in: store) == [1])
        #expect(try Phoenix.ids("nest", of: 4, in: store) == [1])
        #expect(try Phoenix.ids("ashes", of: 1, in: store) == [3])
        // Its own second hook is not called.
        #expect(try Phoenix.query().keys(in: store) == [1, 3, 4, 8])
        try store.expectIntactLinks()
    }

    @Test func anEntityThatTheFirstHookOfAnotherSavesAgain_keepsTheLinksItIsGiven() throws {
        let store = try Store.temporary(records: [Phoenix.self])
        try Phoenix(id: 1, ashes: .relation([Phoenix(id: 2, action: "revive 1 first")])).save(to: store)
        try Phoenix(id: 1).delete(from: store)
        #expect(try Phoenix.query().keys(in: store) == [1])
        #expect(try Phoenix.ids("nest", of: 1, in: store) == [7])
        #expect(try Phoenix.ids("ashes", of: 1, in: store) == [])
        // Deleted for good, it takes its links along.
        try Phoenix(id: 1).delete(from: store)
        #expect(try Phoenix.query().keys(in: store) == [99])
        #expect(try Phoenix.ids("nest", of: 1, in: store) == [])
        try store.expectIntactLinks()
    }

    @Test func anErrorOfTheEngine_isAStoreError() throws {
        let store = try Store.temporary(records: [Phoenix.self])
        try Phoenix(id: 2, ashes: .relation([Phoenix(id: 3, action: "fail")])).save(to: store)
        try store.write { context in
            #expect(throws: StoreError.self) { try Phoenix(id: 2).delete(from: context) }
            #expect(throws: StoreError.self) { try Phoenix(id: 2).delete(\.$ashes, from: context) }
        }
        #expect(try Phoenix.query().keys(in: store) == [2, 3])
    }

    @Test func linksThatTheFirstHookAdds_areFollowed() throws {
        let store = try Store.temporary(records: [Phoenix.self])
        try Phoenix(id: 2, action: "leave ashes", ashes: .relation([Phoenix(id: 3)])).save(to: store)
        try Phoenix(id: 2).delete(from: store)
        #expect(try Phoenix.query().count(in: store) == 0)
        try store.expectIntactLinks()
    }

    @Test func deletingTheTargetsOfARelation_detachesThemFirst() throws {
        let store = try Store.temporary(records: [Warden.self])
        try Warden(id: 1, wards: .relation([Ward(id: 1), Ward(id: 2), Ward(id: 3, friend: .id(1))])).save(to: store)
        #expect(throws: StoreError.self) { try Ward(id: 1).delete(from: store) }
        try Warden(id: 1).delete(\.$wards, ids: [1], from: store)
        #expect(try Ward.query().keys(in: store) == [2, 3])
        // Only the links of this relation: another relation of a ward denies.
        #expect(throws: StoreError.self) { try Warden(id: 1).delete(\.$wards, from: store) }
        #expect(try Ward.query().keys(in: store) == [2, 3])
        try Ward(id: 3).detach(\.$friend, in: store)
        try Warden(id: 1).delete(\.$wards, from: store)
        #expect(try Ward.query().count(in: store) == 0)
        try store.expectIntactLinks()
    }

    @Test func aOneWayRelationThatDenies_holdsItsOwnerAlone() throws {
        let store = try Store.temporary(records: [Crate.self])
        try Crate(id: 1, destination: .relation(Place(id: 1))).save(to: store)
        #expect(throws: StoreError.self) { try Crate(id: 1).delete(from: store) }
        try Place(id: 1).delete(from: store)
        try Crate(id: 1).delete(from: store)
        try Crate(id: 2, destination: .relation(Place(id: 2))).save(to: store)
        try store.write { context in
            try context.statement { context in
                try Crate(id: 2).delete(from: context)
                try Place(id: 2).delete(from: context)
            }
        }
        #expect(try Crate.query().count(in: store) == 0)
        try store.expectIntactLinks()
    }

    @Test func anIDThatIsNotStored_keepsItsDanglingLinks() throws {
        let store = try Store.temporary(records: [Place.self])
        try Place(id: 1, rooms: .ids([7, 8])).save(to: store)
        #expect(try Room.delete(id: 7, from: store) == false)
        #expect(try Place.ids("rooms", of: 1, in: store) == [7, 8])
        try Place(id: 1).detach(\.$rooms, ids: [7, 9], in: store)
        #expect(try Place.ids("rooms", of: 1, in: store) == [8])
        try Place(id: 1).delete(\.$rooms, from: store)
        #expect(try Place.ids("rooms", of: 1, in: store) == [])
        try Place(id: 1).delete(from: store)
        try store.expectIntactLinks()
    }

    @Test func links_leadToEntitiesThatAreSavedLater_inAnyOrder() throws {
        let statements: [(Store) throws -> Void] = [
            { try Place(id: 1, rooms: .ids([2, 1])).save(to: $0) }, { try Room(id: 1).save(to: $0) },
            { try Room(id: 2).save(to: $0) }, { try Visit(id: 1, place: .id(1), seen: .ids([1, 5])).save(to: $0) },
        ]
        for order in permutations(statements.indices) {
            let store = try Store.temporary(records: [Visit.self])
            for index in order { try statements[index](store) }
            #expect(try Place.ids("rooms", of: 1, in: store) == [2, 1])
            #expect(try Room.ids("place", of: 1, in: store) == [1])
            #expect(try Visit.ids("seen", of: 1, in: store) == [1, 5])
            #expect(try store.relationNotes().danglingEnds == 1, "\(order): the place 5")
            try Place(id: 1).delete(from: store)
            #expect(try Room.query().count(in: store) == 0)
            #expect(try Visit.ids("seen", of: 1, in: store) == [5])
            #expect(try Visit.ids("place", of: 1, in: store) == [])
            try store.expectIntactLinks()
        }
    }

    @Test func linksOfTypesTheProgramDoesNotDeclare_goWithTheirTarget() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("store")
        do {
            let store = try Store(path: path, records: [Visit.self, Crate.self])
            for id in 1...3 {
                try Visit(id: id, place: .relation(Place(id: id)), seen: .ids([1, 2, 3])).save(to: store)
                try Crate(id: id, destination: .id(2)).save(to: store)
            }
            try store.close()
        }
        do {
            let store = try Store(path: path, records: [Place.self])
            try store.delete(Place.self, key: 2)
            try Place.filter(\.id == 3).delete(in: store)
            try store.expectIntactLinks()
            try store.close()
        }
        let store = try Store(path: path, records: [Visit.self, Crate.self])
        for id in 1...3 {
            #expect(try Visit.ids("place", of: id, in: store) == (id == 1 ? [1] : []))
            #expect(try Visit.ids("seen", of: id, in: store) == [1])
            #expect(try Crate.ids("destination", of: id, in: store) == [])
        }
        #expect(try Visit.query().count(in: store) == 3)
    }

    @Test func aDamagedEntity_isDeletedByItsRules() throws {
        let store = try Store.temporary(records: [Visit.self, Crate.self, Keeper.self])
        try Place(id: 1, name: "a", rooms: .relation([Room(id: 1), Room(id: 2)])).save(to: store)
        try Visit(id: 1, place: .id(1), seen: .ids([1, 2])).save(to: store)
        try Keeper(id: 1, things: .relation([Thing(id: 1)])).save(to: store)
        func damage<Record: IndexKeyRecord>(_ type: Record.Type) throws {
            try store.write { context in
                let table = try context.tableForWriting(Record.schema).table
                try context.keyspace.put(table.database, KeyWriter.bytes(of: 1), [1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9])
                context.noteChange()
            }
        }
        // A rule that denies is no damage.
        #expect(throws: StoreError.self) { try store.delete(Keeper.self, key: 1, ignoringDamage: true) }
        try damage(Place.self)
        try damage(Keeper.self)
        #expect(throws: StoreError.self) { try store.delete(Place.self, key: 1) }
        #expect(try store.delete(Place.self, key: 1, ignoringDamage: true))
        #expect(try Place.query().count(in: store) == 0)
        #expect(try Room.query().count(in: store) == 0)
        #expect(try Visit.ids("place", of: 1, in: store) == [])
        #expect(try Visit.ids("seen", of: 1, in: store) == [2])
        #expect(throws: StoreError.self) { try store.delete(Keeper.self, key: 1, ignoringDamage: true) }
        try Thing(id: 1).delete(from: store)
        #expect(try store.delete(Keeper.self, key: 1, ignoringDamage: true))
        #expect(try Keeper.query().count(in: store) == 0)
        #expect(try !store.delete(Keeper.self, key: 1, ignoringDamage: true))
        try store.expectIntactLinks()
    }

    @Test func anEntityWithManyLinks_isDeleted() throws {
        let count = 20_000
        let store = try Store.temporary(records: [Visit.self])
        try store.write { context in
            try Place(id: 0).save(to: context)
            for id in 0..<count { try Visit(id: id, place: .id(0)).save(to: context) }
            try Place(id: 1, rooms: .relation((0..<count).map { Room(id: $0) })).save(to: context)
        }
        try Place(id: 0).delete(from: store)
        #expect(try Visit.ids("place", of: count / 2, in: store) == [])
        #expect(try Visit.query().count(in: store) == count)
        try Place(id: 1).delete(from: store)
        #expect(try Room.query().count(in: store) == 0)
        try store.expectIntactLinks()
        try store.read { context in
            for stored in context.relations.values {
                let links = try #require(try context.links(stored))
                #expect(try context.keyspace.count(links.table.database) == 0)
            }
        }
    }
}
