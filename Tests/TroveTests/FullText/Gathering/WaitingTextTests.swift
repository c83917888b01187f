// Text that is gathered outside of transactions: records wait for it, and are not found meanwhile.

import Synchronization
import Testing
import TroveTestSupport

@testable import Trove

struct WaitingTextTests {
    private struct Undone: Error {}

    private func found(_ text: String, _ store: Store) async throws -> [Int] {
        try await Still.matching(text, index: "Signs").keys(in: store).sorted()
    }

    @Test func savedRecord_waits_andIsNotFoundByItsOldText() async throws {
        let store = try Store.quiet(Still.self)
        try await store.insert(Still(id: 1, file: "stop"))
        #expect(try await store.waitingTexts(of: Still.self) == 1)
        #expect(try await found("stop", store) == [])
        #expect(try await store.gatherTexts(of: Still.self) == 1)
        #expect(try await store.waitingTexts(of: Still.self) == 0)
        #expect(try await found("seen stop", store) == [1])
        try await store.write { context in
            try context.insert(Still(id: 1, file: "exit"))
            #expect(try Still.matching("stop").count(in: context) == 0)
        }
        #expect(try await found("stop OR exit", store) == [])
        #expect(
            try await Still.matching("stop").explain(in: store).contains("waiting for their text: 1 record"))
        #expect(try await store.check() == [])
        #expect(try await store.gatherTexts(of: Still.self) == 1)
        #expect(try await found("exit", store) == [1])
        #expect(try await store.gatherTexts(of: Still.self) == 0)
        #expect(try await store.check(gathering: true) == [])
    }

    @Test func keys_areGatheredAThousandAtATime() async throws {
        let store = try Store.quiet(Still.self)
        try await store.insert(contentsOf: (0..<2_100).map { Still(id: $0, file: "f\($0)") })
        let log = CallLog()
        let count = try await GatheredCalls.$hook.withValue(GatheredCalls.Hook { log.add($0) }) {
            try await store.gatherTexts(of: Still.self)
        }
        #expect(count == 2_100)
        #expect(log.calls.map(\.count) == [1_000, 1_000, 100])
        #expect(log.calls.joined().sorted() == Array(0..<2_100))
        #expect(try await found("f2099", store) == [2_099])
    }

    @Test func recordWithoutText_andDeletedRecord_noLongerWait() async throws {
        let store = try Store.quiet(Still.self)
        try await store.insert(contentsOf: [Still(id: 1, file: "blank"), Still(id: 2, file: "sign")])
        try await store.delete(Still.self, key: 2)
        #expect(try await store.waitingTexts(of: Still.self) == 1)
        #expect(try await store.gatherTexts(of: Still.self) == 1)
        #expect(try await store.waitingTexts(of: Still.self) == 0)
        #expect(try await found("seen", store) == [])
        try await store.insert(Still(id: 3, file: "sign"))
        try await store.write { try Still.query().delete(in: $0) }
        #expect(try await store.waitingTexts(of: Still.self) == 0)
        #expect(try await store.check(gathering: true) == [])
    }

    @Test func recordThatIsSavedMeanwhile_waitsOn() async throws {
        let store = try Store.quiet(Still.self)
        try await store.insert(contentsOf: (1...4).map { Still(id: $0, file: "old") })
        let count = try await GatheredCalls.$hook.withValue(
            GatheredCalls.Hook { _ in
                try await store.insert(Still(id: 2, file: "old"))
                try await store.delete(Still.self, key: 3)
            }
        ) { try await store.gatherTexts(of: Still.self) }
        // The same bytes were saved: the text may have changed all the same.
        #expect(count == 2)
        #expect(try await found("old", store) == [1, 4])
        #expect(try await store.waitingTexts(of: Still.self) == 1)
        #expect(try await store.check() == [])
        #expect(try await store.gatherTexts(of: Still.self) == 1)
        #expect(try await found("old", store) == [1, 2, 4])
    }

    /// The transactions of a compacted copy are counted from the start again, so a save may have the number of an
    /// earlier save.
    @Test func recordThatIsSavedMeanwhile_waitsOn_alsoInACompactedCopy() async throws {
        let directory = try TemporaryDirectory()
        let options = StoreOptions(durability: .noSync, gathersTexts: false)
        let types: [any IndexKeyRecord.Type] = [Still.self, Singer.self]
        let original = try await Store(path: directory.path("original.trove"), records: types, options: options)
        for id in 0..<20 { try await original.insert(Singer(id: id, name: "a")) }
        try await original.insert(Still(id: 1, file: "old"))
        _ = try await original.copy(to: directory.path("copy.trove"), compacting: true)
        let copy = try await Store(path: directory.path("copy.trove"), records: types, options: options)
        let note = try await copy.read { try $0.waiting(Still.schema, 0)?.note(of: KeyWriter.bytes(of: 1)) }
        let last = try #require(note)
        let count = try await GatheredCalls.$hook.withValue(
            GatheredCalls.Hook { _ in
                while try await copy.write({ $0.core.identifier }) < Int(last) {
                    try await copy.insert(Singer(id: 100, name: "b"), onConflict: .replace)
                }
                try await copy.insert(Still(id: 1, file: "new"), onConflict: .replace)
            }
        ) { try await copy.gatherTexts(of: Still.self) }
        #expect(count == 0)
        #expect(try await copy.waitingTexts(of: Still.self) == 1)
        #expect(try await copy.gatherTexts(of: Still.self) == 1)
        #expect(try await found("new", copy) == [1])
    }

    @Test func errorOfTheClosure_leavesItsRecordWaiting() async throws {
        let store = try Store.quiet(Still.self)
        try await store.insert(contentsOf: (0..<1_200).map { Still(id: $0, file: $0 == 1_100 ? "failing" : "fine") })
        await #expect(
            throws: StoreError.text(
                .gatheringFailed(type: "Still", index: "fullText(Signs)", reason: "\(NoText(id: 1_100))"))
        ) { try await store.gatherTexts(of: Still.self) }
        #expect(try await store.waitingTexts(of: Still.self) == 1)
        #expect(try await Still.matching("fine").count(in: store) == 1_199)
        try await store.insert(Still(id: 1_100, file: "fine"))
        #expect(try await store.gatherTexts(of: Still.self) == 1)
    }

    @Test func cancelledTask_gathersNothingMore() async throws {
        let store = try Store.quiet(Still.self)
        try await store.insert(contentsOf: (0..<1_500).map { Still(id: $0, file: "f") })
        let task = Task {
            try await GatheredCalls.$hook.withValue(
                GatheredCalls.Hook { _ in unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
            ) {
                try await store.gatherTexts(of: Still.self)
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await store.waitingTexts(of: Still.self) == 1_500)
    }

    @Test func severalTasks_gatherTheSameTexts() async throws {
        let store = try Store.quiet(Still.self)
        try await store.insert(contentsOf: (0..<1_500).map { Still(id: $0, file: "f\($0 % 10)") })
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<4 { group.addTask { try await store.gatherTexts(of: Still.self) } }
            return try await group.reduce(0, +)
        }
        #expect(counts == 1_500)
        #expect(try await found("f3", store).count == 150)
        #expect(try await store.check(gathering: true) == [])
    }

    @Test func nestedTransaction_thatIsUndone_leavesTheTextAndNoNote() async throws {
        let store = try Store.quiet(Still.self)
        try await store.insert(Still(id: 1, file: "sign"))
        try await store.gatherTexts(of: Still.self)
        try await store.write { context in
            #expect(throws: Undone.self) {
                try context.nested { nested in
                    try nested.insert(Still(id: 1, file: "other"))
                    try nested.insert(Still(id: 2, file: "other"))
                    #expect(try Still.matching("sign").count(in: nested) == 0)
                    throw Undone()
                }
            }
            let count = try Still.matching("sign").count(in: context)
            #expect(count == 1)
        }
        #expect(try await store.waitingTexts(of: Still.self) == 0)
        #expect(try await found("sign", store) == [1])
    }

    @Test func regather_letsRecordsWait() async throws {
        let store = try Store.quiet(Still.self)
        try await store.insert(contentsOf: (0..<10).map { Still(id: $0, file: "sign") })
        try await store.gatherTexts(of: Still.self)
        let count = try await store.write { try Still.filter(\.id < 4).regather(in: $0) }
        #expect(count == 4)
        #expect(try await store.waitingTexts(of: Still.self) == 4)
        #expect(try await found("sign", store) == Array(4..<10))
        #expect(try await store.gatherTexts(of: Still.self) == 4)
        #expect(try await found("sign", store) == Array(0..<10))
    }

    // MARK: The task of a store

    @Test func store_gathersAfterItsCommits_andAtOpening() async throws {
        let file = try MigratedFile.inBackground()
        let quiet = StoreOptions(durability: .noSync, gathersTexts: false)
        do {
            let store = try await Store(path: file.path, records: [Still.self], options: quiet)
            try await store.insert(Still(id: 1, file: "first"))
            try await store.close()
        }
        let store = try await Store(
            path: file.path, records: [Still.self], options: StoreOptions(durability: .noSync))
        try await store.untilGathered(Still.self)
        #expect(try await found("first", store) == [1])
        try await store.insert(Still(id: 2, file: "second"))
        try await store.untilGathered(Still.self)
        #expect(try await found("second", store) == [2])
        try await store.close()
    }

    @Test func task_endsWithTheStore() async throws {
        let gate = Gate()
        weak var released: Store?
        var task: Task<Void, Never>?
        do {
            let store = try Store.quiet(Still.self)
            released = store
            let gatherer = TextGatherer([Still.self]) { _ in await gate.wait() }
            try await store.insert(Still(id: 1, file: "failing"))
            gatherer.start(store)
            await gate.untilWaiting()
            task = gatherer.tasks.first
            gatherer.stop()
        }
        gate.open()
        await task?.value
        // A thread that has just worked for the store may still hold it.
        for _ in 0..<1_000 where released != nil { try await Task.sleep(for: .milliseconds(5)) }
        #expect(released == nil)
    }

    @Test func storeThatIsOnlyReleased_endsItsTask() async throws {
        weak var released: Store?
        var gatherer: TextGatherer?
        do {
            let store = try await Store.temporary(records: [Still.self])
            released = store
            gatherer = store.tasks.first as? TextGatherer
            try await store.insert(Still(id: 1, file: "sign"))
        }
        await gatherer?.end()
        #expect(gatherer?.tasks.isEmpty == true)
        #expect(released == nil)
    }

    @Test func asyncClose_waitsForARunningClosure() async throws {
        let gate = Gate()
        let store = try await Store.temporary(records: [Gated.self])
        Gated.gate.withLock { $0 = gate }
        try await store.insert(Gated(id: 1))
        await gate.untilWaiting()
        let closed = Mutex(false)
        let close = Task {
            try await store.close()
            closed.withLock { $0 = true }
        }
        // The closure still runs.
        #expect(closed.withLock { $0 } == false)
        gate.open()
        try await close.value
        #expect(Gated.hasEnded.withLock { $0 })
    }

    @Test func failures_areRepeatedWithLongerPauses_andNotForever() async throws {
        let pauses = Mutex<[Int]>([])
        let store = try Store.quiet(Still.self)
        let gatherer = TextGatherer([Still.self]) { failures in pauses.withLock { $0.append(failures) } }
        try await store.insert(Still(id: 1, file: "failing"))
        gatherer.start(store)
        await gatherer.end()
        #expect(pauses.withLock { $0 } == Array(1..<TypeTextGatherer.mostFailures))
        // A commit wakes the task again, which pauses first.
        try await store.insert(Still(id: 2, file: "fine"))
        await gatherer.end()
        // The text of the second record is stored. That is a commit, too.
        #expect(pauses.withLock { $0 }.suffix(2) == [TypeTextGatherer.mostFailures, TypeTextGatherer.mostFailures + 1])
        try await store.insert(Still(id: 1, file: "fine"))
        await gatherer.end()
        #expect(try await store.waitingTexts(of: Still.self) == 0)
        let count = pauses.withLock { $0.count }
        try await store.insert(Still(id: 1, file: "sign"))
        await gatherer.end()
        #expect(pauses.withLock { $0.count } == count, "a success is followed by no pause")
        gatherer.stop()
    }

    /// A closure may wait for a task of its own that is cancelled. The store's task goes on.
    @Test func cancellationByTheClosure_isAFailureAsOthers() async throws {
        let store = try Store.quiet(Hesitant.self)
        let gatherer = TextGatherer([Hesitant.self]) { _ in }
        try await store.insert(Hesitant(id: 1))
        gatherer.start(store)
        await gatherer.end()
        #expect(Hesitant.calls.withLock { $0 } == 2)
        #expect(try await store.waitingTexts(of: Hesitant.self) == 0)
        gatherer.stop()
    }

    @Test func closureThatSavesItsOwnRecords_keepsTheTaskNotBusy() async throws {
        let pauses = Mutex(0)
        let store = try Store.quiet(Restless.self)
        let gatherer = TextGatherer([Restless.self]) { _ in pauses.withLock { $0 += 1 } }
        try await store.insert(Restless(id: 1))
        gatherer.start(store)
        while pauses.withLock({ $0 }) < 20 { await Task.yield() }
        gatherer.stop()
        await gatherer.end()
        #expect(Restless.calls.withLock { $0 } <= pauses.withLock { $0 } + 1)
        #expect(try await store.waitingTexts(of: Restless.self) == 1)
    }
}

