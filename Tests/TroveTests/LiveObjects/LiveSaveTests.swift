// Several saves of an object in a transaction, and records created in the place of others.

import LMDB
import Testing
import TroveCoding
import TroveTestSupport

@testable import Trove

/// A record whose key follows another property.
@IndexKeyRecord("slug")
private struct SluggedPage: Equatable {
    var slug: String
    var title: String { didSet { slug = title.lowercased() } }
}

/// A number that counts its encodings.
private struct Counted: RecordValue {
    static let encodings = Monitor(0)

    var number: Int

    init(_ number: Int) { self.number = number }

    static func describe(in layout: inout LayoutBuilder) { Int.describe(in: &layout) }

    var encodedSize: Int { number.encodedSize }

    func encode(into writer: inout ValueWriter) {
        Self.encodings.withLock { $0 += 1 }
        number.encode(into: &writer)
    }

    init(decoding reader: inout ValueReader) throws(CodingError) { number = try Int(decoding: &reader) }
}

@IndexKeyRecord("id")
private struct Meter {
    let id: Int
    var counted: Counted
}

@Suite("Repeated saves of live objects", .hangLimit) struct LiveSaveTests {
    private let store: Store
    private let traveler: Live<Traveler>

    init() throws {
        store = try Store.live()
        traveler = try Traveler.create(Traveler(id: 1), in: store)
    }

    // MARK: Saves

    /// The edit has encoded the record, to compare it.
    @Test func aSave_storesTheEncodedEdit() throws {
        let meter = try Meter.create(Meter(id: 1, counted: Counted(1)), in: store)
        meter.counted = Counted(2)
        let encodings = try store.write { context in
            let before = Counted.encodings.withLock { $0 }
            try meter.save(in: context)
            return Counted.encodings.withLock { $0 } - before
        }
        #expect(encodings == 0)
        #expect(try store.get(Meter.self, key: 1)?.counted.number == 2)
    }

    @Test func aKeyThatFollowsAProperty_isNotChanged() throws {
        let page = try SluggedPage.create(SluggedPage(slug: "a", title: "A"), in: store)
        try store.insert(SluggedPage(slug: "b", title: "other"))
        page.title = "B"
        #expect { try page.save() } throws: { error in
            if case StoreError.record(.keyChanged) = error { true } else { false }
        }
        let stored = try SluggedPage.query().resolve(in: store)
        #expect(stored == [SluggedPage(slug: "a", title: "A"), SluggedPage(slug: "b", title: "other")])
    }

    /// Objects to save are listed before the turn of the transaction.
    @Test func objectsWithoutChanges_doNotKeepOthersFromBeingSaved() throws {
        let others = try (2...5).map { try Traveler.create(Traveler(id: $0), in: store) }
        let draft = Traveler.draft(Traveler(id: 6), in: store)
        for other in others { other.name = "edited" }
        let listed = store.live.shared.pending.objects
        #expect(listed.count == 5)
        try others[0].delete()
        others[1].revert()
        try others[2].save()
        draft.revert()
        try store.live.save(listed)
        #expect(try store.stored(2) == nil)
        #expect(try store.stored(3) == Traveler(id: 3))
        #expect(try store.stored(5) == Traveler(id: 5, name: "edited"))
        #expect(store.live.unsavedCount == 0)
    }

    /// The rounds cannot deliver to the main actor meanwhile: the object shows the other commit by the save alone.
    @MainActor @Test func afterASaveThatWritesNothing_noOlderStateFollows() throws {
        store.live.delivery = MainActor.shared
        try store.write(Traveler(id: 1, name: "theirs"))
        traveler.name = "mine"
        try traveler.save(resolving: .theirs)
        #expect(traveler.name == "theirs" && !traveler.hasChanges)
        #expect(try traveler.version.state.snapshot == store.environment.lastTransaction)
    }

    @Test func aDraftInPlaceOfARecord_isDeletedAlone() throws {
        let draft = Traveler.draft(Traveler(id: 1, name: "draft"), in: store)
        #expect(draft === traveler)
        try draft.delete()
        #expect(!draft.isDeleted && !draft.hasChanges && draft.name == "Ruby")
        #expect(try store.stored(1) == Traveler(id: 1))
    }

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
            try traveler.save(resolving: .theirs, in: context)
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
                try traveler.save(resolving: .theirs, in: context)
                #expect(traveler.isDeleted)
                throw Stop()
            }
        }
        #expect(traveler.value == Traveler(id: 1) && !traveler.isDeleted && !traveler.hasChanges)
        traveler.name = "edited"
        try store.write { context in
            try context.delete(Traveler.self, key: 1)
            try traveler.save(resolving: .theirs, in: context)
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
