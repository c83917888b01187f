// Updates and deletes by queries, whose entities add others that match: these are left alone.

import Testing

@testable import Trove

/// A plant. Its action says when it adds another plant.
@EntityModel
private struct Plant: Equatable {
    #Index<Plant>(\.height)

    let id: Int
    var height: Int = 0
    var action: String = ""
    @Relationship(deleteRule: .cascade, inverse: \.mother) var shoots: [Plant]?
    @Relationship(inverse: \.shoots) var mother: Plant?
}

extension Plant {
    private static let limit = 100_000

    func didSave(to context: TransactionContext) throws { if action == "on save" { try sow(in: context) } }
    func didDelete(from context: TransactionContext) throws { if action == "on delete" { try sow(in: context) } }

    /// Saves a plant after all others; refuses without end.
    private func sow(in context: TransactionContext) throws {
        guard id < Plant.limit else { throw Refused(hook: "sow") }
        try Plant(id: id + 1000, height: height, action: height == 0 ? action : "").save(to: context)
    }
}

/// An entity without hooks and relations of its own kind that takes others along.
@EntityModel
private struct Bed: Equatable {
    let id: Int
    @Relationship(deleteRule: .cascade) var weeds: [Weed]? = nil
}

@EntityModel
private struct Weed: Equatable {
    let id: Int
}

extension Weed {
    func didDelete(from context: TransactionContext) throws {
        guard id < 100_000 else { throw Refused(hook: "grow") }
        try Bed(id: id + 1000, weeds: .relation([Weed(id: id + 1000)])).save(to: context)
    }
}

/// A record whose collision rule adds a record after all others.
@IndexKeyRecord("id")
private struct Berth: Equatable {
    #Index<Berth>(\.visits)
    #Unique<Berth>(\.place, collisions: .addingBerth)

    let id: Int
    var place: Int
    var visits: Int = 0
}

extension CollisionRule<Berth> {
    fileprivate static var addingBerth: CollisionRule {
        .custom { context, new, _ in
            guard new.id < 100_000 else { throw Refused(hook: "rule") }
            try context.insert(Berth(id: new.id + 1000, place: new.id + 1000))
        }
    }
}

@Suite("Changes that add entities") struct AddingChangeTests {
    private let store: Store

    init() throws {
        store = try Store.temporary(records: [Plant.self, Bed.self])
        try (1...3).map { Plant(id: $0) }.save(to: store)
    }

    private func plants() throws -> [Int] { try Plant.query().keys(in: store) }

    @Test func anUpdate_leavesTheEntitiesOfItsRelations() throws {
        func expectUpdated(_ body: (_ add: (inout Plant) throws -> Void) throws -> Int) throws {
            let count = try body { plant in
                if plant.id > 100_000 { throw Refused(hook: "update") }
                plant.height = 1
                plant.$shoots = .relation([Plant(id: plant.id + 1000)])
            }
            #expect(count == 3)
            #expect(try plants() == [1, 2, 3, 1001, 1002, 1003])
            #expect(try Plant.query().resolve(in: store).map(\.height) == [1, 1, 1, 0, 0, 0])
            try Plant.query().delete(in: store)
            try (1...3).map { Plant(id: $0) }.save(to: store)
        }
        try expectUpdated { try Plant.query().update(in: store, $0) }
        try expectUpdated { try Plant.filter(\.id >= 1).update(in: store, $0) }
        try expectUpdated { try Plant.filter(\.action == "").update(in: store, $0) }
        try expectUpdated { try Plant.filter(\.height == 0).update(in: store, $0) }
        try expectUpdated { try Plant.filter(\.id < 10_000_000).sorted(by: \.id).limit(3).update(in: store, $0) }
        try store.expectIntactLinks()
    }

    @Test func anUpdate_leavesTheEntitiesOfItsHooks() throws {
        let count = try Plant.query().update(in: store) { plant in
            (plant.height, plant.action) = (1, "on save")
        }
        #expect(count == 3)
        #expect(try plants() == [1, 2, 3, 1001, 1002, 1003])
    }

    @Test func anUpdate_leavesTheRecordsOfACollisionRule() throws {
        func expectUpdated(_ query: Query<Berth>) throws {
            try Berth.query().delete(in: store)
            try store.insert(contentsOf: (1...3).map { Berth(id: $0, place: $0) })
            let count = try query.update(in: store) { berth in (berth.place, berth.visits) = (7, berth.visits + 1) }
            #expect(count == 3)
            // The first has the place alone.
            #expect(try Berth.query().keys(in: store) == [1, 2, 3, 1002, 1003])
            #expect(try Berth.query().resolve(in: store).map(\.visits) == [1, 1, 1, 0, 0])
        }
        try expectUpdated(Berth.filter(\.id >= 1))
        try expectUpdated(Berth.filter(\.place > 0))
        try expectUpdated(Berth.filter(\.visits == 0))
        try expectUpdated(Berth.filter(\.id < 10_000_000).sorted(by: \.id))
    }

    @Test func aDelete_leavesTheEntitiesOfItsHooks() throws {
        func expectDeleted(_ delete: () throws -> Int) throws {
            try Plant.query().delete(in: store)
            try Plant.query().delete(in: store)
            try (1...3).map { Plant(id: $0, height: 1, action: "on delete") }.save(to: store)
            #expect(try delete() == 3)
            #expect(try plants() == [1001, 1002, 1003])
        }
        try expectDeleted { try Plant.query().delete(in: store) }
        try expectDeleted { try Plant.query(id: .greaterThan(0)).delete(in: store) }
        try expectDeleted { try Plant.query().order(.descending).limit(3).delete(in: store) }
        try expectDeleted { try Plant.filter(\.id >= 1).delete(in: store) }
        try expectDeleted { try Plant.filter(\.height == 1).delete(in: store) }
        try expectDeleted { try Plant.filter(\.action != "none").limit(3).delete(in: store) }
    }

    @Test func aDeleteThatWouldFeedItself_ends() throws {
        try (1...3).map { Plant(id: $0, action: "on delete") }.save(to: store)
        #expect(try Plant.query().delete(in: store) == 3)
        #expect(try plants() == [1001, 1002, 1003])
        #expect(try Plant.filter(\.action == "on delete").delete(in: store) == 3)
        #expect(try plants() == [2001, 2002, 2003])
    }

    @Test func aDelete_leavesTheEntitiesOfTheHooksOfItsCascade() throws {
        try (1...3).map { Bed(id: $0, weeds: .relation([Weed(id: $0)])) }.save(to: store)
        #expect(try Bed.query().delete(in: store) == 3)
        #expect(try Bed.query().keys(in: store) == [1001, 1002, 1003])
        #expect(try Bed.filter(\.id > 0).delete(in: store) == 3)
        #expect(try Bed.query().keys(in: store) == [2001, 2002, 2003])
    }
}
