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
