// A store whose writers' turn a test holds, so that writes line up behind it and then run together.

import Foundation
import LMDB
import Testing
import Trove
import TroveTestSupport

/// A store, and the line of those who want to write to it.
final class WriterLine: Sendable {
    /// What one write does; gives the numbers of the ticks that it saw first.
    typealias Body = @Sendable (TransactionContext) throws -> [Int]

    let store: Store
    /// The same file from below: where the queue can be counted.
    let environment: Environment
    private let directory: TemporaryDirectory?

    /// Nothing is flushed: the flushing is not what these tests look at.
    init() throws {
        let directory = try TemporaryDirectory()
        store = try Store(path: directory.path("line.trove"), options: StoreOptions(durability: .noSync))
        environment = try Environment(path: store.path, options: EnvironmentOptions(durability: .noSync))
        self.directory = directory
    }

    /// The line of a store that flushes.
    init(_ store: Store) throws {
        self.store = store
        environment = try Environment(path: store.path)
        directory = nil
    }

    /// The line behind a job that has the turn until `end`.
    struct Held {
        private let writers: WriterQueue
        private let mayEnd = DispatchSemaphore(value: 0)

        fileprivate init(_ writers: WriterQueue) async {
            self.writers = writers
            while writers.count > 0 { await Task.yield() }
            writers.enqueue { [mayEnd] in mayEnd.wait() }
        }

        /// Begins something that writes, and waits until it stands in the line.
        func queue<Begun>(_ begin: () -> Begun) async -> Begun {
            let count = writers.count
            let begun = begin()
            while writers.count == count { await Task.yield() }
            return begun
        }

        func end() { mayEnd.signal() }
    }

    func hold() async -> Held { await Held(environment.writers) }

    /// Runs writes that have lined up in this order, and gives how each ended.
    func write(_ bodies: [Body]) async -> [Result<[Int], any Error>] {
        await run(bodies.map { (store, $0) })
    }

    /// The same for writes to several stores on the file.
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

    /// How often a closure made the store commit.
    func commits(_ body: () async throws -> Void) async throws -> Int {
        let before = try sequence()
        try await body()
        return Int(try sequence() - before)
    }

    private func sequence() throws -> UInt64 { try store.commitSequence }

    func ticks() throws -> [Int] { try Tick.query().keys(in: store) }

    /// Inserts a tick, and gives those that were there before.
    static func insert(_ number: Int, note: String = "", in context: TransactionContext) throws -> [Int] {
        let seen = try Tick.query().keys(in: context)
        try context.insert(Tick(number: number, note: note))
        return seen
    }
}

/// Runs a closure on a store of its own, such as one that counts commits, until it gives what is expected.
///
/// A group that was at work for 10 milliseconds is closed, which on a busy machine any can be. So all that a test
/// expects holds in every attempt, but the number of groups only in one of them.
func eventually(gives expected: Int, _ attempt: () async throws -> Int) async throws {
    var seen: [Int] = []
    while seen.count < 100 {
        seen.append(try await attempt())
        if seen.last == expected { return }
    }
    Issue.record("\(seen), and never \(expected)")
}

extension Result {
    /// The error, where it is one of the store's.
    var storeError: StoreError? {
        if case .failure(let error) = self { error as? StoreError } else { nil }
    }

    /// Whether it is an error of that type.
    func failed<Expected: Error>(with type: Expected.Type) -> Bool {
        if case .failure(let error) = self { error is Expected } else { false }
    }

    var value: Success? { try? get() }
}
