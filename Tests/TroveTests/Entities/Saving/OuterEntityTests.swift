// Graphs that lead back to an entity, and graphs that delete an entity of their own.

import Testing
import TroveTestSupport

@testable import Trove

@EntityModel(keepsMetadata: true, keepsDeleted: true)
private struct Heir: Equatable {
    #Unique<Heir>(\.seat, collisions: .upsert)

    let id: Int
    var name: String?
    var seat: Int?
    /// The entity that the hook deletes.
    var victim: Int?
    /// The entity to whose name the hook adds a mark.
    var marked: Int?
    var tags: [String]?
    @Relationship(inverse: \.parent) var heirs: [Heir]?
    @Relationship(inverse: \.heirs) var parent: Heir?
}

extension Heir {
    static var fragmentMergeStrategy: MergeStrategy<Heir> {
        MergeStrategy(.patch(\.name), .patch(\.seat), .append(\.tags))
    }

    func didSave(to context: TransactionContext) throws {
        let number = try HookCall.query().count(in: context)
        try context.insert(HookCall(number: number, text: "\(id) \(name ?? "-") \($heirs.ids)"))
        if let victim { try Heir.delete(id: victim, from: context) }
        if let marked, var other = try context.get(Heir.self, key: marked) {
            other.name = (other.name ?? "") + "!"
            try other.save(to: context)
        }
    }
}

/// An entity of a type without indexes.
@EntityModel
private struct Scion: Equatable {
    let id: Int
    /// The entity that the hook deletes.
    var victim: Int?
    @Relationship(inverse: \.parent) var scions: [Scion]?
    @Relationship(inverse: \.scions) var parent: Scion?
    @Relationship(deleteRule: .cascade) var wards: [Scion]? = nil
}

extension Scion {
    func didSave(to context: TransactionContext) throws {
        if let victim { try Scion.delete(id: victim, from: context) }
    }
}

/// An entity of a tree whose records are saved alone.
@EntityModel
private struct Twig: Equatable {
    let id: Int
    var name: String?
    @Relationship(inverse: \.parent) var twigs: [Twig]?
    @Relationship(inverse: \.twigs) var parent: Twig?
}

@Suite("Outer entities of a graph") struct OuterEntityTests {
    private let store: Store

    init() throws { store = try Store.temporary(records: [Heir.self, HookCall.self]) }

    private func heirs() throws -> [Int] { try Heir.query().keys(in: store) }

    /// Expects that nothing is kept of entities that are not stored, and that all links lead to stored entities.
    private func expectConsistent() throws {
        try store.expectIntactLinks()
        #expect(try store.stamps(Heir.self) == heirs())
        #expect(try store.relationNotes().isEmpty)
    }

    // MARK: Properties

    @Test func aStubThatLeadsBack_keepsTheOuterProperties() throws {
        for strategy in [MergeStrategy<Heir>.default, .fragment] {
            try store.forgetHookCalls()
            try Heir(
                id: 1, name: "Ann", seat: 4, tags: ["x"],
                heirs: .relation([
                    Heir(id: 2, name: "Bob", parent: .relation(Heir(id: 1))),
                    Heir(id: 3, name: "Eve", heirs: .relation([Heir(id: 1, name: "Other", seat: 9)])),
                ])
            ).save(to: store, merging: strategy)
            let ann = try #require(try store.get(Heir.self, key: 1))
            #expect(ann == Heir(id: 1, name: "Ann", seat: 4, tags: ["x"]))
            #expect(try Heir.filter(\.seat == 4).keys(in: store) == [1])
            #expect(try Heir.ids("heirs", of: 1, in: store) == [2, 3], "\(strategy)")
            #expect(try store.hookCalls() == ["1 Ann []", "2 Bob []", "1 Ann []", "3 Eve [1]", "1 Ann [2, 3]"])
            try expectConsistent()
            try Heir.query().delete(in: store)
        }
    }

    @Test func anInnerEntity_addsWhatAnOuterFragmentLeavesOpen() throws {
        try Heir(id: 1, name: "old", seat: 1, tags: ["a"]).save(to: store)
        try Heir(
            id: 1, name: "outer", tags: ["c"],
            heirs: .relation([Heir(id: 2, parent: .relation(Heir(id: 1, name: "inner", seat: 2, tags: ["b"])))])
        ).save(to: store, merging: .fragment)
        // As if the inner entity were saved first, and the outer one after it.
        #expect(try store.get(Heir.self, key: 1) == Heir(id: 1, name: "outer", seat: 2, tags: ["a", "b", "c"]))
        #expect(try Heir.filter(\.seat == 1).keys(in: store) == [])
        // What neither says stays.
        try Heir(id: 1, heirs: .relation([Heir(id: 2, parent: .relation(Heir(id: 1)))])).save(
            to: store, merging: .fragment)
        #expect(try store.get(Heir.self, key: 1) == Heir(id: 1, name: "outer", seat: 2, tags: ["a", "b", "c"]))
        try expectConsistent()
    }

    @Test func aStubThatLeadsBack_keepsWhatHooksHaveSaved() throws {
        for strategy in [MergeStrategy<Heir>.default, .fragment] {
            let heirs = [2, 3].map { Heir(id: $0, marked: 1, parent: .relation(Heir(id: 1))) }
            try Heir(id: 1, name: "a", heirs: .relation(heirs)).save(to: store, merging: strategy)
            #expect(try store.get(Heir.self, key: 1)?.name == "a!!", "\(strategy)")
            try expectConsistent()
        }
    }

