// Reads of observers that cannot begin: they are tried again, for a while. Errors of requests are not.

import Testing
import TroveCoding
import TroveTestSupport

@testable import LMDB
@testable import Trove

@Suite("Observers without a reader", .hangLimit) struct ObservedRetryTests {
    private let directory: TemporaryDirectory
    private let store: Store

    init() throws {
        directory = try TemporaryDirectory()
        store = try Store(
            path: directory.path("single.trove"), records: [ObservedNote.self],
            options: StoreOptions(maximumReaders: 1, durability: .noSync))
        try store.insert(ObservedNote(id: 1, value: 7))
    }

    /// Takes the only reader of the store until a gate is opened.
    private func takeReader(until gate: ObservationGate) -> RunningThread<Void> {
        let store = store
        let reading = RunningThread { try store.read { _ in gate.pass() } }
        gate.awaitArrival()
        return reading
    }

    @Test func aReadThatCannotBegin_isTriedAgain() async throws {
        let gate = ObservationGate()
        let reading = takeReader(until: gate)
        let (pauses, mayGoOn) = (Latest<Duration>(), WakePoint())
        var values = ObservedNote.query(1).values(in: store)
        values.sleep = { time in
            pauses.add(ContinuousClock.now.duration(to: time))
            await mayGoOn.wait()
        }
        let found = Latest<ObservedNote?>()
        let task = values.collect(into: found)
        await pauses.wait { $0.count == 1 }
        mayGoOn.wake()
        await pauses.wait { $0.count == 2 }
        #expect(pauses.values.first.map { $0 <= .milliseconds(10) } == true)
        gate.open()
        try await reading.value()
        mayGoOn.wake()
        await found.wait { $0.count == 1 }
        #expect(found.values == [ObservedNote(id: 1, value: 7)])
        task.cancel()
        try await task.value
    }

    @Test func afterSeveralFailures_theSequenceThrows() async throws {
        let gate = ObservationGate()
        let reading = takeReader(until: gate)
        let pauses = Latest<Bool>()
        var values = ObservedNote.query(1).values(in: store)
        values.sleep = { _ in pauses.add(true) }
        var iterator = values.makeAsyncIterator()
        await #expect(throws: StoreError.self) { _ = try await iterator.next() }
        #expect(pauses.values.count == RoundPace.patience - 1)
        gate.open()
        try await reading.value()
        // It has ended.
        let next = try await iterator.next()
        #expect(next == nil)
    }

    @Test func aTaskCancelledBetweenAttempts_getsNil() async throws {
        let gate = ObservationGate()
        let reading = takeReader(until: gate)
        let asked = Latest<Bool>()
        var values = ObservedNote.query(1).values(in: store)
        let sleep = values.sleep
        values.sleep = { _ in
            asked.add(true)
            try await sleep(.now + .seconds(3_600))
        }
        let found = Latest<ObservedNote?>()
        let task = values.collect(into: found)
        await asked.wait { $0.count == 1 }
        task.cancel()
        try await task.value
        #expect(found.values.isEmpty)
        gate.open()
        try await reading.value()
    }

    @Test func changes_beginAlsoWhereNoReadCould() async throws {
        let gate = ObservationGate()
        let reading = takeReader(until: gate)
        let changes = store.changes
        gate.open()
        try await reading.value()
        try await store.insert(ObservedNote(id: 1, value: 8))
        var iterator = changes.makeAsyncIterator()
        let change = try #require(try await iterator.next())
        #expect(change.keys(of: ObservedNote.self) != StoreChange.Keys<ObservedNote>.none)
    }

    @Test func aListThatFollowsLater_triesAgain() throws {
        let list = try LiveList(ObservedNote.query(), in: store)
        try store.live.refresh()
        var attempts = RoundPace()
        try store.read { _ in
            // Now the store has no other reader.
            for _ in 1..<RoundPace.patience {
                let hasNews = list.followOnce(&attempts)
                #expect(hasNews == nil)
            }
            list.deliver()
            #expect(list.error == nil)
            let hasFailed = list.followOnce(&attempts)
            list.deliver()
            #expect(hasFailed == true && list.error is StoreError)
        }
        let isBack = list.followOnce(&attempts)
        list.deliver()
        #expect(isBack == true && list.error == nil)
    }

    @Test func anErrorOfTheRequest_isNotTriedAgain() async throws {
        let runs = Latest<Bool>()
        let error = StoreError.transaction(.tooManyReaders(path: "another", limit: 1))
        var values = store.observe { _ -> Int in
            runs.add(true)
            throw error
        }
        values.sleep = { _ in Issue.record("waits") }
        var iterator = values.makeAsyncIterator()
        await #expect(throws: error) { _ = try await iterator.next() }
        #expect(runs.values.count == 1)
    }
}
