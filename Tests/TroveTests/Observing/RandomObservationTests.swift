// Observed values at random: several writers, several consumers of different speed, compared with the states of all
// commits.

import Testing
import TroveCoding
import TroveTestSupport

@testable import LMDB
@testable import Trove

@Suite("Observed values, at random", .hangLimit) struct RandomObservationTests {
    /// The state of the store after each commit.
    private final class States: Sendable {
        private let states = Monitor<[UInt64: [Item]]>([:])

        /// Notes the state that a transaction commits.
        func note(_ context: TransactionContext) throws {
            let commit = try context.catalogStorage().number(.commitSequence) + 1
            let items = try Item.query().select(in: context)
            states.withLock { $0[commit] = items }
        }

        /// Returns the numbers of the commits in order, and their states.
        var all: [(commit: UInt64, items: [Item])] {
            states.withLock { $0.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }
        }
    }

    /// A query, and its results as bytes: each with the number of its commit if that is known.
    private struct Observed: Sendable {
        var name: String
        var results: Latest<[[UInt8]]>
        var commits: [UInt64]? = nil
        /// Returns the result of a state.
        var expected: @Sendable (ReadContext) throws -> [[UInt8]]
    }

    @Test func eachValue_isTheQuery_atSomeCommit() async throws {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        for _ in 0..<1 {
            try await check(&generator, "seed \(seed)")
        }
    }

    private func check(_ generator: inout SeededGenerator, _ text: String) async throws {
        let states = States()
        let store = try Self.makeStore(states, &generator)
        let leaves = Meaning.all(using: &generator)
        var observed: [Observed] = []
        var tasks: [Task<Void, any Error>] = []
        for number in 0..<6 {
            let query = RandomItemQuery(leaves, using: &generator).query
            let slow = number % 2 == 0
            let one = Observed(name: "\(text): \(query)", results: Latest()) { context in
                try query.inSomeOrder.resolve(in: context).map(\.bytes)
            }
            observed.append(one)
            tasks.append(
                Task {
                    if number % 3 == 0 {
                        try await Self.follow(query, store, one.results, slow)
                    } else {
                        for try await items in query.values(in: store) {
                            one.results.add(items.map(\.bytes))
                            if slow { await Task.yield() }
                        }
                    }
                })
        }
        try await write(store, states, generator.next())
        // What is observed in the end is the last state.
        for one in observed {
            let last = try await store.read { try one.expected($0) }
            await one.results.wait { $0.last == last }
        }
        for task in tasks { task.cancel() }
        for task in tasks { try await task.value }
        try verify(observed, states)
    }

    private static func makeStore(_ states: States, _ generator: inout SeededGenerator) throws -> Store {
        let store = try Store.temporary(records: [Item.self])
        let items = Item.samples(using: &generator).filter { $0.age > 1 }
        try store.write { context in
            try context.insert(contentsOf: items)
            try states.note(context)
        }
        return store
    }

    /// Notes the lists that changes lead to, from one to the next.
    private static func follow(
        _ query: Query<Item>, _ store: Store, _ results: Latest<[[UInt8]]>, _ slow: Bool
    ) async throws {
        var (keys, commit): ([Item.IndexKey], UInt64) = ([], 0)
        for try await change in query.changes(in: store) {
            #expect(change.commit > commit)
            commit = change.commit
            keys = try #require(keys.applying(change.difference))
            #expect(keys.map { KeyWriter.bytes(of: $0) } == change.records.map(\.keyBytes))
            results.add(change.records.map(\.bytes))
            if slow { await Task.yield() }
        }
    }

    /// Writes in three tasks at once, each statement with its state.
    private func write(_ store: Store, _ states: States, _ seed: UInt64) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<3 {
                group.addTask {
                    var generator = SeededGenerator(seed: seed &+ UInt64(writer))
                    for step in 0..<8 {
                        // Synchronous writes never share a commit.
                        try Self.writeOnce(store, states, &generator)
                        if step % 5 == writer { await Task.yield() }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private static func writeOnce(
        _ store: Store, _ states: States, _ generator: inout SeededGenerator
    ) throws {
        try store.write { context in
            try ItemChanges.write(in: context, using: &generator)
            try states.note(context)
        }
    }

    /// Compares the results with the states, in order.
    private func verify(_ observed: [Observed], _ states: States) throws {
        let all = states.all
        var stores: [(commit: UInt64, store: Store)] = []
        for (commit, items) in all {
            let store = try Store.temporary(records: [Item.self])
            try store.insert(contentsOf: items)
            stores.append((commit, store))
        }
        for one in observed {
            let results = one.results.values
            #expect(zip(results, results.dropFirst()).allSatisfy { $0 != $1 }, "\(one.name)")
            var next = 0
            for result in results {
                while next < stores.count, try stores[next].store.read({ try one.expected($0) }) != result { next += 1 }
            }
            #expect(next < stores.count, "\(one.name): a value is of no commit, or goes back")
        }
    }

    @Test func iterationsBegunDuringCommits_loseNothing() async throws {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        let store = try Self.makeStore(States(), &generator)
        let item = Item.sample(group: 0, name: "a", using: &generator)
        let text = "seed \(seed)"
        try await store.write { context in
            _ = try Item.query().delete(in: context)
            try context.insert(item)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for age in 1...100 {
                    try await store.write { context in try Item.query().update(in: context) { $0.age = age } }
                }
            }
            for _ in 0..<4 {
                group.addTask {
                    var last = 0
                    while last < 100 {
                        var values = Item.query().firstOnly.values(in: store).makeAsyncIterator()
                        let first = try #require(await values.next()??.age, "\(text)")
                        #expect(first >= last, "\(text)")
                        last = first
                        if first == 100 { break }
                        let second = try #require(await values.next()??.age, "\(text)")
                        #expect(second > first, "\(text)")
                        last = second
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
