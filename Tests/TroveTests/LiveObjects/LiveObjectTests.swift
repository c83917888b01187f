// Live objects: one for each record, with edits that are seen at once and stored by saves.

import Testing
import TroveTestSupport

@testable import Trove

@Suite("Live objects", .hangLimit) struct LiveObjectTests {
    private let store: Store

    init() throws { store = try Store.live() }

    // MARK: One object a record

    @Test func everyWayToGetARecord_givesTheSameObject() throws {
        let traveler = try Traveler.create(Traveler(id: 1), in: store)
        #expect(try Traveler.live(1, in: store) === traveler)
        #expect(try Traveler.live([2, 1], in: store).first === traveler)
        #expect(try Traveler.filter(\.age == 30).live(in: store).first === traveler)
        #expect(try Traveler.live(1, in: store) { Traveler(id: 1, name: "other") } === traveler)
        #expect(store.live.objects(Traveler.self) == [traveler])
        #expect(traveler.id == 1 && traveler.key == 1 && traveler.store === store)
        #expect(try Traveler.live(2, in: store) == nil)
    }

    @Test func twoStoresOfAFile_shareTheirObjects() throws {
        let directory = try TemporaryDirectory()
        let (first, second) = (try Store(path: directory.path("a")), try Store(path: directory.path("a")))
        let other = try Store(path: directory.path("b"))
        let traveler = try Traveler.create(Traveler(id: 1), in: first)
        #expect(try Traveler.live(1, in: second) === traveler)
        try other.write(Traveler(id: 1))
        let twin = try #require(try Traveler.live(1, in: other))
        #expect(twin !== traveler)
        #expect(twin.store === other)
    }

    @Test func getOrMake_makesOnce() throws {
        let traveler = try Traveler.live(3, in: store) { Traveler(id: 3, name: "Zorg") }
        #expect(try store.stored(3)?.name == "Zorg")
        #expect(try Traveler.live(3, in: store) { throw Stop() } === traveler)
        #expect(throws: StoreError.self) { try Traveler.live(4, in: store) { Traveler(id: 5) } }
        #expect(throws: Stop.self) { try Traveler.live(4, in: store) { throw Stop() } }
    }

