// Updates of entities that swap unique values: nothing is deleted before the values are compared at the end.

import Testing

@testable import Trove

/// A player with a shirt number that others take over. Its hook notes its deletion.
@EntityModel
private struct Striker: Equatable {
    #Unique<Striker>(\.shirt, collisions: .upsert)

    let id: Int
    var shirt: Int?
    @Relationship(inverse: \.strikers) var club: Club?
    @Relationship(deleteRule: .cascade, inverse: \.striker) var boots: [Boot]?
}

extension Striker {
    func willDelete(from context: TransactionContext) throws {
        try context.insert(HookCall(number: HookCall.query().count(in: context), text: "\(id)"))
    }
}

@EntityModel
private struct Club: Equatable {
    let id: Int
    @Relationship(inverse: \.club) var strikers: [Striker]?
}

@EntityModel
private struct Boot: Equatable {
    let id: Int
    @Relationship(inverse: \.boots) var striker: Striker?
}

@Suite("Swapped values of entities") struct SwappedValueTests {
    private let store: Store

    init() throws {
        store = try Store.temporary(records: [Club.self, HookCall.self])
        let strikers = (1...4).map { Striker(id: $0, shirt: $0, boots: .relation([Boot(id: $0)])) }
        try Club(id: 1, strikers: .relation(strikers)).save(to: store)
    }

    private func expect(_ shirts: [Int: Int?], deleted: [String] = []) throws {
        let stored = try Striker.query().resolve(in: store)
        #expect(Dictionary(uniqueKeysWithValues: stored.map { ($0.id, $0.shirt) }) == shirts)
        #expect(try Club.ids("strikers", of: 1, in: store) == shirts.keys.sorted())
        #expect(try Boot.query().keys(in: store) == shirts.keys.sorted())
        #expect(try store.hookCalls() == deleted)
        try store.expectIntactLinks()
    }

    @Test func swaps_deleteNothing() throws {
        #expect(try Striker.query().update(in: store) { $0.shirt = 5 - $0.shirt! } == 4)
        try expect([1: 4, 2: 3, 3: 2, 4: 1])
        #expect(try Striker.query().update(in: store) { $0.shirt = $0.shirt! % 4 + 1 } == 4)
        try expect([1: 1, 2: 4, 3: 3, 4: 2])
        // By the index, and sorted.
        #expect(try Striker.filter(\.shirt <= 2).update(in: store) { $0.shirt = 3 - $0.shirt! } == 2)
        try expect([1: 2, 2: 4, 3: 3, 4: 1])
        #expect(
            try Striker.query().order(.descending).limit(2).update(in: store) { $0.shirt = 4 - $0.shirt! } == 2)
        try expect([1: 2, 2: 4, 3: 1, 4: 3])
    }

    @Test func theEntitySavedLast_stays() throws {
        #expect(try Striker.query().update(in: store) { $0.shirt = 3 } == 4)
        try expect([4: 3], deleted: ["1", "2", "3"])
    }

    @Test func aMatchThatKeepsItsValue_isSavedLast() throws {
        #expect(try Striker.filter(\.id <= 2).update(in: store) { $0.shirt = 2 } == 2)
        try expect([2: 2, 3: 3, 4: 4], deleted: ["1"])
    }

    @Test func anEntityThatIsNoMatch_isDeletedAtOnce() throws {
        #expect(try Striker.filter(\.id == 1).update(in: store) { $0.shirt = 2 } == 1)
        try expect([1: 2, 3: 3, 4: 4], deleted: ["2"])
        #expect(try Striker.filter(\.id != 3).update(in: store) { $0.shirt = $0.id == 4 ? 3 : 4 } == 2)
        try expect([1: 4, 4: 3], deleted: ["2", "3"])
    }

    @Test func anUpdateThatThrows_leavesNothing() throws {
        #expect(throws: Refused()) {
            try Striker.query().update(in: store) { striker in
                striker.shirt = 5 - striker.shirt!
                if striker.id == 4 { throw Refused() }
            }
        }
        try expect([1: 1, 2: 2, 3: 3, 4: 4])
    }
}
