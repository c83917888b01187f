// Observed values at random: several writers, several consumers of different speed, compared with the states of all
// commits.

import Testing
import TroveCoding
import TroveTestSupport

@testable import LMDB
@testable import Trove

/// A record of a second type. Saving one removes another with the same name.
@IndexKeyRecord("id")
private struct Badge: Hashable {
    #Unique<Badge>(\.name, collisions: .upsert)

    let id: Int
    var name: String
    var age: Int
}

@Suite("Observed values, at random", .hangLimit) struct RandomObservationTests {
    /// The contents of a store.
    private struct Contents: Sendable {
        var items: [Item]
        var badges: [Badge]
    }

    /// The state of the store after each commit.
    private final class States: Sendable {
        private let states = Monitor<[UInt64: Contents]>([:])

        /// Notes the state that a transaction commits.
        func note(_ context: TransactionContext) throws {
            let commit = try context.catalogStorage().number(.commitSequence) + 1
            let contents = Contents(
                items: try Item.query().resolve(in: context), badges: try Badge.query().resolve(in: context))
            states.withLock { $0[commit] = contents }
        }

        /// Returns stores with the states, by the numbers of their commits, in order.
        func stores() throws -> [(commit: UInt64, store: Store)] {
            try states.withLock { $0 }.sorted { $0.key < $1.key }.map { commit, contents in
                let store = try Store.temporary(records: [Item.self, Badge.self])
                try store.insert(contentsOf: contents.items)
                try store.insert(contentsOf: contents.badges)
                return (commit, store)
            }
        }
    }

    /// A result of a query.
    private struct Found: Sendable {
        /// The commit whose state it is; nil if that is not known.
        var commit: UInt64?
        var rows: [[UInt8]]
    }

    /// A query and its results.
    private struct Observed: Sendable {
        let name: String
        let results = Latest<Found>()
        /// Returns the result of a state.
        let expected: @Sendable (ReadContext) throws -> [[UInt8]]
        let task: Task<Void, any Error>

        init<Record: IndexKeyRecord>(_ query: Query<Record>, in store: Store, showsChanges: Bool, isSlow: Bool) {
            name = "\(query)"
            expected = { try query.inSomeOrder.resolve(in: $0).map(Observed.bytes) }
            let found = results
            task = Task {
                if showsChanges {
                    try await Self.follow(query, in: store, found, isSlow)
                } else {
                    for try await records in query.values(in: store) {
                        found.add(Found(rows: records.map(Observed.bytes)))
                        if isSlow { await Task.yield() }
                    }
                }
            }
        }

        /// Notes the lists that changes lead to, from one to the next.
        private static func follow<Record: IndexKeyRecord>(
            _ query: Query<Record>, in store: Store, _ results: Latest<Found>, _ isSlow: Bool
        ) async throws {
            var (keys, commit): ([Record.IndexKey], UInt64) = ([], 0)
            for try await change in query.changes(in: store) {
                #expect(change.commit > commit)
                commit = change.commit
                keys = try #require(keys.applying(change.difference))
                #expect(
                    keys.map { KeyWriter.bytes(of: $0) } == change.records.map { KeyWriter.bytes(of: $0.indexKey) })
                results.add(Found(commit: commit, rows: change.records.map(Observed.bytes)))
                if isSlow { await Task.yield() }
            }
        }

        /// Returns the bytes of a record: equal for equal contents, also of NaN.
        private static func bytes<Record: IndexKeyRecord>(_ record: Record) -> [UInt8] {
            ((try? record.currentBytes()).map { $0.key + [0xFF] + $0.fields }) ?? []
        }
    }

    @Test func eachValue_isTheQuery_atSomeCommit() async throws {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        let states = States()
        let store = try Self.makeStore(states, &generator)
        let leaves = Meaning.all(using: &generator)
        var observed = (0..<6).map { number in
            Observed(
                RandomItemQuery(leaves, using: &generator).query, in: store, showsChanges: number % 3 == 0,
                isSlow: number % 2 == 0)
        }
        for (number, query) in [Badge.query().sorted(by: \.name), Badge.filter(\.age < 3)].enumerated() {
            observed += [true, false].map { showsChanges in
                Observed(query, in: store, showsChanges: showsChanges, isSlow: number == 0)
            }
        }
        try await write(store, states, generator.next())
        // What is observed in the end is the last state.
        for one in observed {
            let last = try await store.read { try one.expected($0) }
            await one.results.wait { $0.last?.rows == last }
        }
        for one in observed { one.task.cancel() }
        for one in observed { try await one.task.value }
        try verify(observed, states, "seed \(seed)")
    }

    private static func makeStore(_ states: States, _ generator: inout SeededGenerator) throws -> Store {
        let store = try Store.temporary(records: [Item.self, Badge.self])
        let items = Item.samples(using: &generator).filter { $0.age > 1 }
        try store.write { context in
            try context.insert(contentsOf: items)
            try context.insert(contentsOf: (0..<4).map { Badge(id: $0, name: "\($0)", age: $0) })
            try states.note(context)
        }
        return store
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
            let types = Int.random(in: 0..<3, using: &generator)
            if types != 0 { try ItemChanges.write(in: context, using: &generator) }
            if types != 1 {
                for _ in 0..<Int.random(in: 1...3, using: &generator) { try change(in: context, &generator) }
            }
            try states.note(context)
        }
    }

    /// Saves a badge, which may replace another one, or removes one.
    private static func change(in context: TransactionContext, _ generator: inout SeededGenerator) throws {
        let id = Int.random(in: 0..<8, using: &generator)
        if Int.random(in: 0..<4, using: &generator) == 0 {
            try context.delete(Badge.self, key: id)
        } else {
            let name = "\(Int.random(in: 0..<6, using: &generator))"
            try context.insert(Badge(id: id, name: name, age: Int.random(in: 0..<6, using: &generator)))
        }
    }

    /// Compares the results with the states: with that of their commit, or with all in order.
    private func verify(_ observed: [Observed], _ states: States, _ text: String) throws {
        let stores = try states.stores()
        for one in observed {
            let results = one.results.values
            let text = "\(text): \(one.name)"
            #expect(zip(results, results.dropFirst()).allSatisfy { $0.rows != $1.rows }, "\(text)")
            var next = 0
            for result in results {
                if let commit = result.commit {
                    let state = try #require(stores.first { $0.commit == commit }, "\(text): commit \(commit)")
                    let expected = try state.store.read { try one.expected($0) }
                    #expect(expected == result.rows, "\(text): commit \(commit)")
                } else {
                    while next < stores.count, try stores[next].store.read({ try one.expected($0) }) != result.rows {
                        next += 1
                    }
                }
            }
            #expect(next < stores.count, "\(text): a value is of no commit, or goes back")
        }
    }

    @Test func iterationsBegunDuringCommits_loseNothing() async throws {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        let store = try Self.makeStore(States(), &generator)
        var item = Item.sample(group: 0, name: "a", using: &generator)
        item.age = 0
        let (text, first) = ("seed \(seed)", item)
        try await store.write { context in
            _ = try Item.query().delete(in: context)
            try context.insert(first)
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
                        var values = Item.query().first.values(in: store).makeAsyncIterator()
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
