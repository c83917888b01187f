// The async forms of transactions: values, order, cancellation, and many concurrent tasks.

import Foundation
import Testing
import Trove
import TroveSpellings
import TroveTestSupport

private struct Deliberate: Error {}

@IndexKeyRecord("number")
private struct Account: Hashable {
    let number: Int
    var balance: Int
}

@Suite("Async transactions") struct AsyncTransactionTests {
    let store: Store

    init() throws { store = try Store.temporary() }

    @Test func readsAndWrites_returnWhatTheirClosuresReturn() async throws {
        let count = try await store.write { context in
            try context.insert(contentsOf: (0..<10).map { Tick(number: $0, note: "") })
            return try Tick.query().count(in: context)
        }
        #expect(count == 10)
        #expect(try await store.read { try Tick.query().count(in: $0) } == 10)
        #expect(try await store.withTransaction { try $0.delete(Tick.self, key: 3) })
        #expect(try await store.read { try $0.get(Tick.self, key: 3) } == nil)
    }

    @Test func writesOfOneTask_comeOneAfterTheOther() async throws {
        for number in 0..<50 {
            let seen = try await store.write { context in
                let seen = try Tick.query().count(in: context)
                try context.insert(Tick(number: number, note: ""))
                return seen
            }
            #expect(seen == number)
        }
        #expect(try await store.read { try Tick.query().count(in: $0) } == 50)
    }

    @Test func anError_rollsBack_andComesBack() async throws {
        await #expect(throws: Deliberate.self) {
            try await store.write { context in
                try context.insert(Tick(number: 1, note: ""))
                throw Deliberate()
            }
        }
        await #expect(throws: Deliberate.self) { try await store.read { _ in throw Deliberate() } }
        #expect(try await store.read { try Tick.query().count(in: $0) } == 0)
    }

    @Test func manyTasks_conserveASum() async throws {
        try await store.insert(contentsOf: (0..<10).map { Account(number: $0, balance: 100) })
        let store = store
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<200 {
                group.addTask {
                    var (generator, _) = (SeededGenerator(seed: UInt64(task)), 0)
                    let from = Int.random(in: 0..<10, using: &generator)
                    let to = Int.random(in: 0..<10, using: &generator)
                    if task % 3 == 0 {
                        let sum = try await store.read {
                            try Account.query().select(\.balance).resolve(in: $0).reduce(0, +)
                        }
                        #expect(sum == 1000)
                    }
                    do {
                        try await store.write { context in
                            guard from != to, var payer = try context.get(Account.self, key: from),
                                var payee = try context.get(Account.self, key: to)
                            else { return }
                            payer.balance -= task
                            try context.insert(payer)
                            if task % 10 == 9 { throw Deliberate() }
                            payee.balance += task
                            try context.insert(payee)
                        }
                    } catch is Deliberate {}
                }
            }
            try await group.waitForAll()
        }
        #expect(try await store.read { try Account.query().select(\.balance).resolve(in: $0).reduce(0, +) } == 1000)
        #expect(try await store.read { try Account.query().count(in: $0) } == 10)
    }

    @Test func synchronousAndAsyncWriters_loseNothing() async throws {
        let store = store
        let threads = (0..<4).map { thread in
            RunningThread {
                for number in 0..<50 { try store.insert(Tick(number: thread * 1000 + number, note: "")) }
            }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask {
                    _ = try await store.write { try $0.insert(Tick(number: -1 - number, note: "")) }
                }
            }
            try await group.waitForAll()
        }
        for thread in threads { try await thread.value() }
        #expect(try await store.read { try Tick.query().count(in: $0) } == 300)
    }

    // MARK: Cancellation

    @Test func aTaskCancelledDuringItsWrite_rollsBack_async() async throws {
        let store = store
        let (started, goOn) = (Gate(), Gate())
        let task = Task {
            try await store.write { context in
                try context.insert(Tick(number: 1, note: ""))
                started.open()
                goOn.wait()
            }
        }
        await started.opened()
        task.cancel()
        goOn.open()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await store.read { try Tick.query().count(in: $0) } == 0)
    }

    @Test func aTaskCancelledBeforeItsWrite_neverRunsIt() async throws {
        let store = store
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            try await store.write { context in
                Issue.record("the closure ran")
                try context.insert(Tick(number: 1, note: ""))
            }
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        let reader = Task {
            while !Task.isCancelled { await Task.yield() }
            try await store.read { _ in _ = Issue.record("the closure ran") }
        }
        reader.cancel()
        await #expect(throws: CancellationError.self) { try await reader.value }
    }

    @Test func aCancelledTask_rollsBack_synchronously() async throws {
        let store = store
        let task = Task { try Self.writeSynchronously(store) }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await store.read { try Tick.query().count(in: $0) } == 0)
    }

    /// Cancels its own task in the middle of a write.
    private static func writeSynchronously(_ store: Store) throws {
        try store.write { context in
            try context.insert(Tick(number: 1, note: ""))
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
        }
    }
}

/// A gate opened once; a thread or a task can wait for it.
private final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func open() { semaphore.signal() }

    func wait() { semaphore.wait() }

    func opened() async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                self.wait()
                continuation.resume()
            }
        }
    }
}
