// The ids in deleted entities follow every change of their relations, as links do.

import Testing
import TroveCoding
import TroveTestSupport

@testable import Trove

@Suite("Ids in deleted entities") struct KeptIDTests {
    private typealias First = FirstParcels.Parcel

    private let file: MigratedFile

    /// Stores deleted parcels: 1 with two labels and the sender 7, 2 with a label and the deleted sender 8, 3 with the
    /// sender 9, who was never stored.
    init() throws {
        file = try MigratedFile()
        let store = try file.open(First.self)
        try [7, 8].map { FirstParcels.Sender(id: $0) }.save(to: store)
        try First(id: 1, text: "a", labels: .ids([1, 2]), owner: .id(7)).save(to: store)
        try First(id: 2, text: "b", labels: .ids([3]), owner: .id(8)).save(to: store)
        try First(id: 3, text: "c", owner: .id(9)).save(to: store)
        try First(id: 4, text: "d", owner: .id(7)).save(to: store)
        for id in 1...3 { try First.delete(id: id, from: store) }
        try FirstParcels.Sender.delete(id: 8, from: store)
    }

    private func expectFirst(_ comment: Comment) throws {
        let store = try file.open(First.self)
        #expect(
            try Deleted<First>.query().resolve(in: store).map(\.entity) == [
                First(id: 1, text: "a", labels: .ids([1, 2]), owner: .id(7)),
                First(id: 2, text: "b", labels: .ids([3]), owner: .id(8)), First(id: 3, text: "c", owner: .id(9)),
            ], comment)
        #expect(try First.query().keys(in: store) == [4], comment)
    }

    /// Expects that a closure throws the losses of values.
    private func losses(_ body: () throws -> some Any) -> [String] {
        guard case .schema(.valuesWouldBeLost(_, let losses))? = storeError(body) else { return [] }
        return losses.map(\.description)
    }

    // MARK: To many, to one

    @Test(arguments: [MigrationPolicy.onOpen, .lazily]) func severalIDsOfARelationToOne_areRefused(
        _ policy: MigrationPolicy
    ) throws {
        typealias Parcel = SingleLabels.Parcel
        let error = storeError { try file.open(Parcel.self, migrations: policy) }
        guard case .schema(.relationNotUnique(let relation, let owner, let targets))? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(relation == "TroveTests.SingleLabels.Parcel.labels")
        #expect(owner.description == "id: 1" && owner.type == "TroveTests.FirstParcels.Parcel~deleted")
        #expect(targets.count == 2)
        #expect(try !file.open().migrationPlan(for: [Parcel.self], validating: true).isPossible)
        try expectFirst("nothing is changed")
        do {
            let store = try file.open(First.self)
            #expect(try Deleted<First>.delete(id: 1, from: store))
        }
        let store = try file.open(Parcel.self, migrations: policy.refusingLoss)
        #expect(
            try Deleted<Parcel>.query(2).resolve(in: store)?.entity
                == Parcel(id: 2, text: "b", labels: .id(3), owner: .id(8)))
        #expect(try Deleted<Parcel>.query(3).resolve(in: store)?.entity == Parcel(id: 3, text: "c", owner: .id(9)))
        try store.finishMigrations()
        #expect(try store.migrationPlan(for: [Parcel.self]).isEmpty)
        #expect(try Store.verify(path: file.path).isSound)
    }

    // MARK: Removed

    @Test func idsOfARemovedRelation_areKeptUntilItIsDropped() throws {
        typealias Parcel = Unlabeled.Parcel
        #expect(
            try file.open().migrationPlan(for: [Parcel.self]).description.contains(
                "relation(labels) is not declared, and is kept until dropUndeclaredRelations(): 0 links, and ids in 2 deleted entities"
            ))
        do {
            let store = try file.open(Parcel.self, migrations: .onOpen.refusingLoss)
            // The relation of the owners is another one now: they follow.
            #expect(
                try Deleted<Parcel>.query().resolve(in: store).map(\.entity) == [
                    Parcel(id: 1, text: "a", owner: .ids([7])), Parcel(id: 2, text: "b", owner: .ids([8])),
                    Parcel(id: 3, text: "c", owner: .ids([9])),
                ])
            try store.finishMigrations()
            let writes: [() throws -> Void] = [
                { _ = try Deleted<Parcel>.query(1).resolve(in: store)?.restore(in: store) },
                { _ = try Deleted<Parcel>.delete(id: 1, from: store) },
                { _ = try Parcel.delete(id: 4, from: store) },
            ]
            for write in writes {
                guard case .schema(.schemaNewer(_, _, _, _, ["relation(labels)"]))? = storeError(write) else {
                    Issue.record("a type with an undeclared relation was written")
                    return
                }
            }
            #expect(
                losses { try store.dropUndeclaredRelations() }
                    == ["TroveTests.FirstParcels.Parcel~deleted.$labels: 2 records have a value"])
        }
    }

    @Test func theFormerProgram_isNotLockedOut() throws {
        typealias Parcel = SingleTarget.Parcel
        do {
            let store = try file.open(Parcel.self, migrations: .onOpen.refusingLoss)
            #expect(try Deleted<Parcel>.query(1).resolve(in: store)?.entity.$owner.id == 7)
        }
        try expectFirst("before the relation is dropped")
        do {
            let store = try file.open(Parcel.self)
            #expect(try store.dropUndeclaredRelations() == ["TroveTests.FirstParcels.Parcel.labels"])
            try store.finishMigrations()
            #expect(try store.migrationPlan(for: [Parcel.self]).isEmpty)
            try Deleted<Parcel>.query(2).resolve(in: store)?.restore(in: store)
            #expect(try Parcel.query().keys(in: store) == [2, 4])
        }
        do {
            // A permanent option finds no loss any more.
            _ = try file.open(Parcel.self, migrations: .onOpen.refusingLoss)
        }
        // The former program reads the entities, and cannot keep another deleted one.
        do {
            let store = try file.open(First.self)
            #expect(try First.query().keys(in: store) == [2, 4])
            #expect(try Deleted<First>.query(1).resolve(in: store)?.entity == First(id: 1, text: "a", owner: .id(7)))
            try First(id: 5, text: "e", labels: .ids([6])).save(to: store)
            guard case .schema(.schemaNewer)? = storeError({ try First.delete(id: 4, from: store) }) else {
                Issue.record("a newer layout was overwritten")
                return
            }
        }
        let store = try file.open(First.self, migrations: .allowOlderLayout)
        #expect(try First.delete(id: 4, from: store))
        #expect(try store.trash(First.self) == [1, 3, 4])
    }

    // MARK: Another target

    @Test func idsOfAnotherRelation_areNotThoseOfItsSuccessor() throws {
        typealias Parcel = ShopParcels.Parcel
        do {
            let store = try file.open(Parcel.self, migrations: .onOpen.refusingLoss)
            try ShopParcels.Shop(id: 7).save(to: store)
            let deleted = try Deleted<Parcel>.query().resolve(in: store)
            #expect(deleted.map(\.entity.$owner.isNone) == [true, true, true])
            #expect(deleted.map(\.entity.$labels.ids) == [[1, 2], [3], []])
            guard case .schema(.schemaNewer)? = storeError({ try deleted[0].restore(in: store) }) else {
                Issue.record("an entity was linked with a stranger")
                return
            }
            #expect(
                losses { try store.dropUndeclaredRelations() } == [
                    "TroveTests.FirstParcels.Parcel.owner: 1 link",
                    "TroveTests.FirstParcels.Parcel~deleted.$owner: 3 records have a value",
                ])
        }
        try expectFirst("as long as the relation is kept")
        let store = try file.open(Parcel.self)
        try store.dropUndeclaredRelations()
        let deleted = try #require(try Deleted<Parcel>.query(1).resolve(in: store))
        #expect(deleted.entity == Parcel(id: 1, text: "a", labels: .ids([1, 2])))
        try deleted.restore(in: store)
        #expect(try ShopParcels.Shop.ids("parcels", of: 7, in: store) == [])
        #expect(try Parcel.ids("labels", of: 1, in: store) == [1, 2])
        #expect(try Store.verify(path: file.path).isSound)
    }

    // MARK: Names

    @Test func idsOfARenamedRelation_follow() throws {
        typealias Parcel = RenamedParcels.Parcel
        let store = try file.open(Parcel.self, migrations: .onOpen.refusingLoss)
        #expect(
            try Deleted<Parcel>.query().resolve(in: store).map(\.entity) == [
                Parcel(id: 1, text: "a", labels: .ids([1, 2]), payer: .id(7)),
                Parcel(id: 2, text: "b", labels: .ids([3]), payer: .id(8)), Parcel(id: 3, text: "c", payer: .id(9)),
            ])
        #expect(try Parcel.ids("payer", of: 4, in: store) == [7])
    }

    // MARK: Keys

    @Test(arguments: [MigrationPolicy.onOpen, .lazily, .background]) func newKeysByHand_areFollowed(
        _ policy: MigrationPolicy
    ) throws {
        typealias Parcel = KeyedParcels.Parcel
        #expect(
            try file.open().migrationPlan(for: [Parcel.self]).description.contains(
                "relation(TroveTests.FirstParcels.Parcel~deleted.$owner) loses ids of records that are not stored, in 1 deleted entity"
            ))
        #expect(
            losses { try file.open(Parcel.self, migrations: policy.refusingLoss) } == [
                "TroveTests.FirstParcels.Parcel~deleted.$owner: 1 record has a value"
            ])
        try expectFirst("the loss is refused")
        let store = try file.open(Parcel.self, migrations: policy)
        #expect(
            try Deleted<Parcel>.query().resolve(in: store).map(\.entity) == [
                Parcel(id: 1, text: "a", labels: .ids([1, 2]), owner: .id("sender-7")),
                Parcel(id: 2, text: "b", labels: .ids([3]), owner: .id("sender-8")), Parcel(id: 3, text: "c"),
            ])
        #expect(try Parcel.ids("owner", of: 4, in: store, as: String.self) == ["sender-7"])
        #expect(try store.trash(KeyedParcels.Sender.self) == ["sender-8"])
        try store.finishMigrations()
        for id in 1...2 { try #require(try Deleted<Parcel>.query(id).resolve(in: store)).restore(in: store) }
        try #require(try Deleted<KeyedParcels.Sender>.query("sender-8").resolve(in: store)).restore(in: store)
        #expect(try KeyedParcels.Sender.ids("parcels", of: "sender-7", in: store) == [4, 1])
        #expect(try KeyedParcels.Sender.ids("parcels", of: "sender-8", in: store) == [2])
        #expect(try store.migrationPlan(for: [Parcel.self]).isEmpty)
        try store.expectIntactLinks()
    }

    @Test func idsThatDoNotConvert_areALoss() throws {
        typealias Parcel = FlagParcels.Parcel
        #expect(
            try file.open().migrationPlan(for: [Parcel.self]).description.contains(
                "$labels loses ids: 2 records have a value"))
        #expect(
            losses { try file.open(Parcel.self, migrations: .onOpen.refusingLoss) } == [
                "TroveTests.FlagParcels.Parcel~deleted.$labels: 2 records have a value"
            ])
        let store = try file.open(Parcel.self)
        #expect(
            try Deleted<Parcel>.query().resolve(in: store).map(\.entity) == [
                Parcel(id: 1, text: "a", owner: .id(7)), Parcel(id: 2, text: "b", owner: .id(8)),
                Parcel(id: 3, text: "c", owner: .id(9)),
            ])
    }
}
