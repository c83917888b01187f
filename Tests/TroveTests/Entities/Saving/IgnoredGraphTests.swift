// Entities that a collision rule leaves unsaved: inside a graph, and where a deleted entity is restored.

import Testing
import TroveTestSupport

@testable import Trove

@EntityModel
private struct RowingCrew {
    let id: Int
    @Relationship(inverse: \.crew) var sailors: [Oarsman]? = nil
    @Relationship var captain: Oarsman? = nil
}

@EntityModel(keepsDeleted: true)
private struct Oarsman {
    #Unique<Oarsman>(\.seat, collisions: .ignore)

    let id: Int
    var seat: Int? = nil
    @Relationship(inverse: \.sailors) var crew: RowingCrew? = nil
}

@Suite("Entities that a collision rule ignores") struct IgnoredGraphTests {
    private let store: Store

    init() throws {
        store = try Store.temporary(records: [RowingCrew.self, Oarsman.self])
        try Oarsman(id: 1, seat: 5).save(to: store)
    }

    private func rowers(of crew: Int) throws -> [Int] {
        try RowingCrew.query(crew).related(\.$sailors).resolve(in: store).map(\.id)
    }

    private func expectIntact() throws {
        #expect(try store.relationNotes().isEmpty)
        #expect(try store.check().isEmpty)
    }

    @Test func aGraph_doesNotLinkToThem() throws {
        let all = [Oarsman(id: 2, seat: 5), Oarsman(id: 3, seat: 6), Oarsman(id: 4, seat: 6), Oarsman(id: 5)]
        try RowingCrew(id: 1, sailors: .relation(all), captain: .relation(Oarsman(id: 6, seat: 5))).save(to: store)
        #expect(try Oarsman.query().resolve(in: store).map(\.id) == [1, 3, 5])
        #expect(try rowers(of: 1) == [3, 5])
        #expect(try RowingCrew.query(1).related(\.$captain).resolve(in: store).isEmpty)
        try expectIntact()
        // A part of a list.
        try RowingCrew(id: 1, sailors: .appending(relation: [Oarsman(id: 7, seat: 5), Oarsman(id: 8, seat: 8)])).save(
            to: store)
        #expect(try rowers(of: 1) == [3, 5, 8])
        try expectIntact()
        // The relation alone.
        try RowingCrew(id: 1, sailors: .relation([Oarsman(id: 9, seat: 5), Oarsman(id: 5)]))
            .save(\.$sailors, to: store)
        #expect(try rowers(of: 1) == [5])
        try expectIntact()
    }

    /// The entity is stored with its former values, and a later one of the list saves it.
    @Test func aGraph_linksToStoredOnes() throws {
        try Oarsman(id: 2, seat: 6).save(to: store)
        try RowingCrew(id: 1, sailors: .relation([Oarsman(id: 2, seat: 5)])).save(to: store)
        #expect(try rowers(of: 1) == [2])
        #expect(try Oarsman.query(2).resolve(in: store)?.seat == 6)
        try RowingCrew(id: 2, sailors: .relation([Oarsman(id: 3, seat: 5), Oarsman(id: 3, seat: 7)])).save(to: store)
        #expect(try rowers(of: 2) == [3])
        try expectIntact()
    }

    @Test func aRestore_throws_andKeepsTheDeletedEntity() async throws {
        try await Oarsman(id: 2, seat: 6).save(to: store)
        try await Oarsman(id: 2, seat: 6).delete(from: store)
        try await Oarsman(id: 3, seat: 6).save(to: store)
        let error = StoreError.record(
            .notUnique(
                type: "Oarsman", index: "unique(seat)", key: StoredKey(2, of: Oarsman.self),
                existing: StoredKey(3, of: Oarsman.self)))
        let deleted = try #require(try await Deleted<Oarsman>.query(2).resolve(in: store))
        #expect(throws: error) { try deleted.restore(in: store) }
        await #expect(throws: error) { try await deleted.restore(in: store) }
        #expect(try await Deleted<Oarsman>.query().count(in: store) == 1)
        #expect(try await Oarsman.query().resolve(in: store).map(\.id) == [1, 3])
        try await Oarsman(id: 3, seat: 7).save(to: store)
        try await deleted.restore(in: store)
        #expect(try await Oarsman.query().resolve(in: store).map(\.id) == [1, 2, 3])
        #expect(try await Deleted<Oarsman>.query().count(in: store) == 0)
    }
}
