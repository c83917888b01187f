// Stores that are closed, opened twice, read-only or short of readers, while they are observed.

import LMDB
import Testing
import TroveTestSupport

@testable import Trove

@Suite("Observed stores and their ends", .hangLimit) struct RoundEndingTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func open(_ options: StoreOptions = StoreOptions(durability: .noSync)) throws -> Store {
        try Store(path: directory.path("observed.trove"), records: [ObservedNote.self], options: options)
    }

    private func isClosed(_ error: (any Error)?) -> Bool {
        if case StoreError.transaction(.closed)? = error as? StoreError { true } else { false }
    }

    @Test func aClosedStore_failsItsObservers_andNoOthers() async throws {
        let (closed, other) = (try open(), try open())
        let observers = (0..<4).map { RecordingObserver(isPulled: $0.isMultiple(of: 2)) }
        let registrations = try observers.enumerated().map { number, observer in
            try (number < 2 ? closed : other).register(observer, for: .all(ObservedNote.self))
        }
        try onAnotherThread { try closed.close() }
        for observer in observers.prefix(2) {
            #expect(await observer.wait { $0.errors.count == 1 })
            #expect(isClosed(observer.errors.first))
        }
        #expect(throws: StoreError.self) { try closed.register(RecordingObserver(), for: .everything) }
        #expect(throws: StoreError.self) { try closed.roundNow() }
        try await other.insert(ObservedNote(id: 1, value: 1))
        await other.settle()
        #expect(observers[2...].allSatisfy { $0.reported.count == 1 && $0.errors.isEmpty })
        #expect(observers[..<2].allSatisfy { $0.reported.isEmpty && $0.errors.count == 1 })
        withExtendedLifetime(registrations) {}
    }

    @Test func theLastStore_isClosed_whileObserved() async throws {
        let store = try open()
        let observer = RecordingObserver()
        let registration = try store.register(observer, for: .everything)
        try await store.insert(ObservedNote(id: 1, value: 1))
        try onAnotherThread { try store.close() }
        #expect(await observer.wait { !$0.errors.isEmpty })
        #expect(!store.catalog.hub.isActive)
        await store.settle()
        withExtendedLifetime(registration) {}
        // The file is free for others.
        let again = try open()
        #expect(try await again.get(ObservedNote.self, key: 1)?.value == 1)
    }

    @Test func aRegistration_keepsTheStoreOpen_andNothingElseDoes() async throws {
        var store: Store? = try open()
        weak let weakStore = store
        let observer = RecordingObserver()
        var registration: HubRegistration? = try store?.register(observer, for: .everything)
        store = nil
        #expect(weakStore != nil)
        try await weakStore?.insert(ObservedNote(id: 1, value: 1))
        await weakStore?.settle()
        #expect(observer.deliveries == 1)
        withExtendedLifetime(registration) {}
        registration = nil
        // A round may still hold the registration for a moment.
        while weakStore != nil, !Task.isCancelled { await Task.yield() }
        #expect(weakStore == nil)
    }

    @Test func aReadOnlyStore_observesOthers() async throws {
        let store = try open()
        let reader = try open(StoreOptions(durability: .noSync, isReadOnly: true))
        let observer = RecordingObserver()
        let registration = try reader.register(observer, for: .notes(1))
        try await store.insert(ObservedNote(id: 1, value: 1))
        await reader.settle()
        #expect(observer.deliveries == 1)
        #expect(reader.catalog === store.catalog)
        withExtendedLifetime(registration) {}
    }

    @Test func withoutAReader_aRoundIsTriedAgain() async throws {
        let store = try open(StoreOptions(maximumReaders: 1, durability: .noSync))
        try await store.insert(ObservedNote(id: 1, value: 0))
        let observer = RecordingObserver()
        let registration = try store.register(observer, for: .notes(1))
        await store.settle()
        let gate = ObservationGate()
        let reading = RunningThread { try store.read { _ in gate.pass() } }
        try await gate.awaitArrival()
        try await store.insert(ObservedNote(id: 1, value: 1))
        while store.rounds.state.withLock({ $0.pace.failures }) == 0, !Task.isCancelled { await Task.yield() }
        #expect(throws: StoreError.self) { try store.roundNow() }
        #expect(observer.reported.isEmpty)
        gate.open()
        try await reading.value()
        await store.settle()
        // On a busy machine, the rounds may have failed long enough to be an error.
        #expect(await observer.wait { $0.deliveries == 1 })
        withExtendedLifetime(registration) {}
    }

    /// The failures are noted directly: a test does not wait for them.
    @Test func afterSeveralFailures_observersLearnOfThem() async throws {
        let store = try open()
        let observers = [true, false].map { RecordingObserver(isPulled: $0) }
        let registrations = try observers.map { try store.register($0, for: .notes(1)) }
        let error = StoreError.transaction(.transactionEnded(path: ""))
        for _ in 1..<RoundPace.patience { store.rounds.noteFailure(error) }
        #expect(observers.allSatisfy { $0.errors.isEmpty })
        store.rounds.noteFailure(error)
        for observer in observers { #expect(await observer.wait { $0.errors.count == 1 }) }
        store.rounds.noteFailure(error)
        // Then they are notified of changes again.
        try await store.insert(ObservedNote(id: 1, value: 1))
        try store.roundNow()
        #expect(observers.allSatisfy { $0.errors.count == 1 && $0.reported.count == 1 })
        withExtendedLifetime(registrations) {}
    }
}
