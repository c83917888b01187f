// Pauses between observed values, and how an iteration ends.

import Dispatch
import Testing
import TroveCoding
import TroveTestSupport

@testable import LMDB
@testable import Trove

private struct Failure: Error {}

@Suite("The ends of observation", .hangLimit) struct ObservedEndTests {
    private let store: Store

    init() throws { store = try Store.observedPeople() }

    private func setAge(_ id: Int, _ age: Int) async throws { try await store.setAge(id, age) }

    // MARK: Pauses

    @Test func spacedValues_arePaused_andTheLastIsNotLost() async throws {
        let (asked, mayGoOn) = (Latest<ContinuousClock.Instant>(), WakePoint())
        var spaced = ObservedPerson.query(1).values(in: store).spaced(by: .seconds(1_000)).spaced(by: .seconds(1))
        spaced.sleep = { time in
            asked.add(time)
            await mayGoOn.wait()
        }
        let values = Latest<Int?>()
        let task = Task { [spaced] in for try await person in spaced { values.add(person?.age) } }
        await values.wait { $0.count == 1 }
        let before = ContinuousClock.now
        try await setAge(1, 50)
        await asked.wait { $0.count == 1 }
        // A thousand seconds after the first read, which was before this moment.
        #expect(before.duration(to: asked.values[0]) > .seconds(1) && asked.values[0] < .now + .seconds(1_000))
        try await setAge(1, 51)
        try await setAge(1, 52)
        mayGoOn.wake()
        await values.wait { $0.count == 2 }
        #expect(values.values == [45, 52])
        task.cancel()
    }

    /// A pause begins with a read, whether it has led to a new value or not.
    @Test func readsOfEqualValues_areSpaced() async throws {
        let (asked, mayGoOn, runs) = (Latest<ContinuousClock.Instant>(), WakePoint(), Latest<Int>())
        var spaced = store.observe { context in
            let count = try ObservedPerson.query().count(in: context)
            runs.add(count)
            return count
        }.spaced(by: .seconds(1_000))
        spaced.sleep = { time in
            asked.add(time)
            await mayGoOn.wait()
        }
        let counts = Latest<Int>()
        let task = spaced.collect(into: counts)
        await counts.wait { $0.count == 1 }
        try await setAge(1, 50)
        await asked.wait { $0.count == 1 }
        mayGoOn.wake()
        await runs.wait { $0.count == 2 }
        try await store.insert(ObservedPerson(id: 4, name: "Zorg", age: 50))
        await asked.wait { $0.count == 2 }
        #expect(asked.values[1] > asked.values[0])
        mayGoOn.wake()
        await counts.wait { $0.count == 2 }
        #expect(counts.values == [3, 4] && runs.values == [3, 3, 4])
        task.cancel()
    }

    // MARK: Going back

    /// An environment that was opened again can show an earlier commit. Here, a write sets the number back.
    @Test func aStoreThatHasGoneBack_isReadAgain() async throws {
        var people = ObservedPerson.query(1).values(in: store).makeAsyncIterator()
        var lists = ObservedPerson.filter(\.age >= 40).changes(in: store).makeAsyncIterator()
        #expect(try await people.next()??.age == 45)
        #expect(try await lists.next()?.records.map(\.age) == [45])
        for age in 50..<55 { try await setAge(1, age) }
        #expect(try await people.next()??.age == 54)
        #expect(try await lists.next()?.records.map(\.age) == [54])
        try await store.write { context in
            try context.catalogStorage().setNumber(.commitSequence, 0)
            try ObservedPerson.filter(\.id == 1).update(in: context) { $0.age = 60 }
        }
        #expect(try await people.next()??.age == 60)
        let list = try await lists.next()
        #expect(list?.records.map(\.age) == [60] && list?.commit == 1)
        for age in 61..<64 { try await setAge(1, age) }
        #expect(try await people.next()??.age == 63)
        #expect(try await lists.next()?.records.map(\.age) == [63])
    }

    // MARK: Ends

    private var hasObservers: Bool { store.rounds.state.withLock { $0.hasObservers } }

    @Test func iterationsWithoutConsumers_areGone() async throws {
        do {
            for try await _ in ObservedPerson.query().values(in: store) { break }
            var kept = ObservedPerson.query().values(in: store).makeAsyncIterator()
            _ = try await kept.next()
            #expect(hasObservers)
            _ = ObservedPerson.query().values(in: store).makeAsyncIterator()
        }
        // Rounds that have just begun hold their observers until they end.
        while hasObservers, !Task.isCancelled { await Task.yield() }
        #expect(!hasObservers)
    }