    @Test func didSave_getsTheStoredPropertiesAndTheGivenRelations() throws {
        try Heir(id: 1, name: "full", seat: 1).save(to: store)
        try store.forgetHookCalls()
        try Heir(id: 1, seat: 2, heirs: .relation([Heir(id: 2)])).save(to: store, merging: .fragment)
        #expect(try store.hookCalls() == ["2 - []", "1 full [2]"])
        // Also if a strategy returns the stored entity.
        try store.forgetHookCalls()
        try Heir(id: 1, name: "new", heirs: .ids([2])).save(to: store, merging: MergeStrategy { stored, _ in stored })
        #expect(try store.hookCalls() == ["1 full [2]"])
    }

    @Test func aTreeOfPlainRecords_isSavedAroundItsStubs() throws {
        let store = try Store.temporary(records: [Twig.self])
        let inner = [Twig(id: 4, name: "d"), Twig(id: 1), Twig(id: 3, name: "c"), Twig(id: 2, name: "other")]
        try Twig(
            id: 1, name: "a",
            twigs: .relation([Twig(id: 5, name: "e"), Twig(id: 2, name: "b", twigs: .relation(inner))])
        ).save(to: store)
        let names = try Twig.query().resolve(in: store).map(\.name)
        #expect(names == ["a", "b", "c", "d", "e"])
        try store.expectIntactLinks()
    }

    // MARK: Deleted entities

    @Test func anEntityThatGivesWayInsideItsGraph_isDeletedByItsRules() throws {
        try Heir(id: 1, name: "old", parent: .id(3)).save(to: store)
        try Heir(id: 3).save(to: store)
        try store.forgetHookCalls()
        try Heir(id: 1, name: "new", seat: 7, heirs: .relation([Heir(id: 2, seat: 7), Heir(id: 4)])).save(to: store)
        #expect(try heirs() == [2, 3, 4])
        #expect(try store.hookCalls() == ["2 - []", "4 - []"])
        let deleted = try Deleted<Heir>.query().resolve(in: store)
        #expect(deleted.map(\.entity) == [Heir(id: 1, name: "new", seat: 7, parent: .id(3))])
        #expect(try Heir.ids("parent", of: 2, in: store) == [])
        #expect(try Heir.ids("heirs", of: 1, in: store) == [])
        try expectConsistent()
    }

    @Test func anEntityThatAHookDeletesInsideItsGraph_isGone() throws {
        try Heir(id: 1, heirs: .relation([Heir(id: 2, victim: 1), Heir(id: 4)]), parent: .id(2)).save(to: store)
        #expect(try heirs() == [2, 4])
        #expect(try store.trash(Heir.self) == [1])
        #expect(try Heir.ids("heirs", of: 2, in: store) == [])
        try expectConsistent()
        // Also at a greater distance.
        let far = Heir(id: 5, heirs: .relation([Heir(id: 6, heirs: .relation([Heir(id: 7, victim: 5)]))]))
        try far.save(to: store)
        #expect(try heirs() == [2, 4, 6, 7])
        #expect(try Heir.ids("heirs", of: 6, in: store) == [7])
        try expectConsistent()
    }

    @Test func anEntityOfATypeWithoutIndexes_isGoneAsWell() throws {
        let store = try Store.temporary(records: [Scion.self])
        try Scion(id: 1, scions: .relation([Scion(id: 2, victim: 1), Scion(id: 4)]), parent: .id(2)).save(to: store)
        #expect(try Scion.query().keys(in: store) == [2, 4])
        for id in [1, 2] { #expect(try Scion.ids("scions", of: id, in: store) == []) }
        // Also by a cascade.
        try Scion(id: 9, wards: .ids([5])).save(to: store)
        try Scion(id: 5, scions: .relation([Scion(id: 6, victim: 9)])).save(to: store)
        #expect(try Scion.query().keys(in: store) == [2, 4, 6])
        #expect(try Scion.ids("scions", of: 5, in: store) == [])
        #expect(try store.relationNotes().isEmpty)
        try store.expectIntactLinks()
    }

    @Test func anEntityThatComesBackInsideItsGraph_keepsItsLinks() throws {
        try Heir(
            id: 1, name: "outer", seat: 7,
            heirs: .relation([Heir(id: 2, seat: 7, heirs: .relation([Heir(id: 1, name: "inner")]))])
        ).save(to: store)
        #expect(try heirs() == [1, 2])
        #expect(try store.get(Heir.self, key: 1) == Heir(id: 1, name: "inner"))
        #expect(try store.trash(Heir.self) == [])
        #expect(try Heir.ids("heirs", of: 1, in: store) == [2])
        try expectConsistent()
    }

    @Test func anEntityThatComesBackInALaterRelation_isSavedToTheEnd() throws {
        try Heir(
            id: 1, name: "outer", heirs: .relation([Heir(id: 2, victim: 1)]),
            parent: .relation(Heir(id: 3, heirs: .relation([Heir(id: 1)])))
        ).save(to: store)
        #expect(try heirs() == [1, 2, 3])
        #expect(try Heir.ids("parent", of: 1, in: store) == [3])
        #expect(try store.hookCalls().last?.hasPrefix("1 outer") == true)
        try store.expectIntactLinks()
    }

    @Test func aSavedRelationOfAnEntityThatGivesWay_hasNoLinks() throws {
        try Heir(id: 1, seat: 7).save(to: store)
        try Heir(id: 1, heirs: .relation([Heir(id: 2, seat: 7)])).save(\.$heirs, to: store)
        #expect(try heirs() == [2])
        #expect(try Heir.ids("parent", of: 2, in: store) == [])
        // An entity that is not stored may have links.
        try Heir(id: 9, heirs: .relation([Heir(id: 3, victim: 2)])).save(\.$heirs, to: store)
        #expect(try Heir.ids("heirs", of: 9, in: store) == [3])
        try store.expectIntactLinks()
    }
}