    @Test func creatingAStoredKey_throws() throws {
        try store.write(Traveler(id: 1, name: "first"))
        #expect(throws: StoreError.record(.keyExists(type: "Traveler", key: StoredKey(1, of: Traveler.self)))) {
            try Traveler.create(Traveler(id: 1), in: store)
        }
        #expect(try store.stored(1)?.name == "first")
    }

    // MARK: Edits

    @Test func anEdit_isSeenAtOnce_andStoredByASave() throws {
        let traveler = try Traveler.create(Traveler(id: 1), in: store)
        traveler.name = "Dallas"
        traveler.age += 1
        traveler.quarters.city = "New York"
        let same = try #require(try Traveler.live(1, in: store))
        #expect(same.name == "Dallas" && same.age == 31 && same.quarters.city == "New York")
        #expect(traveler.hasChanges)
        #expect(try store.stored(1)?.name == "Ruby")
        try traveler.save()
        #expect(!traveler.hasChanges)
        #expect(try store.stored(1) == traveler.value)
    }

    @Test func anEditBack_leavesNoChange() throws {
        let traveler = try Traveler.create(Traveler(id: 1), in: store)
        let copy = traveler.value
        traveler.name = "Dallas"
        #expect(store.live.unsavedCount == 1)
        traveler.name = "Ruby"
        #expect(!traveler.hasChanges)
        #expect(store.live.unsavedCount == 0)
        traveler.change { $0.age = 5 }
        traveler.value = copy
        #expect(!traveler.hasChanges)
    }

    @Test func equalValues_writeNothing() throws {
        let traveler = try Traveler.create(Traveler(id: 1), in: store)
        let commits = try store.commitSequence
        traveler.name = "Ruby"
        traveler.value = traveler.value
        try traveler.save()
        try store.live.saveAllChanges()
        try Traveler.saveChanges(in: store)
        traveler.didChange()
        try traveler.save()
        #expect(try store.commitSequence == commits)
        traveler.name = "Dallas"
        try traveler.save(resolving: .mine)
        try traveler.save(resolving: .mine)
        #expect(try store.commitSequence == commits + 1)
    }

    @Test func aChangeThatThrows_changesNothing() throws {
        let traveler = try Traveler.create(Traveler(id: 1), in: store)
        #expect(throws: Stop.self) {
            try traveler.change { traveler in
                traveler.name = "Dallas"
                throw Stop()
            }
        }
        #expect(traveler.name == "Ruby" && !traveler.hasChanges)
        #expect(
            traveler.change {
                $0.age += 1; return $0.age
            } == 31)
    }

    @Test func revert_showsWhatIsStored() throws {
        let traveler = try Traveler.create(Traveler(id: 1), in: store)
        traveler.change {
            $0.name = "Dallas"; $0.notes = ["x"]
        }
        traveler.revert()
        #expect(traveler.value == Traveler(id: 1) && !traveler.hasChanges)
        #expect(store.live.unsavedCount == 0)
    }

    @Test func anotherKey_isRefused() throws {
        let movable = try Movable.create(Movable(id: 1, name: "a"), in: store)
        movable.change { $0.id = 2 }
        #expect(movable.hasChanges)
        let key = StoredKey(1, of: Movable.self)
        #expect(throws: StoreError.record(.keyChanged(type: "Movable", key: key))) { try movable.save() }
        #expect(throws: StoreError.record(.keyChanged(type: "Movable", key: key))) { try store.live.saveAllChanges() }
        movable.revert()
        #expect(!movable.hasChanges && movable.value.id == 1)
    }

    // MARK: Drafts

    @Test func aDraft_isStoredByASave() throws {
        let draft = Traveler.draft(Traveler(id: 1), in: store)
        #expect(draft.isDraft && draft.hasChanges && !draft.isDeleted)
        #expect(try Traveler.live(1, in: store) === draft)
        draft.name = "Zorg"
        try Traveler.saveChanges(in: store)
        #expect(!draft.isDraft && !draft.hasChanges)
        #expect(try store.stored(1)?.name == "Zorg")
    }

    @Test func aRevertedDraft_isGone() throws {
        let commits = try store.commitSequence
        let draft = Traveler.draft(Traveler(id: 1), in: store)
        draft.revert()
        #expect(draft.isDeleted && !draft.isDraft && !draft.hasChanges)
        try store.live.saveAllChanges()
        #expect(try store.stored(1) == nil)
        #expect(try Traveler.live(1, in: store) == nil)
        let again = Traveler.draft(Traveler(id: 1, name: "Again"), in: store)
        try again.delete()
        #expect(again.isDeleted)
        #expect(try store.commitSequence == commits)
    }

    @Test func aDraftOfAStoredKey_needsARule() throws {
        try store.write(Traveler(id: 1, name: "stored"))
        let draft = Traveler.draft(Traveler(id: 1, name: "draft"), in: store)
        let key = StoredKey(1, of: Traveler.self)
        #expect(throws: StoreError.record(.keyExists(type: "Traveler", key: key))) { try draft.save() }
        #expect(throws: StoreError.record(.keyExists(type: "Traveler", key: key))) { try draft.save(resolving: .throw) }
        #expect(draft.isDraft && draft.name == "draft")
        try draft.save(resolving: .theirs)
        #expect(draft.name == "stored" && !draft.isDraft && !draft.hasChanges)
        let second = Traveler.draft(Traveler(id: 1, name: "second"), in: store)
        #expect(second === draft && draft.isDraft)
        draft.revert()
        #expect(draft.name == "stored" && !draft.isDraft && !draft.isDeleted)
        let third = Traveler.draft(Traveler(id: 1, name: "third"), in: store)
        try third.save(resolving: .mine)
        #expect(try store.stored(1)?.name == "third")
    }

    @Test func unsavedObjects_areKeptAlive() throws {
        try store.write(Traveler(id: 1))
        do {
            _ = Traveler.draft(Traveler(id: 2), in: store)
            let traveler = try #require(try Traveler.live(1, in: store))
            traveler.name = "edited"
        }
        for id in 100..<400 { _ = try Traveler.create(Traveler(id: id), in: store) }
        #expect(try Traveler.live(1, in: store)?.name == "edited")
        try store.live.saveAllChanges()
        #expect(try store.stored(1)?.name == "edited")
        #expect(try store.stored(2) != nil)
    }

    // MARK: Saving several

    @Test func saveAllChanges_isOneCommit_allOrNone() throws {
        let travelers = try (0..<10).map { try Traveler.create(Traveler(id: $0), in: store) }
        let sailor = try Sailor.create(Sailor(id: 1, email: "a"), in: store)
        let other = try Sailor.create(Sailor(id: 2, email: "b"), in: store)
        let commits = try store.commitSequence
        for traveler in travelers { traveler.age += 1 }
        sailor.email = "b"
        #expect(throws: StoreError.self) { try store.live.saveAllChanges() }
        #expect(try store.commitSequence == commits)
        #expect(store.live.unsavedCount == 11)
        other.email = "a"
        try store.live.saveAllChanges()
        #expect(try store.commitSequence == commits + 1)
        #expect(try store.get(Sailor.self, key: 1)?.email == "b")
        #expect(store.live.unsavedCount == 0)
    }

    @Test func aSaveThatFails_keepsTheEdits() throws {
        _ = try Sailor.create(Sailor(id: 1, email: "a"), in: store)
        let sailor = try Sailor.create(Sailor(id: 2, email: "b"), in: store)
        sailor.email = "a"
        #expect(throws: StoreError.self) { try sailor.save() }
        #expect(sailor.email == "a" && sailor.hasChanges)
        sailor.email = "c"
        try sailor.save()
        #expect(try store.get(Sailor.self, key: 2)?.email == "c")
        let draft = Sailor.draft(Sailor(id: 3, email: "a"), in: store)
        #expect(throws: StoreError.self) { try draft.save() }
        #expect(draft.isDraft && !draft.isDeleted && draft.hasChanges)
    }

    @Test func asyncForms_doTheSame() async throws {
        let traveler = try await Traveler.create(Traveler(id: 1), in: store)
        traveler.name = "Dallas"
        try await traveler.save()
        #expect(try await store.get(Traveler.self, key: 1)?.name == "Dallas")
        traveler.age = 1
        try await Traveler.saveChanges(in: store)
        traveler.age = 2
        try await store.live.saveAllChanges()
        #expect(try await store.get(Traveler.self, key: 1)?.age == 2)
        let made = try await Traveler.live(2, in: store) { Traveler(id: 2) }
        try await made.delete()
        #expect(made.isDeleted)
        #expect(try await store.get(Traveler.self, key: 2) == nil)
    }

    // MARK: Following commits

    @Test func otherWrites_areFollowed() throws {
        let traveler = try Traveler.create(Traveler(id: 1), in: store)
        try store.write(Traveler(id: 1, name: "Leeloo"))
        try store.live.refresh()
        #expect(traveler.name == "Leeloo" && !traveler.hasChanges)
        _ = try Traveler.query().delete(in: store)
        try store.live.refresh()
        #expect(traveler.isDeleted && traveler.name == "Leeloo")
        try store.write(Traveler(id: 1, name: "back"))
        try store.live.refresh()
        #expect(!traveler.isDeleted && traveler.name == "back")
    }

    @Test func aRefresh_readsAtOnce() throws {
        let traveler = try Traveler.create(Traveler(id: 1), in: store)
        try store.write(Traveler(id: 1, name: "Leeloo"))
        try traveler.refresh()
        #expect(traveler.name == "Leeloo")
        try store.delete(Traveler.self, key: 1)
        try traveler.refresh()
        #expect(traveler.isDeleted)
    }

    @Test func live_showsEveryEarlierCommit() throws {
        let traveler = try Traveler.create(Traveler(id: 1), in: store)
        for age in 0..<200 {
            try store.write(Traveler(id: 1, age: age))
            #expect(try Traveler.live(1, in: store)?.age == age)
        }
        #expect(traveler.age == 199)
    }

    @Test func aDeletedObject_isStoredAgainByMine() throws {
        let traveler = try Traveler.create(Traveler(id: 1), in: store)
        try traveler.delete()
        #expect(traveler.isDeleted && !traveler.hasChanges && traveler.name == "Ruby")
        #expect(try Traveler.live(1, in: store) == nil)
        #expect(throws: StoreError.live(.recordGone(type: "Traveler", key: StoredKey(1, of: Traveler.self)))) {
            try traveler.save()
        }
        try traveler.save(resolving: .mine)
        #expect(!traveler.isDeleted)
        #expect(try store.stored(1) == Traveler(id: 1))
    }
}