extension MigratedFile {
    /// Returns a file, in an async test.
    fileprivate static func inBackground() throws -> MigratedFile { try MigratedFile() }
}

extension Store {
    /// Waits until the store's task has gathered all texts of a type.
    fileprivate func untilGathered<Record: IndexKeyRecord>(_ type: Record.Type) async throws {
        while try await waitingTexts(of: type) > 0 {
            for task in tasks { await task.end() }
            await Task.yield()
        }
    }
}

/// A gate at which tasks wait until it is open.
private final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiters: [CheckedContinuation<Void, Never>] = []
        var watchers: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    func wait() async {
        await withCheckedContinuation { continuation in
            let woken = state.withLock { state in
                defer { state.watchers = [] }
                if state.isOpen { return [continuation] + state.watchers }
                state.waiters.append(continuation)
                return state.watchers
            }
            for continuation in woken { continuation.resume() }
        }
    }

    func open() {
        let woken = state.withLock { state in
            state.isOpen = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for continuation in woken { continuation.resume() }
    }

    /// Waits until a task waits at the gate.
    func untilWaiting() async {
        await withCheckedContinuation { continuation in
            let isWaiting = state.withLock { state in
                if !state.waiters.isEmpty { return true }
                state.watchers.append(continuation)
                return false
            }
            if isWaiting { continuation.resume() }
        }
    }
}

