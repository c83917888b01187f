// Slow observers: no writer and no other observer waits for them, and memory stays bounded.

import LMDB
import Testing
import TroveCoding
import TroveTestSupport

@testable import Trove

@Suite("Observers that are slow", .hangLimit) struct RoundWaitingTests {
    private let store: Store

    init() throws {
        store = try Store.temporary(records: [ObservedNote.self])
        try store.insert(ObservedNote(id: 1, value: 0))
    }

    private func commit(_ values: ClosedRange<Int>) throws {
        for value in values { try store.insert(ObservedNote(id: value % 20, value: value)) }
    }

    /// An actor that a test keeps busy.
    private actor Screen {
        func block(at gate: ObservationGate) { gate.pass() }
    }

    @Test(arguments: [true, false]) func aWriterNeverWaits(onActor: Bool) async throws {
        let gate = ObservationGate()
        let slow = RecordingObserver(onDelivery: { if !onActor { gate.pass() } })
        let flagged = RecordingObserver(isPulled: true)
        let screen = Screen()
        if onActor { store.rounds.delivery.withLock { $0 = screen } }
        let registrations = try [slow, flagged].map { try store.register($0, for: .all(ObservedNote.self)) }
        let blocker = onActor ? Task.detached { await screen.block(at: gate) } : nil
        if onActor { try await gate.awaitArrival() }

        try commit(1...1000)
        // The pulled observer is notified meanwhile.
        let last = try store.commitSequence
        #expect(await flagged.wait { $0.reported.last?.commits.upperBound == last })
        #expect(slow.deliveries == 0 && slow.reported.count == 1)
        // Old changes are joined.
        let kept = store.rounds.inbox.changes(after: 0, through: last)
        #expect(store.rounds.inbox.entryCount <= ChangeLog.entryLimit)
        #expect(kept.gaps == [1...last - 1000])

        gate.open()
        await blocker?.value
        await store.settle()
        // One more delivery has all the rest.
        #expect(slow.deliveries == 2)
        #expect(slow.reported.last?.commits.upperBound == last)
        #expect(
            slow.reported.count == 2 && slow.reported[0].commits.upperBound + 1 == slow.reported[1].commits.lowerBound)
        withExtendedLifetime(registrations) {}
    }

    @Test func settling_waitsForTheDelivery() async throws {
        let gate = ObservationGate()
        let slow = RecordingObserver(onDelivery: { gate.pass() })
        let registration = try store.register(slow, for: .all(ObservedNote.self))
        try commit(1...1)
        try await gate.awaitArrival()
        try commit(2...2)
        let settled = Monitor(false)
        let settling = Task {
            await store.settle()
            settled.withLock { $0 = true }
        }
        try commit(3...3)
        #expect(!settled.withLock { $0 })
        gate.open()
        await settling.value
        #expect(slow.deliveries >= 2)
        #expect(slow.reported.last.map { $0.commits.upperBound >= 3 } ?? false)
        withExtendedLifetime(registration) {}
    }

    /// While a delivery runs, other rounds leave its observers out. A round that a caller runs then waits for the
    /// delivery, and another round follows.
    @Test func aRoundNow_duringADelivery_deliversWhatWasCommittedBefore() throws {
        let (reading, delivery) = (ObservationGate(), ObservationGate())
        let slow = RecordingObserver(onRead: { _ in reading.pass() }, onDelivery: { delivery.pass() })
        let registration = try store.register(slow, for: .all(ObservedNote.self))
        try commit(1...1)
        reading.awaitArrival()
        // The round has its snapshot, which does not show the next commit.
        try commit(2...2)
        let last = try store.commitSequence
        let store = store
        let asking = RunningThread {
            try store.roundNow()
            return slow.reported.last?.commits.upperBound
        }
        reading.open()
        delivery.awaitArrival()
        delivery.open()
        #expect(try asking.value() == last)
        withExtendedLifetime(registration) {}
    }

    @Test func rounds_takeHalfAProcessor_atMost() {
        let start = ContinuousClock.now
        var pace = RoundPace()
        #expect(pace.pause(at: start) == nil)
        pace.noteRound(from: start, to: start + .microseconds(20), isBusy: false)
        #expect(pace.pause(at: start + .microseconds(20)) == nil)
        pace.noteRound(from: start, to: start + .microseconds(20), isBusy: true)
        #expect(pace.pause(at: start + .microseconds(20)) == .milliseconds(1))
        pace.noteRound(from: start, to: start + .milliseconds(7), isBusy: false)
        #expect(pace.pause(at: start + .milliseconds(8)) == .milliseconds(6))
        #expect(pace.pause(at: start + .milliseconds(14)) == nil)
    }

    /// The system can stop a process for hours, also in the middle of a round.
    @Test func aRoundOfHours_isFollowedByAnother_afterASecond() {
        let start = ContinuousClock.now
        var pace = RoundPace()
        let end = start + .seconds(8 * 3_600)
        pace.noteRound(from: start, to: end, isBusy: true)
        #expect(pace.pause(at: end) == .seconds(1))
        #expect(RoundPace.pause(after: .seconds(8 * 3_600)) == .seconds(1))
        #expect(RoundPace.pause(after: .milliseconds(30)) == .milliseconds(30))
    }

    @Test func failures_areRetried_lessAndLessOften() {
        let now = ContinuousClock.now
        var pace = RoundPace()
        let pauses = (0..<20).map { _ in
            pace.noteFailure(at: now)
            return pace.pause(at: now)
        }
        #expect(pauses.prefix(4) == [.milliseconds(10), .milliseconds(20), .milliseconds(40), .milliseconds(80)])
        #expect(pauses.last == .seconds(1))
        pace.noteRound(from: now, to: now, isBusy: false)
        #expect(pace.pause(at: now) == nil && pace.failures == 0)
    }

    @Test func thousandsOfObservers_areMatchedByKey() async throws {
        let observers = (0..<10_000).map { _ in RecordingObserver(isPulled: true) }
        let registrations = try observers.enumerated().map { number, observer in
            var region = ObservedRegion()
            if number.isMultiple(of: 2) {
                region = .notes(number)
            } else {
                let lower = ObservedNote.key(number)
                region.insert(
                    range: KeyRange(lower: lower, upper: ObservedNote.key(number + 1)),
                    of: ObservedNote.schema.keyPrefix)
            }
            return try store.register(observer, for: region)
        }
        try await store.write { context in
            for id in [17, 4000, 9999, 20_000] { try context.insert(ObservedNote(id: id, value: 1)) }
        }
        await store.settle()
        #expect(observers.indices.filter { !observers[$0].reported.isEmpty } == [17, 4000, 9999])
        withExtendedLifetime(registrations) {}
    }
}
