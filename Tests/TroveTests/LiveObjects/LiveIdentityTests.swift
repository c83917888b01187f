// The identity map under threads: at no time two objects of a key, and nothing left in the end.

import LMDB
import Testing
import TroveTestSupport

@testable import Trove

@Suite("The identity of live objects", .hangLimit) struct LiveIdentityTests {
    @Test func threads_neverSeeTwoObjectsOfAKey() throws {
        let store = try Store.live(StoreOptions(keptLiveObjects: 3))
        try store.insert(contentsOf: (0..<20).map { Traveler(id: $0) })
        let seen = Monitor<[Int: [ObjectIdentifier: Int]]>([:])
        let threads = (0..<4).map { number in
            RunningThread {
                var generator = SeededGenerator(seed: UInt64(number))
                for _ in 0..<3000 {
                    let id = Int.random(in: 0..<20, using: &generator)
                    guard let traveler = try Traveler.live(id, in: store) else { throw Stop() }
                    // The object is counted while it is held: so no other of its key may be counted meanwhile.
                    let others = seen.withLock { seen in
                        seen[id, default: [:]][ObjectIdentifier(traveler), default: 0] += 1
                        return seen[id]?.count ?? 0
                    }
                    #expect(others == 1)
                    if generator.next() % 4 == 0 { traveler.change { $0.age += 1 } }
                    if generator.next() % 8 == 0 { try traveler.save() }
                    seen.withLock { seen in
                        let identity = ObjectIdentifier(traveler)
                        let count = (seen[id]?[identity] ?? 0) - 1
                        seen[id]?[identity] = count == 0 ? nil : count
                    }
                }
            }
        }
        for thread in threads { try thread.value() }
        try store.live.saveAllChanges()
        store.live.shared.kept.removeAll()
        try store.live.refresh()
        #expect(store.live.shared.map.count == 0)
        #expect(store.live.unsavedCount == 0)
    }

    /// A thread has put an object of an older snapshot into the map, and has not yet looked for rounds since.
    @Test func anObjectThatRoundsHaveMissed_isNotUpToDate() throws {
        let store = try Store.live()
        try store.insert(contentsOf: (1...2).map { Traveler(id: $0) })
        let observed = try #require(try Traveler.live(2, in: store))
        let found = try FoundRecord(Traveler(id: 1))
        let number = try store.read { $0.core.identifier }
        try store.insert(Traveler(id: 1, name: "newer"))
        try store.live.refresh()
        let (object, isNew) = store.liveHome.object(1) { LiveState(found, at: number) }
        #expect(isNew && object.name == "Ruby")
        let last = try store.environment.lastTransaction
        let row = store.liveHome.object(ofRow: Traveler(id: 1, name: "newer"), at: last)
        #expect(row === object && object.name == "newer")
        #expect(try Traveler.live(1, in: store) === object)
        withExtendedLifetime(observed) {}
    }

    @Test func whatATransactionHasCreated_isNotThere_beforeItsCommit() throws {
        let store = try Store.live()
        let created = try store.write { context in
            let created = try Traveler.create(Traveler(id: 1), in: context)
            let thread = RunningThread { try Traveler.live(1, in: store) == nil }
            #expect(try thread.value())
            return created
        }
        #expect(try Traveler.live(1, in: store) === created)
        let draft = Traveler.draft(Traveler(id: 2), in: store)
        #expect(try Traveler.live(2, in: store) === draft)
    }

    /// So many changes are noted as a change of any record: a round reads all objects of the type in its snapshot.
    @Test func manyObjects_followOneCommit_andAreSavedAtOnce() throws {
        let count = 2_000
        let store = try Store.live()
        try store.insert(contentsOf: (0..<count).map { Sailor(id: $0, email: "\($0)") })
        let sailors = try Sailor.live(0..<count, in: store)
        try store.insert(contentsOf: (0..<count).map { Sailor(id: $0, email: "new \($0)") })
        try store.live.refresh()
        #expect(sailors.allSatisfy { $0.email == "new \($0.key)" && !$0.hasChanges })
        for sailor in sailors { sailor.email = "edited \(sailor.key)" }
        let before = try store.commitSequence
        #expect(store.live.unsavedCount == count)
        try store.live.saveAllChanges()
        #expect(try store.commitSequence == before + 1)
        #expect(store.live.unsavedCount == 0 && sailors.allSatisfy { !$0.hasChanges })
        let stored = try Sailor.query().resolve(in: store)
        #expect(stored == (0..<count).map { Sailor(id: $0, email: "edited \($0)") })
    }

    @Test func theLastObjects_areKept() throws {
        let store = try Store.live(StoreOptions(keptLiveObjects: 8))
        try store.insert(contentsOf: (0..<100).map { Traveler(id: $0) })
        for id in 0..<100 { _ = try Traveler.live(id, in: store) }
        try store.live.refresh()
        let kept = store.live.objects(Traveler.self).map(\.key).sorted()
        #expect(kept == Array(92..<100))
    }

