// Several saves of an object in a transaction, and records created in the place of others.

import Testing
import TroveTestSupport

@testable import Trove

@Suite("Repeated saves of live objects", .hangLimit) struct LiveSaveTests {
    private let store: Store
    private let traveler: Live<Traveler>

    init() throws {
        store = try Store.live()
        traveler = try Traveler.create(Traveler(id: 1), in: store)
    }

    // MARK: Saves

    /// The first save has merged the age, which the object shows after the commit only.
    @Test func aSecondSave_keepsWhatTheFirstHasMerged() throws {
        try store.write { context in
            try context.insert(Traveler(id: 1, age: 2))
            traveler.name = "B"
            try traveler.save(in: context)
            #expect(try context.get(Traveler.self, key: 1) == Traveler(id: 1, name: "B", age: 2))
            traveler.name = "C"
            try traveler.save(in: context)
        }
        #expect(try store.stored(1) == Traveler(id: 1, name: "C", age: 2))
        #expect(traveler.value == Traveler(id: 1, name: "C", age: 2) && !traveler.hasChanges)
    }

    @Test func editsGivenUpByASave_doNotReturnWithTheNext() throws {
        try store.write { context in
            try context.insert(Traveler(id: 1, name: "theirs", age: 2))
            traveler.name = "mine"
            try traveler.save(.theirs, in: context)
            traveler.nick = "nick"
            try traveler.save(in: context)
        }
        let expected = Traveler(id: 1, name: "theirs", age: 2, nick: "nick")
        #expect(try store.stored(1) == expected)
        #expect(traveler.value == expected && !traveler.hasChanges)
    }

    @Test func editsGivenUpForADeletedRecord_returnIfTheTransactionIsUndone() throws {
        traveler.name = "edited"
        #expect(throws: Stop.self) {
            try store.write { context in
                try context.delete(Traveler.self, key: 1)
                try traveler.save(.theirs, in: context)
                #expect(traveler.isDeleted)
                throw Stop()
            }
        }
        #expect(traveler.value == Traveler(id: 1) && !traveler.isDeleted && !traveler.hasChanges)
        traveler.name = "edited"
        try store.write { context in
            try context.delete(Traveler.self, key: 1)
            try traveler.save(.theirs, in: context)
        }
        #expect(traveler.value == Traveler(id: 1) && traveler.isDeleted && !traveler.hasChanges)
        #expect(store.live.unsavedCount == 0)
    }

    // MARK: Creations that are undone

    @Test func aCreationThatIsUndone_leavesTheFormerObject() throws {
        #expect(throws: Stop.self) {
            try store.write { context in
                try context.delete(Traveler.self, key: 1)
                let created = try Traveler.create(Traveler(id: 1, name: "new"), in: context)
                #expect(created === traveler && traveler.name == "new")
                throw Stop()
            }
        }
        #expect(traveler.value == Traveler(id: 1) && !traveler.isDeleted && !traveler.hasChanges)
        #expect(!traveler.isDraft && store.live.unsavedCount == 0)
    }

    @Test func aCreationAfterADelete_isUndoneWithIt() throws {
        #expect(throws: Stop.self) {
            try store.write { context in
                try traveler.delete(in: context)
                try Traveler.create(Traveler(id: 1, name: "new"), in: context).save(in: context)
                traveler.age = 5
                try traveler.save(in: context)
                throw Stop()
            }
        }
        #expect(traveler.value == Traveler(id: 1) && !traveler.isDeleted && !traveler.hasChanges)
        try store.write { context in
            try traveler.delete(in: context)
            try? context.nested { context in
                _ = try Traveler.create(Traveler(id: 1, name: "new"), in: context)
                throw Stop()
            }
            #expect(traveler.isDeleted)
        }
        #expect(traveler.isDeleted && traveler.value == Traveler(id: 1))
        #expect(try store.stored(1) == nil)
    }

    @Test func aDraft_survivesACreationThatIsUndone() throws {
        let draft = Traveler.draft(Traveler(id: 2, name: "typed"), in: store)
        #expect(throws: Stop.self) {
            try store.write { context in
                _ = try Traveler.create(Traveler(id: 2, name: "other"), in: context)
                throw Stop()
            }
        }
        #expect(draft.value == Traveler(id: 2, name: "typed") && draft.isDraft && !draft.isDeleted)
        #expect(store.live.unsavedCount == 1)
        try draft.save()
        #expect(try store.stored(2) == Traveler(id: 2, name: "typed"))
    }

    // MARK: Relations

    @Test func anEditWithinAnEdit_keepsItsRelations() throws {
        let store = try Store.temporary(records: [Fleet.self, Vessel.self])
        try store.insert(Vessel(id: 1))
        let fleet = try Fleet.create(Fleet(id: 1, name: "a"), in: store)
        fleet.change { copy in
            fleet.change { $0.$vessels = .ids([1]) }
            copy.name = "b"
        }
        try fleet.save()
        let stored = try store.read { try Fleet.query(1).with(\.$vessels).resolve(in: $0) }
        #expect(stored?.name == "b" && stored?.vessels?.map(\.id) == [1])
    }
}

@EntityModel
private struct Fleet {
    let id: Int
    var name: String
    @Relationship(inverse: \.fleet) var vessels: [Vessel]?
}

@EntityModel
private struct Vessel {
    let id: Int
    @Relationship(inverse: \.vessels) var fleet: Fleet?
}
