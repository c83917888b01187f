// Live objects of entities: relations, hooks, and types with rules of their own.

import Testing
import TroveTestSupport

@testable import Trove

@EntityModel
private struct CrewedShip {
    let id: Int
    var name: String
    @Relationship(inverse: \.ship) var mates: [Mate]?
}

@EntityModel
private struct Mate {
    let id: Int
    var name: String
    @Relationship(inverse: \.mates) var ship: CrewedShip?
}

/// An entity whose hook changes it.
@EntityModel
private struct Titled: Hashable {
    let id: Int
    var title: String

    mutating func willSave(to context: TransactionContext) throws { title = title.uppercased() }
}

@IndexKeyRecord("id")
private struct Ignored: Hashable {
    #Unique<Ignored>(\.name, collisions: .ignore)

    let id: Int
    var name: String
}

@Suite("Live objects of entities") struct LiveEntityTests {
    private let store: Store

    init() throws { store = try Store.temporary(records: [CrewedShip.self, Mate.self, Titled.self, Ignored.self]) }

    private func mates() throws -> [Int] {
        try store.read { try CrewedShip.query(1).with(\.$mates).resolve(in: $0) }?.mates?.map(\.id).sorted() ?? []
    }

    @Test func relations_areEdits() throws {
        let ship = try CrewedShip.create(CrewedShip(id: 1, name: "Fhloston"), in: store)
        for id in 1...3 { try store.insert(Mate(id: id, name: "\(id)")) }
        ship.change { $0.$mates = .ids([1, 2]) }
        #expect(ship.hasChanges)
        try ship.save()
        #expect(!ship.hasChanges)
        #expect(try mates() == [1, 2])
        ship.name = "Paradise"
        try ship.save()
        #expect(try mates() == [1, 2])
        ship.change { $0.$mates = .ids([3]) }
        ship.revert()
        #expect(!ship.hasChanges)
        try ship.save()
        #expect(try mates() == [1, 2])
    }

    @Test func relations_surviveAMerge() throws {
        let ship = try CrewedShip.create(CrewedShip(id: 1, name: "Fhloston"), in: store)
        try store.insert(Mate(id: 1, name: "one"))
        ship.change { $0.$mates = .ids([1]) }
        try store.insert(CrewedShip(id: 1, name: "other"))
        try store.live.refresh()
        #expect(ship.name == "other" && ship.hasChanges)
        try store.live.saveAllChanges()
        #expect(try mates() == [1])
        #expect(try store.get(CrewedShip.self, key: 1)?.name == "other")
        #expect(!ship.hasChanges)
    }

    /// Otherwise, a new object would have them, and an object in use would not.
    /// A round has seen an older commit under the save.
    @Test func relationsOfASaveThatIsUndone_areStillEditsOfTheOlderRecord() throws {
        let ship = CrewedShip(id: 1, name: "Fhloston")
        let stored = try FoundRecord(ship)
        let seen = LiveState(stored, at: 1)
        var state = seen
        var mine = ship
        mine.$mates = .ids([1])
        state.edit(seen, to: mine, stored.bytes, changesRelations: true)
        state.open = LiveState<CrewedShip>.OpenSave(
            sent: stored.bytes, result: stored, transaction: 5, relationEdits: state.relationEdits)
        state.adopt(try FoundRecord(CrewedShip(id: 1, name: "Paradise")), at: 3)
        state.undo(to: nil, keepsEdits: true, ship.keyBytes)
        #expect(state.hasRelations && state.value.$mates.ids == [1])
        #expect(state.value.name == "Paradise" && state.start == stored.bytes)
    }

    @Test func requestsForRelations_areLeftOut() throws {
        try CrewedShip(id: 1, name: "Fhloston", mates: .relation([Mate(id: 1, name: "one")])).save(to: store)
        let query = CrewedShip.query().with(\.$mates)
        let ship = try #require(try query.live(in: store).first)
        #expect(ship.mates?.count == nil)
        #expect(try query.live(in: store).first === ship && ship.mates?.count == nil && !ship.hasChanges)
        #expect(try ship.related(\.$mates).live().map(\.name) == ["one"])
        try store.insert(Mate(id: 1, name: "changed"))
        ship.name = "Paradise"
        try ship.save()
        #expect(try store.get(Mate.self, key: 1)?.name == "changed")
        #expect(try mates() == [1])
    }

    /// A closure and an assigned value may set any relation. Only those that differ are edits.
    @Test func relationsThatAChangeLeavesAlone_areNoEdits() throws {
        for id in 1...3 {
            try CrewedShip(id: id, name: "a", mates: .relation([Mate(id: id, name: "one")])).save(to: store)
        }
        let ships = try CrewedShip.query().sorted(by: \.id).live(in: store)
        for ship in ships { ship.change { $0.$mates = .relation([Mate(id: ship.id, name: "one")]) } }
        try store.live.saveAllChanges()
        for id in 1...3 { try store.insert(Mate(id: id, name: "elsewhere")) }
        ships[0].change { $0.name = "b" }
        var copy = ships[1].value
        copy.name = "b"
        ships[1].value = copy
        ships[2].change { $0.$mates = .relation([Mate(id: 3, name: "edited")]) }
        try store.live.saveAllChanges()
        #expect(
            try Mate.query().sorted(by: \.id).resolve(in: store).map(\.name) == ["elsewhere", "elsewhere", "edited"])
        #expect(try CrewedShip.query().sorted(by: \.id).resolve(in: store).map(\.name) == ["b", "b", "a"])
    }

    @Test func aHook_showsInTheObject() throws {
        let titled = try Titled.create(Titled(id: 1, title: "first"), in: store)
        #expect(titled.title == "FIRST" && !titled.hasChanges)
        titled.title = "second"
        try titled.save()
        #expect(titled.title == "SECOND" && !titled.hasChanges)
        #expect(try store.get(Titled.self, key: 1)?.title == "SECOND")
    }

    @Test func aSaveThatARuleIgnores_throws_andKeepsTheEdit() throws {
        try store.insert(Ignored(id: 1, name: "taken"))
        let ignored = try Ignored.create(Ignored(id: 2, name: "free"), in: store)
        ignored.name = "taken"
        let error = StoreError.record(
            .notUnique(
                type: "Ignored", index: "unique(name)", key: StoredKey(2, of: Ignored.self),
                existing: StoredKey(1, of: Ignored.self)))
        #expect(throws: error) { try ignored.save() }
        #expect(ignored.name == "taken" && ignored.hasChanges)
        #expect(try store.get(Ignored.self, key: 2)?.name == "free")
    }
}
