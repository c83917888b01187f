// The gate of a file's observers: how many read at once, and what a slow read delays.

import Testing
import TroveTestSupport

@testable import LMDB
@testable import Trove

@Suite("Observers and the gate of reads", .hangLimit) struct ObservedGateTests {
    /// A store whose observers pass the gate one at a time.
    private func makeStore() throws -> Store {
        let store = try Store.observedPeople()
        store.catalog.attachments.object { Rounds(store.catalog.hub.inbox, readGate: ReadGate(width: 1)) }
        return store
    }

    @Test func laterReads_passTheGate() async throws {
        struct Running {
            var now = 0
            var most = 0
            var counts = false
        }
        let store = try makeStore()
        let running = Monitor(Running())
        let ages = store.observe { context in
            let counts = running.withLock { running in
                running.now += 1
                running.most = max(running.most, running.now)
                return running.counts
            }
            running.wakeAll()
            // Another read would begin meanwhile.
            if counts { _ = running.wait(within: .milliseconds(50)) { $0.most > 1 ? () : nil } }
            running.withLock { $0.now -= 1 }
            return try context.get(ObservedPerson.self, key: 1)?.age
        }
        let loops = (0..<4).map { _ in
            let values = Latest<Int?>()
            return (values: values, task: ages.collect(into: values))
        }
        for loop in loops { await loop.values.wait { $0.count == 1 } }
        running.withLock { ($0.most, $0.counts) = (0, true) }
        try await store.setAge(1, 50)
        for loop in loops { await loop.values.wait { $0.last == 50 } }
        #expect(running.withLock { $0.most } == 1)
        for loop in loops { loop.task.cancel() }
        for loop in loops { try await loop.task.value }
    }

    @Test func aSlowRead_delaysNoFirstValue_andNoOtherFile() async throws {
        let (store, other) = (try makeStore(), try makeStore())
        let (reads, gate) = (Latest<Bool>(), ObservationGate())
        let slow = store.observe { context in
            reads.add(true)
            if reads.values.count > 1 { gate.pass() }
            return try context.get(ObservedPerson.self, key: 1)?.age
        }
        let ages = Latest<Int?>()
        let task = slow.collect(into: ages)
        await ages.wait { $0.count == 1 }
        try await store.setAge(1, 50)
        await reads.wait { $0.count == 2 }

        var first = ObservedPerson.query().count.values(in: store).makeAsyncIterator()
        #expect(try await first.next() == 3)
        var elsewhere = ObservedPerson.query(1).values(in: other).makeAsyncIterator()
        #expect(try await elsewhere.next()??.age == 45)
        try await other.setAge(1, 60)
        #expect(try await elsewhere.next()??.age == 60)

        gate.open()
        await ages.wait { $0.last == 50 }
        task.cancel()
        try await task.value
    }
}