    @Test func theOldestKeptObject_isReleasedFirst() throws {
        let store = try Store.live(StoreOptions(keptLiveObjects: 4))
        try store.insert(contentsOf: (0..<8).map { Traveler(id: $0) })
        func kept(after ids: Range<Int>) throws -> [Int] {
            for id in ids { _ = try Traveler.live(id, in: store) }
            try store.live.refresh()
            return store.live.objects(Traveler.self).map(\.key).sorted()
        }
        #expect(try kept(after: 0..<5) == [1, 2, 3, 4])
        store.live.shared.kept.removeAll()
        #expect(try kept(after: 0..<4) == [0, 1, 2, 3])
        #expect(try kept(after: 4..<6) == [2, 3, 4, 5])
    }

    @Test func withoutKeeping_objectsGoAtOnce() throws {
        let store = try Store.live(StoreOptions(keptLiveObjects: 0))
        try store.write(Traveler(id: 1))
        _ = try Traveler.live(1, in: store)
        try store.live.refresh()
        #expect(store.live.objects(Traveler.self).isEmpty)
    }

    private struct Weak { weak var object: AnyObject? }

    @Test func aReleasedStore_isClosed_withKeptObjects() async throws {
        let directory = try TemporaryDirectory()
        var store: Store? = try await Store(path: directory.path("store"))
        let environment = Weak(object: store?.environment)
        if let store {
            let traveler = try await Traveler.create(Traveler(id: 1), in: store)
            traveler.age = 5
            try await traveler.save()
            await store.live.settle()
        }
        #expect(environment.object != nil)
        store = nil
        // A round may be ending on its queue.
        for _ in 0..<100_000 where environment.object != nil { await Task.yield() }
        #expect(environment.object == nil)
    }

    /// With the program's store, the reuse of objects ends: a kept object would keep the store open for ever.
    @Test func aReleasedStore_isClosed_afterTheLastObject() async throws {
        let directory = try TemporaryDirectory()
        var store: Store? = try await Store(path: directory.path("store"))
        let environment = Weak(object: store?.environment)
        var traveler = store.map { Traveler.draft(Traveler(id: 1), in: $0) }
        try await traveler?.save()
        await store?.live.settle()
        store = nil
        if let other = traveler?.store {
            #expect(try Traveler.live(1, in: other) === traveler)
            try await Traveler.create(Traveler(id: 2), in: other).delete()
            await other.live.settle()
            #expect(try Traveler.live(1, in: other) === traveler)
        }
        #expect(environment.object != nil)
        traveler = nil
        for _ in 0..<100_000 where environment.object != nil { await Task.yield() }
        #expect(environment.object == nil)
    }

    @Test func anObject_keepsItsStoreOpen() throws {
        let directory = try TemporaryDirectory()
        var store: Store? = try Store(path: directory.path("store"))
        let traveler = try store.map { try Traveler.create(Traveler(id: 1), in: $0) }
        store = nil
        traveler?.age = 5
        try traveler?.save()
        #expect(traveler?.hasChanges == false)
        #expect(try traveler.map { try $0.store.stored(1)?.age } == 5)
    }

    /// An edit is not lost because the program has released the object and the store.
    @Test func anUnsavedEdit_keepsAReleasedStoreOpen() async throws {
        let directory = try TemporaryDirectory()
        var store: Store? = try await Store(path: directory.path("store"))
        let environment = Weak(object: store?.environment)
        if let store {
            let traveler = try await Traveler.create(Traveler(id: 1), in: store)
            traveler.age = 5
        }
        store = nil
        #expect(environment.object != nil)
        var again: Store? = try await Store(path: directory.path("store"))
        if let again {
            #expect(again.live.unsavedCount == 1)
            #expect(try Traveler.live(1, in: again)?.age == 5)
            try await again.live.saveAllChanges()
            #expect(try await again.get(Traveler.self, key: 1)?.age == 5)
            await again.live.settle()
        }
        again = nil
        for _ in 0..<100_000 where environment.object != nil { await Task.yield() }
        #expect(environment.object == nil)
    }

    @Test func aClosedStore_throws() throws {
        let directory = try TemporaryDirectory()
        let store = try Store(path: directory.path("store"))
        let traveler = try Traveler.create(Traveler(id: 1), in: store)
        traveler.age = 5
        try store.close()
        #expect(throws: StoreError.transaction(.closed(path: store.path))) { try traveler.save() }
        #expect(throws: StoreError.transaction(.closed(path: store.path))) { try traveler.refresh() }
        #expect(throws: StoreError.transaction(.closed(path: store.path))) { try Traveler.live(2, in: store) }
        #expect(traveler.age == 5 && traveler.hasChanges)
        traveler.revert()
    }

    @Test func objectsOfAnOpenStore_followAfterAnotherIsClosed() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("store")
        let first = try await Store(path: path)
        let second = try await Store(path: path)
        let traveler = try await Traveler.create(Traveler(id: 1), in: first)
        let other = try await Traveler.create(Traveler(id: 2), in: second)
        try await first.close()
        await second.live.settle()
        try await second.insert(Traveler(id: 2, name: "after"))
        await second.live.settle()
        #expect(other.name == "after")
        withExtendedLifetime(traveler) {}
    }
}
