// Rounds of observation: what is reported, to whom, and when.

import LMDB
import Testing
import TroveTestSupport

@testable import Trove

@Suite("Rounds of observation", .hangLimit) struct RoundTests {
    private let directory: TemporaryDirectory
    private let store: Store

    init() throws {
        directory = try TemporaryDirectory()
        store = try Store(
            path: directory.path("observed.trove"), records: [ObservedNote.self, OtherNote.self],
            options: StoreOptions(durability: .noSync))
        try store.write { context in
            try context.insert(contentsOf: (0..<100).map { ObservedNote(id: $0, value: 0) })
            try context.insert(OtherNote(id: 0))
        }
    }

    private func key(_ id: Int) -> [UInt8] { ObservedNote.key(id) }

    private func set(_ id: Int, _ value: Int) throws { try store.insert(ObservedNote(id: id, value: value)) }

    @Test func aCommit_isReadInItsSnapshot_thenDelivered() async throws {
        let values = Monitor<[Int?]>([])
        let observer = RecordingObserver { round in
            let value = try round.context.get(ObservedNote.self, key: 7)?.value
            values.withLock { $0.append(value) }
        }
        let registration = try store.register(observer, for: .notes(7))
        try set(7, 1)
        await store.settle()
        #expect(values.withLock { $0 } == [1])
        #expect(observer.deliveries == 1)
        #expect(observer.keys == [.some([key(7)])])
        #expect(observer.reported.map(\.isOwn) == [true])
        #expect(try observer.reported.last?.commits.upperBound == store.commitSequence)
        withExtendedLifetime(registration) {}
    }

    @Test func otherRecords_areNotReported() async throws {
        let observer = RecordingObserver()
        let registration = try store.register(observer, for: .notes(7))
        try set(8, 1)
        try await store.insert(OtherNote(id: 7))
        try await store.delete(ObservedNote.self, key: 9)
        await store.settle()
        #expect(observer.reported.isEmpty)
        try await store.delete(ObservedNote.self, key: 7)
        await store.settle()
        #expect(observer.deliveries == 1)
        withExtendedLifetime(registration) {}
    }

    @Test func undoneChanges_areNotReported() async throws {
        let observer = RecordingObserver()
        let registration = try store.register(observer, for: .everything)
        try? await store.write { context in
            try context.insert(ObservedNote(id: 1, value: 9))
            throw CancellationError()
        }
        try await store.write { context in
            try? context.nested { context in
                try context.insert(ObservedNote(id: 1, value: 9))
                throw CancellationError()
            }
            try context.insert(ObservedNote(id: 2, value: 9))
        }
        await store.settle()
        #expect(observer.keys == [.some([key(2)])])
        withExtendedLifetime(registration) {}
    }

    @Test func oneRound_isOneSnapshot_forAllObservers() async throws {
        let snapshots = Monitor<[UInt64]>([])
        let observers = (0..<50).map { _ in
            RecordingObserver { round in
                let commit = try round.context.catalogStorage().number(.commitSequence)
                #expect(commit == round.commits.upperBound)
                snapshots.withLock { $0.append(commit) }
            }
        }
        let registrations = try observers.map { try store.register($0, for: .all(ObservedNote.self)) }
        try set(1, 1)
        await store.settle()
        #expect(snapshots.withLock { Set($0).count } == 1)
        #expect(observers.allSatisfy { $0.deliveries == 1 })
        withExtendedLifetime(registrations) {}
    }

    @Test func pulledObservers_areNotDeliveredTo() async throws {
        let observer = RecordingObserver(isPulled: true)
        let registration = try store.register(observer, for: .notes(1))
        try set(1, 1)
        await store.settle()
        #expect(observer.reported.count == 1)
        #expect(observer.deliveries == 0)
        withExtendedLifetime(registration) {}
    }

    @Test func commits_areReportedInOrder_eachOnce() async throws {
        let observer = RecordingObserver()
        let registration = try store.register(observer, for: .all(ObservedNote.self))
        let first = try store.commitSequence
        for value in 1...300 { try set(value % 10, value) }
        await store.settle()
        let reported = observer.reported
        let last = try store.commitSequence
        #expect(reported.first?.commits.lowerBound == first + 1)
        #expect(reported.last?.commits.upperBound == last)
        for (earlier, later) in zip(reported, reported.dropFirst()) {
            #expect(earlier.commits.upperBound + 1 == later.commits.lowerBound)
        }
        #expect(reported.allSatisfy { $0.isOwn })
        withExtendedLifetime(registration) {}
    }

    @Test func aRelease_endsTheObservation() async throws {
        let observer = RecordingObserver()
        var registration: HubRegistration? = try store.register(observer, for: .everything)
        #expect(store.catalog.hub.isActive)
        try set(1, 1)
        await store.settle()
        #expect(observer.reported.count == 1)
        withExtendedLifetime(registration) {}
        registration = nil
        // The thread of the last delivery can hold the registration for another moment.
        while store.catalog.hub.isActive { await Task.yield() }
        try set(1, 2)
        await store.settle()
        #expect(observer.reported.count == 1)
    }

