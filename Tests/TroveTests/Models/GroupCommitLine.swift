// A store whose writer queue a test holds, so that writes queue up and then run together.

import Foundation
import LMDB
import Testing
import Trove
import TroveTestSupport

/// A store and its queue of writes.
final class WriterLine: Sendable {
    /// A write. Returns the numbers of the ticks found at its start.
    typealias Body = @Sendable (TransactionContext) throws -> [Int]

    let store: Store
    /// The environment of the same file, used to count the queue.
    let environment: Environment
    private let directory: TemporaryDirectory?

    /// Opens a store without flushing, because these tests do not depend on it.
    init() throws {
        let directory = try TemporaryDirectory()
        store = try Store(path: directory.path("line.trove"), options: StoreOptions(durability: .noSync))
        environment = try Environment(path: store.path, options: EnvironmentOptions(durability: .noSync))
        self.directory = directory
    }

    /// Uses a store with flushing.
    init(_ store: Store) throws {
        self.store = store
        environment = try Environment(path: store.path)
        directory = nil
    }

    /// The queue after a job with the turn until `end`.
    struct Held {
        private let writers: WriterQueue
        private let mayEnd = DispatchSemaphore(value: 0)

        fileprivate init(_ writers: WriterQueue) async {
            self.writers = writers
            while writers.count > 0 { await Task.yield() }
            writers.enqueue { [mayEnd] in mayEnd.wait() }
        }

        /// Begins a write, and waits until it is in the queue.
        func queue<Begun>(_ begin: () -> Begun) async -> Begun {
            let count = writers.count
            let begun = begin()
            while writers.count == count { await Task.yield() }
            return begun
        }

        func end() { mayEnd.signal() }
    }

    func hold() async -> Held { await Held(environment.writers) }

    /// Runs writes queued in this order. Returns the result of each.
    func write(_ bodies: [Body]) async -> [Result<[Int], any Error>] {
        await run(bodies.map { (store, $0) })
    }

    /// Runs writes to several stores of the file in the same way.
    func run(_ writes: [(store: Store, body: Body)]) async -> [Result<[Int], any Error>] {
        let line = await hold()
        var tasks: [Task<[Int], any Error>] = []
        for (store, body) in writes {
            tasks.append(await line.queue { Task { try await store.write(body) } })
        }
        line.end()
        var results: [Result<[Int], any Error>] = []
        for task in tasks { results.append(await task.result) }
        return results
    }

    /// Returns the number of commits during a closure.
    func commits(_ body: () async throws -> Void) async throws -> Int {
        let before = try sequence()
        try await body()
        return Int(try sequence() - before)
    }

    private func sequence() throws -> UInt64 { try store.commitSequence }

    func ticks() throws -> [Int] { try Tick.query().keys(in: store) }

    /// Inserts a tick, and returns the numbers of the earlier ticks.
    static func insert(_ number: Int, note: String = "", in context: TransactionContext) throws -> [Int] {
        let seen = try Tick.query().keys(in: context)
        try context.insert(Tick(number: number, note: note))
        return seen
    }
}

/// Runs a closure on a store of its own until it returns the expected number, such as the number of commits.
///
/// A group is closed after 10 milliseconds of work, which any group may take on a busy machine. Therefore every
/// expectation of a test holds in each attempt, except the number of groups, which holds in at least one attempt.
func eventually(gives expected: Int, _ attempt: () async throws -> Int) async throws {
    var seen: [Int] = []
    while seen.count < 100 {
        seen.append(try await attempt())
        if seen.last == expected { return }
    }
    Issue.record("\(seen), and never \(expected)")
}

extension Result {
    /// The error, if it is a ``StoreError``.
    var storeError: StoreError? {
        if case .failure(let error) = self { error as? StoreError } else { nil }
    }

    /// Whether the error has this type.
    func failed<Expected: Error>(with type: Expected.Type) -> Bool {
        if case .failure(let error) = self { error is Expected } else { false }
    }

    var value: Success? { try? get() }
}
