// Saves in the background.

import LMDB
import Testing
import TroveTestSupport

@testable import Trove

/// A timer that a test advances.
private final class ManualTimer: Sendable {
    private struct Entry {
        let due: Duration
        let body: @Sendable () -> Void
    }

    private struct State {
        var now = Duration.zero
        var entries: [Entry] = []
    }

    private let state = Monitor(State())

    func start(_ pause: Duration, _ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.entries.append(Entry(due: $0.now + pause, body: body)) }
    }

    /// The times until the closures to come, in the order in which they were started.
    var pauses: [Duration] { state.withLock { state in state.entries.map { $0.due - state.now } } }

    /// Lets time pass, and calls the closures that are due.
    func advance(by duration: Duration) {
        let end = state.withLock { $0.now + duration }
        while let body = takeNext(until: end) { body() }
        state.withLock { $0.now = end }
    }

    private func takeNext(until end: Duration) -> (@Sendable () -> Void)? {
        state.withLock { state in
            let entries = state.entries
            guard let first = entries.indices.min(by: { entries[$0].due < entries[$1].due }), entries[first].due <= end
            else { return nil }
            state.now = entries[first].due
            return state.entries.remove(at: first).body
        }
    }
}

extension Store {
    /// Lets a timer be that of the saves in the background. Called before the first live object.
    fileprivate func setTimer(_ timer: ManualTimer) {
        let rounds = rounds
        let stores = references
        catalog.attachments.object {
            SharedLiveObjects(rounds, stores, keeping: 0, autosave: Autosave { timer.start($0, $1) })
        }
    }
}

@Suite("Autosave", .hangLimit) struct AutosaveTests {
    private let store: Store

    init() throws { store = try Store.live() }

    /// Waits until all changes are saved. Returns whether they are.
    private func isSaved(_ store: Store) async -> Bool {
        for _ in 0..<1_000_000 where store.live.unsavedCount > 0 { await Task.yield() }
        return store.live.unsavedCount == 0
    }

    private func isSaved() async -> Bool { await isSaved(store) }

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

    // MARK: When

    /// The first edit decides, and later edits do not put the save off.
    @Test func anEdit_isStoredAtMostTheDelayLater() throws {
        let timer = ManualTimer()
        store.setTimer(timer)
        let traveler = try Traveler.create(Traveler(id: 1, age: 0), in: store)
        store.live.autosaveDelay = .seconds(5)
        #expect(timer.pauses == [])
        for turn in 1...3 {
            let before = try store.stored(1)?.age
            for step in 1...5 {
                traveler.age = 10 * turn + step
                #expect(try store.stored(1)?.age == before)
                #expect(timer.pauses == [.seconds(6 - step)])
                timer.advance(by: .seconds(1))
            }
            #expect(try store.stored(1)?.age == 10 * turn + 5)
            #expect(store.live.unsavedCount == 0 && timer.pauses == [])
            timer.advance(by: .seconds(100))
        }
        #expect(try Traveler.query().count(in: store) == 1)
    }

