// Live objects of a file that several references have open, some of which are closed.

import LMDB
import Testing
import TroveTestSupport

@testable import Trove

@Suite("Live objects of several stores of a file", .hangLimit) struct LiveStoreTests {
    private let directory: TemporaryDirectory
    private let first: Store
    private let second: Store

    init() throws {
        directory = try TemporaryDirectory()
        let path = directory.path("shared.trove")
        let options = StoreOptions(durability: .noSync)
        first = try Store(path: path, records: [Traveler.self], options: options)
        second = try Store(path: path, records: [Traveler.self], options: options)
        try first.write(Traveler(id: 1), Traveler(id: 2))
    }

    @Test func closingTheStoreOfAnObject_doesNotMakeItStale() async throws {
        let traveler = try #require(try Traveler.live(1, in: first))
        #expect(try Traveler.live(1, in: second) === traveler)
        try await first.close()
        try await second.insert(Traveler(id: 1, name: "new"))
        await second.live.settle()
        #expect(traveler.name == "new")
        try await second.insert(Traveler(id: 1, name: "newer"))
        try second.live.refresh()
        #expect(traveler.name == "newer")
        try await second.insert(Traveler(id: 1, name: "newest"))
        try traveler.refresh()
        #expect(traveler.name == "newest")
    }

    /// The other store has never used live objects.
    @Test func anObject_followsAStoreWithoutObjectsOfItsOwn() async throws {
        let traveler = try #require(try Traveler.live(1, in: first))
        try await first.close()
        try await second.insert(Traveler(id: 1, name: "new"))
        await second.live.settle()
        #expect(traveler.name == "new" && traveler.store === second)
        #expect(try Traveler.live(1, in: second) === traveler)
    }

    /// Commits that come before the objects follow another store.
    @Test func commitsBetween_areRead() async throws {
        let travelers = [try #require(try Traveler.live(1, in: first)), try #require(try Traveler.live(2, in: first))]
        try await first.close()
        try second.write(Traveler(id: 1, name: "one"))
        try await second.delete(Traveler.self, key: 2)
        #expect(try Traveler.live(1, in: second)?.name == "one")
        await second.live.settle()
        #expect(travelers[0].name == "one" && travelers[1].isDeleted)
    }

    @Test func saves_goThroughAnOpenStore() async throws {
        let traveler = try #require(try Traveler.live(1, in: first))
        traveler.name = "edited"
        try await first.close()
        try await traveler.save()
        #expect(try await second.get(Traveler.self, key: 1)?.name == "edited")
        traveler.name = "again"
        try await traveler.save(resolving: .mine)
        traveler.name = "all"
        try await second.live.saveAllChanges()
        #expect(try await second.get(Traveler.self, key: 1)?.name == "all" && !traveler.hasChanges)
        try await traveler.delete()
        #expect(traveler.isDeleted)
        #expect(try await second.get(Traveler.self, key: 1) == nil)
    }

    @Test func autosave_goesThroughAnOpenStore() async throws {
        let traveler = try #require(try Traveler.live(1, in: first))
        try await first.close()
        second.live.autosaveDelay = .zero
        traveler.age = 77
        for _ in 0..<1_000_000 where traveler.hasChanges { await Task.yield() }
        #expect(try await second.get(Traveler.self, key: 1)?.age == 77)
    }

    @Test func withoutAnOpenStore_anObjectKeepsItsEdits() async throws {
        let traveler = try #require(try Traveler.live(1, in: first))
        traveler.name = "edited"
        try await first.close()
        try await second.close()
        await #expect {
            try await traveler.save()
        } throws: { error in
            if case StoreError.transaction(.closed) = error { true } else { false }
        }
        #expect(traveler.hasChanges && traveler.name == "edited")
        traveler.revert()
    }
}
