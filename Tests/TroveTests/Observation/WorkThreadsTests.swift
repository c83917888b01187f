// The threads of async reads: closures that take long delay no others.

import Foundation
import LMDB
import Synchronization
import Testing
import TroveTestSupport

@testable import Trove

@Suite("Threads of async reads", .hangLimit) struct WorkThreadsTests {
    /// Closures that compute until they are released. As many as there are cores take the threads of a system's queue.
    private final class Spinning: Sendable {
        private let isOver = Atomic(false)
        private let count = Monitor(0)

        func spin() {
            count.withLock { $0 += 1 }
            count.wakeAll()
            // The thread stays ready to run, as one that computes. It leaves the cores to the other tests.
            while !isOver.load(ordering: .relaxed) { sched_yield() }
        }

        func awaitArrivals(_ number: Int) {
            while count.wait(within: .seconds(60), for: { $0 >= number ? () : nil }) == nil {}
        }

        func end() { isOver.store(true, ordering: .relaxed) }
    }

    @Test func workWaitsForNoLongWork() {
        let threads = WorkThreads(label: "trove.test", width: 2)
        let spinning = Spinning()
        for _ in 0..<5 { threads.run { spinning.spin() } }
        let isDone = Monitor(false)
        threads.run {
            isDone.withLock { $0 = true }
            isDone.wakeAll()
        }
        while isDone.wait(within: .seconds(60), for: { $0 ? () : nil }) == nil {}
        spinning.awaitArrivals(5)
        spinning.end()
    }

    @Test func shortWork_isAllDone() {
        let threads = WorkThreads(label: "trove.test", width: 1)
        let done = Monitor<[Int]>([])
        for number in 0..<1000 {
            threads.run {
                done.withLock { $0.append(number) }
                done.wakeAll()
            }
        }
        while done.wait(within: .seconds(60), for: { $0.count == 1000 ? () : nil }) == nil {}
        // A moment without progress, as on a busy machine, gives more threads to those that wait.
        #expect(Set(done.withLock { $0 }) == Set(0..<1000))
    }

    @Test func theLimit_isKept() {
        let threads = WorkThreads(label: "trove.test", width: 1, limit: 3)
        let gate = ObservationGate()
        let running = Monitor((now: 0, most: 0, done: 0))
        for _ in 0..<20 {
            threads.run {
                running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1), $0.done) }
                running.wakeAll()
                gate.pass()
                running.withLock { $0 = ($0.now - 1, $0.most, $0.done + 1) }
                running.wakeAll()
            }
        }
        while running.wait(within: .seconds(60), for: { $0.now == 3 ? () : nil }) == nil {}
        gate.open()
        while running.wait(within: .seconds(60), for: { $0.done == 20 ? () : nil }) == nil {}
        #expect(running.withLock { $0.most } == 3)
    }

    @Test func firstValuesAndReads_waitForNoClosure() async throws {
        // More than the lanes without a standstill, and fewer than the limit.
        let count = min(60, ProcessInfo.processInfo.activeProcessorCount + 2)
        let (store, other) = (try Store.observedPeople(), try Store.observedPeople())
        let spinning = Spinning()
        let loops = (0..<count).map { _ in
            let values = store.observe { context in
                spinning.spin()
                return context.core.identifier
            }
            return Task { for try await _ in values { break } }
        }
        #expect(try await other.read { try ObservedPerson.query().count(in: $0) } == 3)
        #expect(try await store.read { try ObservedPerson.query().count(in: $0) } == 3)
        for store in [store, other] {
            var values = ObservedPerson.query(1).values(in: store).makeAsyncIterator()
            #expect(try await values.next()??.age == 45)
        }
        try await onAThread { spinning.awaitArrivals(count) }
        spinning.end()
        for loop in loops { try await loop.value }
    }
}