    @Test func aDraft_isStoredAfterTheDelay() throws {
        let timer = ManualTimer()
        store.setTimer(timer)
        store.live.autosaveDelay = .seconds(5)
        let draft = Traveler.draft(Traveler(id: 1), in: store)
        timer.advance(by: .milliseconds(4999))
        #expect(draft.isDraft)
        timer.advance(by: .milliseconds(1))
        #expect(!draft.isDraft)
        #expect(try store.stored(1) == Traveler(id: 1))
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

    /// A longer delay than the clock has: a year.
    @Test func aDelayWithoutEnd_savesNothingAtOnce() throws {
        let timer = ManualTimer()
        store.setTimer(timer)
        let traveler = try Traveler.create(Traveler(id: 1), in: store)
        for delay in [Duration.seconds(Int64.max), .seconds(1e19), .seconds(365 * 86_400)] {
            store.live.autosaveDelay = delay
            traveler.age += 1
            #expect(timer.pauses.last == .seconds(365 * 86_400))
            timer.advance(by: .seconds(86_400))
            #expect(traveler.hasChanges)
        }
        traveler.revert()
    }

    /// One store waits for its writers' turn.
    @Test func stores_doNotWaitForEachOther() async throws {
        let (store, other) = (store, try Store.live())
        for store in [store, other] { store.live.autosaveDelay = .zero }
        let waiting = try await Traveler.create(Traveler(id: 1), in: store)
        let traveler = try await Traveler.create(Traveler(id: 1), in: other)
        let gate = ObservationGate()
        let writing = RunningThread { try store.write { _ in gate.pass() } }
        try await gate.awaitArrival()
        waiting.age = 5
        traveler.age = 5
        #expect(await isSaved(other))
        #expect(store.live.unsavedCount == 1)
        gate.open()
        try await writing.value()
        #expect(await isSaved(store))
    }

    // MARK: Failures

    @Test func failures_areReported_andTheOthersAreSaved() async throws {
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
        guard case .record(.notUnique)? = first?.error as? StoreError else { throw Stop() }
        #expect(sailor.hasChanges && sailor.email == "a")
        for _ in 0..<1_000_000 where traveler.hasChanges { await Task.yield() }
        #expect(try await store.get(Traveler.self, key: 1)?.age == 5)
        sailor.revert()
    }

    @Test func aFailedSave_isTriedAgain_afterGrowingPauses() throws {
        let timer = ManualTimer()
        store.setTimer(timer)
        _ = try Sailor.create(Sailor(id: 1, email: "a"), in: store)
        let sailor = try Sailor.create(Sailor(id: 2, email: "b"), in: store)
        let traveler = try Traveler.create(Traveler(id: 1), in: store)
        store.live.autosaveDelay = .seconds(2)
        sailor.email = "a"
        for pause in [2, 2, 4, 8, 16, 32, 60, 60] {
            #expect(timer.pauses == [.seconds(pause)])
            timer.advance(by: .seconds(pause))
            #expect(sailor.hasChanges && sailor.email == "a")
        }
        // Another edit does not wait so long.
        traveler.age = 5
        timer.advance(by: .seconds(2))
        #expect(try store.stored(1)?.age == 5)
        #expect(store.live.unsavedCount == 1)
        // What has prevented the save is gone.
        try store.delete(Sailor.self, key: 1)
        timer.advance(by: .seconds(60))
        #expect(try store.get(Sailor.self, key: 2)?.email == "a")
        #expect(store.live.unsavedCount == 0 && timer.pauses == [])
    }

    /// The pauses after failures are no shorter than 10 milliseconds, whatever the delay.
    @Test func withoutADelay_failuresHavePauses() throws {
        let timer = ManualTimer()
        store.setTimer(timer)
        _ = try Sailor.create(Sailor(id: 1, email: "a"), in: store)
        let draft = Sailor.draft(Sailor(id: 2, email: "a"), in: store)
        store.live.autosaveDelay = .zero
        for pause in [0, 10, 20, 40] {
            #expect(timer.pauses == [.milliseconds(pause)])
            timer.advance(by: .milliseconds(pause))
        }
        draft.revert()
        timer.advance(by: .seconds(1))
        #expect(timer.pauses == [])
    }

    @Test(.enabled(if: SmallDisk.isAvailable)) func anObjectOfAFailedCommit_isSavedLater() throws {
        let disk = try SmallDisk(megabytes: 2)
        let store = try Store(path: disk.path("store"))
        let timer = ManualTimer()
        store.setTimer(timer)
        store.live.autosaveDelay = .seconds(5)
        var created: Live<Traveler>?
        #expect(throws: StoreError.self) {
            try store.write { context in
                created = try Traveler.create(Traveler(id: 1), in: context)
                try context.insert(Traveler(id: 2, name: String(repeating: "x", count: 4_000_000)))
            }
        }
        #expect(created?.isDraft == true && store.live.unsavedCount == 1)
        timer.advance(by: .seconds(5))
        #expect(created?.isDraft == false && store.live.unsavedCount == 0)
        #expect(try store.stored(1) == Traveler(id: 1))
    }

    @Test func failures_areLogged() throws {
        let log = CapturedLog.installed
        let directory = try TemporaryDirectory()
        let store = try Store(path: directory.path("store"), records: [Sailor.self])
        let timer = ManualTimer()
        store.setTimer(timer)
        _ = try Sailor.create(Sailor(id: 1, email: "a"), in: store)
        let draft = Sailor.draft(Sailor(id: 2, email: "a"), in: store)
        store.live.autosaveDelay = .seconds(1)
        timer.advance(by: .seconds(1))
        let lines = log.messages(about: store.path).filter { $0.contains("could not be saved") }
        #expect(lines.count == 1)
        for word in ["Sailor", "id: 2", "unique"] {
            #expect(lines.first?.contains(word) == true, "\(lines)")
        }
        draft.revert()
    }

    /// A closed store stays closed: nothing is tried again.
    @Test func aClosedStore_isNotTriedAgain() throws {
        let directory = try TemporaryDirectory()
        let store = try Store(path: directory.path("store"), records: [Traveler.self])
        let timer = ManualTimer()
        store.setTimer(timer)
        let traveler = try Traveler.create(Traveler(id: 1), in: store)
        store.live.autosaveDelay = .seconds(1)
        traveler.age = 5
        try store.close()
        timer.advance(by: .seconds(1))
        #expect(traveler.hasChanges && timer.pauses == [])
        traveler.revert()
    }

    @Test func failures_endWithTheLiveObjects() async throws {
        let directory = try TemporaryDirectory()
        var store: Store? = try await Store(path: directory.path("store"), records: [Traveler.self])
        let failures = try #require(store?.live.failures)
        var kept = store.map { Traveler.draft(Traveler(id: 1), in: $0) }
        store?.live.autosaveDelay = .seconds(100_000)
        store = nil
        // It has changes, and keeps the store.
        #expect(kept?.store.live.unsavedCount == 1)
        kept?.revert()
        kept = nil
        for await failure in failures { Issue.record("\(failure)") }
    }
}