    @Test func anObserverAfterAnother_isNotifiedOfLaterCommits() async throws {
        for value in 1...5 {
            let observer = RecordingObserver()
            let registration = try store.register(observer, for: .notes(1))
            try set(1, value)
            await store.settle()
            #expect(observer.deliveries == 1)
            withExtendedLifetime(registration) {}
        }
    }

    @Test func settling_withoutObservers_orChanges_returns() async throws {
        await store.settle()
        let observer = RecordingObserver()
        let registration = try store.register(observer, for: .everything)
        await store.settle()
        await store.settle()
        #expect(observer.deliveries == 0)
        withExtendedLifetime(registration) {}
    }

    @Test func aNewRegion_isNotifiedOfWhatRoundsHavePassed() async throws {
        let observer = RecordingObserver()
        let registration = try store.register(observer, for: .notes(1))
        let before = try store.commitSequence
        try set(2, 1)
        await store.settle()
        #expect(observer.reported.isEmpty)
        registration.observe(.notes(2), since: try store.commitSequence)
        await store.settle()
        #expect(observer.reported.isEmpty)
        registration.observe(.notes(1), since: before)
        await store.settle()
        #expect(observer.reported.isEmpty)
        registration.observe(.notes(2), since: before)
        await store.settle()
        #expect(observer.keys == [.some([key(2)])])
        #expect(observer.reported.first?.commits == before + 1...before + 1)
        try set(1, 2)
        try set(2, 2)
        await store.settle()
        #expect(observer.keys.count == 2)
    }

    @Test func writingInADelivery_isReported_andEnds() async throws {
        let store = store
        let observer = RecordingObserver(onDelivery: {
            let value = try? store.get(ObservedNote.self, key: 1)?.value
            if let value, value < 5 { _ = try? store.insert(ObservedNote(id: 1, value: value + 1)) }
        })
        let registration = try store.register(observer, for: .notes(1))
        try set(1, 1)
        #expect(await observer.wait { $0.deliveries == 5 })
        #expect(try await store.get(ObservedNote.self, key: 1)?.value == 5)
        withExtendedLifetime(registration) {}
    }

    // MARK: At once

    @Test func aRoundNow_deliversBeforeItReturns() throws {
        let observer = RecordingObserver()
        let registration = try store.register(observer, for: .notes(1))
        for value in 1...20 {
            try set(1, value)
            try store.roundNow()
            #expect(observer.reported.last?.commits.upperBound == (try store.commitSequence))
            #expect(observer.deliveries == observer.reported.count)
        }
        withExtendedLifetime(registration) {}
    }

    @Test func aRoundNow_inADelivery_doesNotWaitForItself() async throws {
        let store = store
        let observer = RecordingObserver(onDelivery: {
            do { try store.roundNow() } catch { Issue.record(error) }
        })
        let registration = try store.register(observer, for: .notes(1))
        try set(1, 1)
        await store.settle()
        #expect(observer.deliveries == 1)
        withExtendedLifetime(registration) {}
    }

    // MARK: Delivery

    private actor Screen {
        private(set) var deliveries = 0

        func note() { deliveries += 1 }
    }

    @Test func aDeliveryActor_isWhereDeliveriesRun() async throws {
        let screen = Screen()
        let observer = RecordingObserver(onDelivery: {
            screen.assertIsolated()
            screen.assumeIsolated { $0.note() }
        })
        store.rounds.delivery.withLock { $0 = screen }
        let registration = try store.register(observer, for: .notes(1))
        try set(1, 1)
        await store.settle()
        #expect(await screen.deliveries == 1)
        withExtendedLifetime(registration) {}
    }

    // MARK: Errors

    private struct Unreadable: Error {}

    @Test func anErrorOfAnObserver_isItsOwn() async throws {
        let failing = [true, false].map { isPulled in
            RecordingObserver(isPulled: isPulled, onRead: { _ in throw Unreadable() })
        }
        let other = RecordingObserver()
        let registrations = try (failing + [other]).map { try store.register($0, for: .notes(1)) }
        try set(1, 1)
        await store.settle()
        #expect(failing.allSatisfy { $0.errors.count == 1 && $0.errors[0] is Unreadable && $0.deliveries == 0 })
        #expect(other.deliveries == 1 && other.errors.isEmpty)
        withExtendedLifetime(registrations) {}
    }

    @Test func theKeysOfARound_areSorted_eachOnce() async throws {
        let observer = RecordingObserver()
        let registration = try store.register(observer, for: .all(ObservedNote.self))
        try await store.write { context in
            for id in [5, 3, 5, 4, 3] { try context.insert(ObservedNote(id: id, value: id)) }
        }
        await store.settle()
        #expect(observer.keys == [.some([key(3), key(4), key(5)])])
        withExtendedLifetime(registration) {}
    }
}