    @Test func aCancelledTask_getsNil() async throws {
        let values = Latest<Int>()
        let task = ObservedPerson.query().count.values(in: store).collect(into: values)
        await values.wait { $0.count == 1 }
        task.cancel()
        try await task.value
        #expect(!hasObservers)
        let start = WakePoint()
        let early = Task { [store] in
            await start.wait()
            var iterator = ObservedPerson.query().count.values(in: store).makeAsyncIterator()
            return try await iterator.next()
        }
        early.cancel()
        #expect(try await early.value == nil)
        #expect(!hasObservers)
    }

    @Test func aTaskCancelledWhileItReads_getsNil() async throws {
        let (began, mayEnd) = (Latest<Int>(), DispatchSemaphore(value: 0))
        let task = Task { [store] in
            var count = 0
            let values = store.observe { context in
                began.add(1)
                mayEnd.wait()
                return try ObservedPerson.query().count(in: context)
            }
            for try await _ in values { count += 1 }
            return count
        }
        await began.wait { $0.count == 1 }
        task.cancel()
        mayEnd.signal()
        #expect(try await task.value == 0)
        #expect(!hasObservers)
    }

    @Test(arguments: [3_600, Int64.max]) func aTaskCancelledInAPause_getsNil(seconds: Int64) async throws {
        let (values, asked) = (Latest<Int>(), Latest<Bool>())
        var spaced = ObservedPerson.query().count.values(in: store).spaced(by: .seconds(seconds))
        let sleep = spaced.sleep
        spaced.sleep = {
            asked.add(true)
            try await sleep($0)
        }
        let task = spaced.collect(into: values)
        await values.wait { $0.count == 1 }
        try await store.delete(ObservedPerson.self, key: 1)
        await asked.wait { $0.count == 1 }
        task.cancel()
        try await task.value
        #expect(values.values == [3])
    }

    @Test func anError_endsTheIteration() async throws {
        var values = store.observe { context in
            let count = try ObservedPerson.query().count(in: context)
            if count > 3 { throw Failure() }
            return count
        }.makeAsyncIterator()
        #expect(try await values.next() == 3)
        try await store.insert(ObservedPerson(id: 4, name: "Zorg", age: 50))
        await #expect(throws: Failure.self) { _ = try await values.next() }
        #expect(try await values.next() == nil)
        #expect(!hasObservers)
    }

    @Test func anErrorOfAQuery_isThrownByTheFirstCall() async throws {
        var values = Query<ObservedPerson>("a", last: .equals(1)).values(in: store).makeAsyncIterator()
        await #expect(throws: StoreError.self) { _ = try await values.next() }
        #expect(!hasObservers)
    }

    @Test func aStore_isOpenWhileItIsObserved_andItsCloseEndsIt() async throws {
        let directory = try TemporaryDirectory()
        var store: Store? = try await Store(path: directory.path("open.trove"), records: [ObservedPerson.self])
        let values = try #require(store).observe(ObservedPerson.query().count)
        weak let observed = store
        store = nil
        #expect(observed != nil)
        var iterator = values.makeAsyncIterator()
        #expect(try await iterator.next() == 0)
        try await observed?.insert(ObservedPerson(id: 1, name: "", age: 1))
        #expect(try await iterator.next() == 1)
        try await observed?.close()
        await #expect(throws: StoreError.transaction(.closed(path: directory.path("open.trove")))) {
            _ = try await iterator.next()
        }
        #expect(try await iterator.next() == nil)
    }

    @Test func manyIterations_leaveNothing() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<(hasSanitizer ? 300 : 3_000) {
                group.addTask { [store] in
                    var seen = 0
                    for try await count in ObservedPerson.query().count.values(in: store) {
                        seen = count
                        if number % 3 > 0 || seen > 3 { break }
                    }
                }
            }
            try await store.insert(ObservedPerson(id: 4, name: "Zorg", age: 50))
            try await group.waitForAll()
        }
        // Rounds that have just begun hold their observers until they end.
        while hasObservers, !Task.isCancelled { await Task.yield() }
        #expect(!hasObservers)
    }
}
