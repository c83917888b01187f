// Statements on a relation that name its inverse: they do what the statements of Trove do, and refuse another relation.

import Testing
import Trove
import TroveSpellings
import TroveTestSupport

@EntityModel
private struct Pier: Equatable {
    let id: Int
    @Relationship(inverse: \.pier) var barges: [Barge]?
    @Relationship(inverse: \.kept) var guards: [Barge]?
    @Relationship var owners: [Shipper]? = nil
}

@EntityModel
private struct Barge: Equatable {
    let id: Int
    @Relationship(inverse: \.barges) var pier: Pier?
    @Relationship(inverse: \.guards) var kept: Pier?
}

@EntityModel
private struct Shipper: Equatable {
    let id: Int
}

@Suite("Statements that name the inverse") struct InverseSpellingTests {
    private static let pier = Pier(
        id: 1, barges: .relation((1...4).map { Barge(id: $0) }), guards: .ids([1]),
        owners: .relation((1...4).map { Shipper(id: $0) }))

    /// Barges at the pier, owners of the pier, stored barges, stored owners.
    private func state(_ source: some RecordReadable) throws -> [[Int]] {
        [
            try Pier.query(1).related(\.$barges).keys(in: source).sorted(),
            try Pier.query(1).related(\.$owners).keys(in: source).sorted(),
            try Barge.query().keys(in: source), try Shipper.query().keys(in: source),
        ]
    }

    @Test func eachStatement_doesWhatItsNameSays() throws {
        let store = try Store.temporary(records: [Pier.self])
        try Self.pier.save(to: store)
        let pier = Pier(id: 1, barges: .relation([Barge(id: 4), Barge(id: 5), Barge(id: 6), Barge(id: 7)]))
        try pier.save(\.$barges, inverse: \.$pier, to: store)
        #expect(try state(store) == [[4, 5, 6, 7], [1, 2, 3, 4], Array(1...7), [1, 2, 3, 4]])
        try pier.detach([4, 9], relation: \.$barges, inverse: \.$pier, in: store)
        try pier.detach([4, 9], relation: \.$owners, in: store)
        #expect(try state(store) == [[5, 6, 7], [1, 2, 3], Array(1...7), [1, 2, 3, 4]])
        try pier.delete([5, 4], relation: \.$barges, inverse: \.$pier, from: store)
        try pier.delete([3, 4], relation: \.$owners, from: store)
        #expect(try state(store) == [[6, 7], [1, 2], [1, 2, 3, 4, 6, 7], [1, 2, 4]])
        try Barge(id: 6).detach(\.$pier, inverse: \.$barges, in: store)
        #expect(try state(store) == [[7], [1, 2], [1, 2, 3, 4, 6, 7], [1, 2, 4]])
        try pier.delete(\.$barges, inverse: \.$pier, from: store)
        #expect(try state(store) == [[], [1, 2], [1, 2, 3, 4, 6], [1, 2, 4]])
    }

    @Test func asyncForms_doTheSame() async throws {
        let store = try await Store.temporary(records: [Pier.self])
        try await Self.pier.save(to: store)
        let pier = Pier(id: 1, barges: .relation([Barge(id: 4), Barge(id: 5), Barge(id: 6), Barge(id: 7)]))
        try await pier.save(\.$barges, inverse: \.$pier, to: store)
        try await pier.detach([4, 9], relation: \.$barges, inverse: \.$pier, in: store)
        try await pier.detach([4, 9], relation: \.$owners, in: store)
        try await pier.delete([5, 4], relation: \.$barges, inverse: \.$pier, from: store)
        try await pier.delete([3, 4], relation: \.$owners, from: store)
        try await Barge(id: 6).detach(\.$pier, inverse: \.$barges, in: store)
        var state = try await store.read { try self.state($0) }
        #expect(state == [[7], [1, 2], [1, 2, 3, 4, 6, 7], [1, 2, 4]])
        try await pier.delete(\.$barges, inverse: \.$pier, from: store)
        state = try await store.read { try self.state($0) }
        #expect(state == [[], [1, 2], [1, 2, 3, 4, 6], [1, 2, 4]])
    }

    /// Another relation of the same type, and a property that is no relation.
    @Test func anotherRelation_isRefused_andNothingIsWritten() async throws {
        let store = try await Store.temporary(records: [Pier.self])
        try await Self.pier.save(to: store)
        let before = try await store.read { try self.state($0) }
        let others: [(PartialKeyPath<Barge> & Sendable, String)] = [
            (\Barge.$kept, "Barge.kept"), (\Barge.id, "\\Barge.id"),
        ]
        for (inverse, name) in others {
            let mismatch = StoreError.entity(.relationMismatch(type: "Pier", relation: "barges", inverse: name))
            try await store.write { context in
                #expect(throws: mismatch) { try Self.pier.save(\.$barges, inverse: inverse, to: context) }
                #expect(throws: mismatch) { try Self.pier.detach(\.$barges, inverse: inverse, in: context) }
                #expect(throws: mismatch) {
                    try Self.pier.detach([1], relation: \.$barges, inverse: inverse, in: context)
                }
                #expect(throws: mismatch) { try Self.pier.delete(\.$barges, inverse: inverse, from: context) }
                #expect(throws: mismatch) {
                    try Self.pier.delete([1], relation: \.$barges, inverse: inverse, from: context)
                }
            }
            await #expect(throws: mismatch) { try await Self.pier.save(\.$barges, inverse: inverse, to: store) }
            await #expect(throws: mismatch) { try await Self.pier.detach(\.$barges, inverse: inverse, in: store) }
            await #expect(throws: mismatch) {
                try await Self.pier.detach([1], relation: \.$barges, inverse: inverse, in: store)
            }
            await #expect(throws: mismatch) { try await Self.pier.delete(\.$barges, inverse: inverse, from: store) }
            await #expect(throws: mismatch) {
                try await Self.pier.delete([1], relation: \.$barges, inverse: inverse, from: store)
            }
        }
        let ofOneWay = StoreError.entity(.relationMismatch(type: "Pier", relation: "owners", inverse: "\\Shipper.id"))
        await #expect(throws: ofOneWay) { try await Self.pier.detach(\.$owners, inverse: \.id, in: store) }
        let after = try await store.read { try self.state($0) }
        #expect(after == before)
    }

    @Test func noInverse_isNotChecked() async throws {
        let store = try await Store.temporary(records: [Pier.self])
        try await Self.pier.save(to: store)
        try await Self.pier.detach(\.$barges, inverse: nil, in: store)
        try await store.write { try Self.pier.delete(\.$owners, inverse: nil, from: $0) }
        let state = try await store.read { try self.state($0) }
        #expect(state == [[], [], [1, 2, 3, 4], []])
    }
}
