// Saves in the background.

import Testing
import TroveTestSupport

@testable import Trove

@Suite("Autosave", .hangLimit) struct AutosaveTests {
    private let store: Store

    init() throws { store = try Store.live() }

    /// Waits until all changes are saved. Returns whether they are.
    private func isSaved() async -> Bool {
        for _ in 0..<1_000_000 where store.live.unsavedCount > 0 { await Task.yield() }
        return store.live.unsavedCount == 0
    }

    @Test func edits_areStored() async throws {
        store.live.autosaveDelay = .milliseconds(1)
        let traveler = try await Traveler.create(Traveler(id: 1), in: store)
        for age in 0..<20 { traveler.age = age }
        #expect(await isSaved())
        #expect(try await store.get(Traveler.self, key: 1)?.age == 19)
        traveler.age = 20
        #expect(await isSaved())
        #expect(try await store.get(Traveler.self, key: 1)?.age == 20)
    }

    @Test func itIsOff_unlessSet() async throws {
        #expect(store.live.autosaveDelay == nil)
        let traveler = try await Traveler.create(Traveler(id: 1), in: store)
        traveler.age = 5
        #expect(store.live.unsavedCount == 1)
        // Edits made before it is switched on are saved, too.
        store.live.autosaveDelay = .zero
        #expect(await isSaved())
        store.live.autosaveDelay = nil
        traveler.age = 6
        #expect(traveler.hasChanges)
        traveler.revert()
    }

    @Test func aShorterDelay_countsAtOnce() async throws {
        let traveler = try await Traveler.create(Traveler(id: 1), in: store)
        store.live.autosaveDelay = .seconds(100_000)
        traveler.age = 5
        store.live.autosaveDelay = .milliseconds(1)
        #expect(await isSaved())
        #expect(try await store.get(Traveler.self, key: 1)?.age == 5)
    }

    @Test func delaysOfAnyLength_areAccepted() async throws {
        let traveler = try await Traveler.create(Traveler(id: 1), in: store)
        store.live.autosaveDelay = .seconds(Int64.max)
        traveler.age = 5
        #expect(traveler.hasChanges)
        store.live.autosaveDelay = .seconds(Int64.min)
        #expect(await isSaved())
    }

    @Test func failures_areTold_andTheOthersAreSaved() async throws {
        _ = try await Sailor.create(Sailor(id: 1, email: "a"), in: store)
        let sailor = try await Sailor.create(Sailor(id: 2, email: "b"), in: store)
        let traveler = try await Traveler.create(Traveler(id: 1), in: store)
        sailor.email = "a"
        traveler.age = 5
        let failures = store.live.failures
        store.live.autosaveDelay = .zero
        var first: SaveFailure?
        for await failure in failures {
            first = failure
            break
        }
        #expect(first?.object === sailor && first?.key == StoredKey(2, of: Sailor.self))
        guard case .notUnique? = first?.error as? StoreError else { throw Stop() }
        #expect(sailor.hasChanges && sailor.email == "a")
        for _ in 0..<1_000_000 where traveler.hasChanges { await Task.yield() }
        #expect(try await store.get(Traveler.self, key: 1)?.age == 5)
        sailor.revert()
    }
}
