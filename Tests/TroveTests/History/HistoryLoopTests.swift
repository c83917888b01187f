// The ends of loops over a history: cancelled tasks, errors, and reads that cannot begin.

import Testing
import TroveTestSupport

@testable import Trove

@Suite("Loops over a history", .hangLimit) struct HistoryLoopTests {
    private typealias Note = Noted.Note

    private func note(_ id: Int) -> Note { Note(id: id, folder: "inbox", text: "\(id)") }

    /// A store with the commit of its option, and one of each note.
    private func store(maximumReaders: Int = 126) throws -> Store {
        let store = try Store.temporary(
            records: Noted.types, options: StoreOptions(maximumReaders: maximumReaders, history: Noted.policy()))
        for id in 0..<3 { try store.insert(note(id)) }
        return store
    }

    private func loop(_ history: StoreHistory, into seen: Latest<HistoryCommit>) -> Task<Void, any Error> {
        Task { for try await commit in history { seen.add(commit) } }
    }

    @Test func aLoopThatIsCancelled_whileItWaits_ends() async throws {
        let store = try store()
        let seen = Latest<HistoryCommit>()
        let task = loop(store.history(), into: seen)
        await seen.wait { $0.count == 4 }
        task.cancel()
        try await task.value
        #expect(seen.values.count == 4)
    }

    @Test func aLoopThatIsCancelled_inItsBody_getsNoMoreCommits() async throws {
        let store = try store()
        let seen = Latest<HistoryCommit>()
        let task = Task {
            for try await commit in store.history() {
                seen.add(commit)
                while !Task.isCancelled { await Task.yield() }
            }
        }
        await seen.wait { $0.count == 1 }
        task.cancel()
        try await task.value
        #expect(seen.values.count == 1)
    }

    @Test func aLoopOfACancelledTask_getsNoCommit() async throws {
        let store = try store()
        let seen = Latest<HistoryCommit>()
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            for try await commit in store.history() { seen.add(commit) }
        }
        task.cancel()
        try await task.value
        #expect(seen.values.isEmpty)
    }

    @Test func anError_endsTheIteration() async throws {
        let store = try store()
        let other = try await Store.temporary(records: Noted.types, options: StoreOptions(history: .keep()))
        let token = try await other.read { try $0.historyToken }
        var iterator = store.history(after: token).makeAsyncIterator()
        await #expect(throws: StoreError.history(.ofOtherStore(path: store.path))) { _ = try await iterator.next() }
        let next = try await iterator.next()
        #expect(next == nil)
    }

    // MARK: Loops that write to their store

    /// Each stored token would be another commit for the loop if its type was not left out.
    @Test func aTokenInTheStoreItself_isNoCommit_ifItsTypeIsLeftOut() async throws {
        let store = try await Store.temporary(
            records: Noted.types + [Noted.Position.self],
            options: StoreOptions(history: .keep().excluding(Noted.Position.self)))
        for id in 0..<3 { try await store.insert(note(id)) }
        let seen = Latest<HistoryCommit>()
        let task = Task {
            for try await commit in store.history() {
                try await store.insert(Noted.Position(name: "loop", token: commit.token), onConflict: .replace)
                seen.add(commit)
            }
        }
        await seen.wait { $0.count == 4 }
        // The commit of this note is the next: none of the tokens comes before it.
        try await store.insert(note(3))
        await seen.wait { $0.count == 5 }
        task.cancel()
        try await task.value
        #expect(try seen.values.map { try words($0, Note.self).keys.map(\.self) } == [[], [0], [1], [2], [3]])
        let token = try await store.read { try Noted.Position.get(in: $0, name: "loop")?.token }
        #expect(token == seen.values.last?.token)
    }

    /// A loop that derives records in the same store passes over its own commits by their author.
    @Test func aLoopThatWrites_passesOverItsAuthor() async throws {
        let store = try store()
        let written = Latest<Int>()
        let task = Task {
            for try await commit in store.history() where commit.author != "loop" {
                let ids = try commit.changes(of: Note.self).compactMap(\.key)
                try await store.write(author: "loop") { context in
                    for id in ids { try context.insert(note(id + 100)) }
                }
                written.add(ids.count)
            }
        }
        await written.wait { $0.count == 4 }
        try await store.insert(note(3))
        await written.wait { $0.count == 5 }
        task.cancel()
        try await task.value
        #expect(written.values == [0, 1, 1, 1, 1])
        let ids = try await store.read { try Note.query().resolve(in: $0).map(\.id) }
        #expect(ids == [0, 1, 2, 3, 100, 101, 102, 103])
    }

    // MARK: Changed rules

    @Test func aLoopThatWaits_isWokenByChangedRules() async throws {
        let directory = try TemporaryDirectory()
        func open(_ policy: HistoryPolicy) async throws -> Store {
            try await Store(
                path: directory.path("a.trove"), records: Noted.types, options: StoreOptions(history: policy))
        }
        let store = try await open(.keep().excluding(Noted.Cache.self))
        try await store.insert(Noted.Cache(id: 1, value: 1))
        let seen = Latest<HistoryCommit>()
        let task = loop(store.history(), into: seen)
        await seen.wait { $0.count == 1 }
        // The type is no longer left out.
        let second = try await open(.keep())
        await seen.wait { $0.count == 2 }
        #expect(try seen.values.last?.changes(of: Noted.Cache.self) == [.any])
        // The history ends.
        let third = try await open(.off)
        await #expect(throws: StoreError.history(.notKept(path: store.path))) { try await task.value }
        #expect(seen.values.count == 2)
        withExtendedLifetime((second, third)) {}
    }

    // MARK: Reads that cannot begin

    /// Takes the only reader of a store until a gate is opened.
    private func takeReader(of store: Store, until gate: ObservationGate) -> RunningThread<Void> {
        let reading = RunningThread { try store.read { _ in gate.pass() } }
        gate.awaitArrival()
        return reading
    }

    @Test func aReadThatCannotBegin_isTriedAgain() async throws {
        let store = try store(maximumReaders: 1)
        let gate = ObservationGate()
        let reading = takeReader(of: store, until: gate)
        let (pauses, mayGoOn, seen) = (Latest<Duration>(), WakePoint(), Latest<HistoryCommit>())
        var history = store.history()
        history.sleep = { pause in
            pauses.add(pause)
            await mayGoOn.wait()
        }
        let task = loop(history, into: seen)
        await pauses.wait { $0.count == 1 }
        #expect(pauses.values == [.milliseconds(10)])
        gate.open()
        try await reading.value()
        mayGoOn.wake()
        await seen.wait { $0.count == 4 }
        task.cancel()
        try await task.value
    }

    @Test func afterSeveralFailures_theLoopThrows() async throws {
        let store = try store(maximumReaders: 1)
        let gate = ObservationGate()
        let reading = takeReader(of: store, until: gate)
        let pauses = Latest<Duration>()
        var history = store.history()
        history.sleep = { pauses.add($0) }
        var iterator = history.makeAsyncIterator()
        await #expect(throws: StoreError.self) { _ = try await iterator.next() }
        #expect(pauses.values.count == RoundPace.patience - 1)
        gate.open()
        try await reading.value()
        let next = try await iterator.next()
        #expect(next == nil)
    }
}