/// A record whose closure waits at a gate.
@IndexKeyRecord("id")
private struct Gated {
    #FullTextIndex<Gated>(
        "Texts",
        gathering: { keys, store in
            await Gated.pass()
            return [1: "text"]
        })

    let id: Int

    static let gate = Mutex<Gate?>(nil)
    static let hasEnded = Mutex(false)

    static func pass() async {
        await gate.withLock { $0 }?.wait()
        hasEnded.withLock { $0 = true }
    }
}

/// A record whose closure throws at its first call, as a cancelled task does.
@IndexKeyRecord("id")
private struct Hesitant {
    #FullTextIndex<Hesitant>(
        "Texts",
        gathering: { keys, store in
            if await Hesitant.isFirstCall() { throw CancellationError() }
            return [1: "text"]
        })

    let id: Int

    static let calls = Mutex(0)

    static func isFirstCall() async -> Bool {
        calls.withLock { calls in
            calls += 1
            return calls == 1
        }
    }
}

/// A record whose closure saves it again.
@IndexKeyRecord("id")
private struct Restless {
    #FullTextIndex<Restless>(
        "Texts",
        gathering: { keys, store in
            try await Restless.save(keys, store)
            return [:]
        })

    let id: Int

    static let calls = Mutex(0)

    static func save(_ keys: [Int], _ store: Store) async throws {
        calls.withLock { $0 += 1 }
        for key in keys { try await store.insert(Restless(id: key), onConflict: .replace) }
    }
}
