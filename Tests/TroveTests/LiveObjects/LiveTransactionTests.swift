// Live objects in transactions that are undone, and commits that fail.

import Testing
import TroveTestSupport

@testable import Trove

@Suite("Live objects in transactions", .hangLimit) struct LiveTransactionTests {
    private let store: Store

    init() throws { store = try Store.live() }

    @Test func aClosureThatThrows_showsWhatIsStored() throws {
        let traveler = try Traveler.create(Traveler(id: 1), in: store)
        let deleted = try Traveler.create(Traveler(id: 2), in: store)
        let draft = Traveler.draft(Traveler(id: 3), in: store)
        var created: Live<Traveler>?
        #expect(throws: Stop.self) {
            try store.write { context in
                traveler.age = 5
                try traveler.save(in: context)
                traveler.name = "later"
                deleted.name = "edited"
                try deleted.delete(in: context)
                try draft.save(in: context)
                created = try Traveler.create(Traveler(id: 4), in: context)
                #expect(traveler.age == 5 && deleted.isDeleted)
                #expect(try context.get(Traveler.self, key: 1)?.age == 5)
                throw Stop()
            }
        }
        #expect(traveler.value == Traveler(id: 1) && !traveler.hasChanges)
        #expect(deleted.value == Traveler(id: 2) && !deleted.isDeleted && !deleted.hasChanges)
        #expect(draft.isDeleted && !draft.isDraft && !draft.hasChanges)
        #expect(created?.isDeleted == true && created?.hasChanges == false)
        #expect(store.live.unsavedCount == 0)
        #expect(try Traveler.live(4, in: store) == nil)
        #expect(try Traveler.query().count(in: store) == 2)
    }

    @Test func aCommit_keepsAll() throws {
        let traveler = try Traveler.create(Traveler(id: 1), in: store)
        let draft = Traveler.draft(Traveler(id: 3), in: store)
        var created: Live<Traveler>?
        try store.write { context in
            traveler.age = 5
            try traveler.save(in: context)
            traveler.age = 6
            try traveler.save(in: context)
            try draft.save(in: context)
            draft.age = 7
            try draft.save(in: context)
            created = try Traveler.create(Traveler(id: 4), in: context)
            created?.name = "created"
            try created?.save(in: context)
        }
        #expect(traveler.age == 6 && draft.age == 7 && created?.name == "created")
        for object in [traveler, draft, created] {
            #expect(object?.hasChanges == false && object?.isDraft == false && object?.isDeleted == false)
            #expect(try object?.value == store.stored(object?.key ?? 0))
        }
        #expect(store.live.unsavedCount == 0)
        #expect(try Traveler.live(4, in: store) === created)
    }

    @Test func aNestedTransaction_isUndoneAlone() throws {
        let traveler = try Traveler.create(Traveler(id: 1), in: store)
        let other = try Traveler.create(Traveler(id: 2), in: store)
        try store.write { context in
            traveler.age = 1
            try traveler.save(in: context)
            try? context.nested { context in
                traveler.name = "inner"
                other.name = "inner"
                try traveler.save(in: context)
                try other.save(in: context)
                throw Stop()
            }
            #expect(traveler.value == Traveler(id: 1, age: 1))
            #expect(other.value == Traveler(id: 2))
            try context.nested { context in
                other.age = 2
                try other.save(in: context)
            }
        }
        #expect(try store.stored(1) == Traveler(id: 1, age: 1))
        #expect(try store.stored(2) == Traveler(id: 2, age: 2))
        #expect(traveler.value == Traveler(id: 1, age: 1) && other.value == Traveler(id: 2, age: 2))
        #expect(store.live.unsavedCount == 0)
    }

    @Test func anOuterThrow_undoesWhatANestedTransactionKept() throws {
        let traveler = try Traveler.create(Traveler(id: 1), in: store)
        #expect(throws: Stop.self) {
            try store.write { context in
                try context.nested { context in
                    traveler.age = 1
                    try traveler.save(in: context)
                }
                throw Stop()
            }
        }
        #expect(traveler.value == Traveler(id: 1) && !traveler.hasChanges)
    }

    @Test func writesOfAGroup_areUndoneAlone() async throws {
        let store = store
        let travelers = try await store.write { context in
            try (0..<40).map { try Traveler.create(Traveler(id: $0), in: context) }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for traveler in travelers {
                group.addTask {
                    do {
                        try await store.write { context in
                            traveler.age = 1000 + traveler.key
                            try traveler.save(in: context)
                            if traveler.key % 3 == 0 { throw Stop() }
                        }
                    } catch is Stop {}
                }
            }
            try await group.waitForAll()
        }
        for traveler in travelers {
            let expected = Traveler(id: traveler.key, age: traveler.key % 3 == 0 ? 30 : 1000 + traveler.key)
            #expect(traveler.value == expected && !traveler.hasChanges)
            #expect(try await store.get(Traveler.self, key: traveler.key) == expected)
        }
        #expect(store.live.unsavedCount == 0)
    }

    @Test func aNestedThrow_keepsWhatTheOuterTransactionHasSaved() throws {
        let draft = Traveler.draft(Traveler(id: 1), in: store)
        let stored = try Traveler.create(Traveler(id: 2), in: store)
        try store.write { context in
            let created = try Traveler.create(Traveler(id: 3), in: context)
            let objects = [draft, stored, created]
            stored.age = 1
            for object in [draft, stored] { try object.save(in: context) }
            let before = objects.map(\.value)
            try? context.nested { context in
                for object in objects {
                    object.name = "inner"
                    try object.save(in: context)
                }
                throw Stop()
            }
            #expect(objects.map(\.value) == before)
            #expect(objects.allSatisfy { !$0.isDeleted && !$0.hasChanges })
        }
        for (id, age) in [(1, 30), (2, 1), (3, 30)] {
            let object = try #require(try Traveler.live(id, in: store))
            #expect(object.value == Traveler(id: id, age: age) && !object.isDraft && !object.hasChanges)
            #expect(try store.stored(id) == object.value)
        }
    }

    @Test func aRevertInATransaction_showsWhatItHasSaved() throws {
        let draft = Traveler.draft(Traveler(id: 1), in: store)
        let stored = try Traveler.create(Traveler(id: 2), in: store)
        try store.write { context in
            stored.age = 1
            for object in [draft, stored] {
                try object.save(in: context)
                object.name = "later"
                object.revert()
                #expect(object.name == "Ruby" && !object.isDeleted && !object.hasChanges)
            }
        }
        #expect(draft.value == Traveler(id: 1) && !draft.isDeleted && !draft.isDraft && !draft.hasChanges)
        #expect(stored.value == Traveler(id: 2, age: 1) && !stored.hasChanges)
    }

    /// A save that finds nothing to do, because another thread has stored it in a transaction that is not committed,
    /// waits for the commit.
    @Test func aSaveBesideATransaction_waitsForItsCommit() throws {
        let (store, traveler) = (store, try Traveler.create(Traveler(id: 1), in: store))
        var threads: [RunningThread<Int?>] = []
        try store.write { context in
            traveler.age = 5
            try traveler.save(in: context)
            #expect(!traveler.hasChanges && store.live.unsavedCount == 1)
            threads = [
                RunningThread {
                    try traveler.save()
                    return try store.stored(1)?.age
                },
                RunningThread {
                    try store.live.saveAllChanges()
                    return try store.stored(1)?.age
                },
            ]
        }
        for thread in threads { #expect(try thread.value() == 5) }
        #expect(store.live.unsavedCount == 0)
    }

    /// Deliveries wait for this function.
    @Test @MainActor func live_showsAWriteAfterASaveOfTheSameTransaction() throws {
        store.live.delivery = MainActor.shared
        let traveler = try Traveler.create(Traveler(id: 1), in: store)
        try store.write { context in
            traveler.age = 5
            try traveler.save(in: context)
            try context.insert(Traveler(id: 1, name: "after", age: 5))
        }
        #expect(try Traveler.live(1, in: store)?.name == "after")
    }

    @Test func createdAndDeletedInOneTransaction_isDeleted() throws {
        var created: Live<Traveler>?
        try store.write { context in
            created = try Traveler.create(Traveler(id: 1), in: context)
            try created?.delete(in: context)
        }
        #expect(created?.isDeleted == true && created?.isDraft == false && created?.hasChanges == false)
        #expect(try store.stored(1) == nil)
    }

    @Test func aCancelledWrite_keepsWhatASaveWasFor() async throws {
        let store = store
        let traveler = try await Traveler.create(Traveler(id: 1), in: store)
        traveler.age = 5
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            try await traveler.save()
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(traveler.age == 5 && traveler.hasChanges)
        try await traveler.save()
        #expect(try await store.get(Traveler.self, key: 1)?.age == 5)
    }

    @Test(.enabled(if: SmallDisk.isAvailable)) func aCommitThatFails_keepsTheEdits() throws {
        let disk = try SmallDisk(megabytes: 2)
        let store = try Store(path: disk.path("store"))
        let traveler = try Traveler.create(Traveler(id: 1), in: store)
        var created: Live<Traveler>?
        #expect(throws: StoreError.self) {
            try store.write { context in
                traveler.age = 5
                try traveler.save(in: context)
                created = try Traveler.create(Traveler(id: 3), in: context)
                let note = String(repeating: "x", count: 4_000_000)
                try context.insert(Traveler(id: 2, name: note))
            }
        }
        #expect(traveler.age == 5 && traveler.hasChanges)
        #expect(created?.isDraft == true && created?.hasChanges == true)
        try store.live.saveAllChanges()
        #expect(try store.stored(1)?.age == 5)
        #expect(try store.stored(3) != nil)
    }

    @Test(.enabled(if: SmallDisk.isAvailable)) func aCommitThatFails_bringsADeletedObjectBack() throws {
        let disk = try SmallDisk(megabytes: 2)
        let store = try Store(path: disk.path("store"))
        let travelers = try (1...2).map { try Traveler.create(Traveler(id: $0), in: store) }
        #expect(throws: StoreError.self) {
            try store.write { context in
                for traveler in travelers { try traveler.delete(in: context) }
                try travelers[1].save(resolving: .mine, in: context)
                #expect(travelers.map(\.isDeleted) == [true, false])
                try context.insert(Traveler(id: 3, name: String(repeating: "x", count: 4_000_000)))
            }
        }
        #expect(travelers.allSatisfy { !$0.isDeleted && !$0.hasChanges })
        #expect(store.live.unsavedCount == 0)
    }

    @Test func aReadOnlyStore_followsAndRefuses() throws {
        let directory = try TemporaryDirectory()
        let writer = try Store(path: directory.path("store"))
        try writer.write(Traveler(id: 1))
        let reader = try Store(path: directory.path("store"), options: StoreOptions(isReadOnly: true))
        let traveler = try #require(try Traveler.live(1, in: reader))
        traveler.age = 1
        #expect(throws: StoreError.transaction(.readOnly(path: reader.path))) { try traveler.save() }
        #expect(traveler.hasChanges)
        try writer.write(Traveler(id: 1, name: "other"))
        try reader.live.refresh()
        #expect(traveler.name == "other" && traveler.age == 1)
        traveler.revert()
    }
}
