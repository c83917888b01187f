// The task of a store that gathers the texts of a type.
//
//     wake ─▶ task: gather ─┬ done, not woken meanwhile: the task ends
//                           ├ woken meanwhile: again
//                           └ failed: wait 1, 2, … 64 s, then again; after 8 failures for a wake
//
// The task has no strong reference to the store while it waits. It ends with the store.

import LMDB
import Logging

/// Gathers the texts of a type of a store in a task, whenever records may wait.
final class TypeTextGatherer: Sendable {
    /// The number of failures in a row after which only a commit wakes the task. It then waits as long as before.
    static let mostFailures = 8

    private struct State {
        weak var store: Store?
        var observation: CommitObservation?
        var task: Task<Void, Never>?
        var isWoken = false
        var hasEnded = false
        /// The number of failed runs in a row.
        var failures = 0
    }

    /// Whether the current task belongs to a gatherer, which must not wait for its own end, nor for the end of another
    /// gatherer, which may wait for it.
    @TaskLocal private static var isRunning = false

    private let schema: RecordSchema
    private let state = Monitor(State())
    /// Waits before another attempt.
    private let pause: @Sendable (_ failures: Int) async throws -> Void

    init(_ schema: RecordSchema, pause: @escaping @Sendable (_ failures: Int) async throws -> Void) {
        self.schema = schema
        self.pause = pause
    }

    /// Begins to gather: now, and after each commit of this process that changes records of the type.
    func start(_ store: Store) {
        let types: Set = [schema.keyPrefix]
        // A commit may wake the task as soon as it is observed.
        state.withLock { $0.store = store }
        let observation = store.catalog.hub.add { [weak self] notice in
            if notice.changedKeys.mayChange(types) { self?.wake() }
        }
        // Of a gatherer that has been stopped meanwhile, the observation ends when this returns.
        state.withLock { if !$0.hasEnded { $0.observation = observation } }
        wake()
    }

    /// Ends the task at its next step, and begins no other.
    func stop() {
        var observation: CommitObservation?
        let task = state.withLock { state in
            state.hasEnded = true
            swap(&observation, &state.observation)
            return state.task
        }
        task?.cancel()
    }

    /// Returns when the task has ended. The task of a gatherer does not wait.
    func end() async {
        if Self.isRunning { return }
        await task?.value
    }

    // MARK: The task

    /// The running task; nil if none runs.
    var task: Task<Void, Never>? { state.withLock { $0.task } }

    private func wake() {
        state.withLock { state in
            if state.hasEnded { return }
            state.isWoken = true
            if state.task == nil { state.task = newTask() }
        }
    }

    private func newTask() -> Task<Void, Never> { Task.detached(priority: .utility) { await self.run() } }

    private func run() async {
        await Self.$isRunning.withValue(true) {
            do {
                while try await prepare() { try await gather() }
            } catch {
                // Canceled: the store is closed or released. Otherwise, a commit may have woken this task meanwhile.
                state.withLock { $0.task = $0.isWoken && !$0.hasEnded ? newTask() : nil }
            }
        }
    }

    /// Waits after a failure. Returns false at the end of the task.
    private func prepare() async throws -> Bool {
        let (mayRun, failures) = state.withLock { state in
            let mayRun = !state.hasEnded && (state.isWoken || 1..<Self.mostFailures ~= state.failures)
            if !mayRun { state.task = nil }
            return (mayRun, state.failures)
        }
        if mayRun, failures > 0 { try await pause(failures) }
        state.withLock { if mayRun { $0.isWoken = false } }
        return mayRun
    }

    /// Gathers the waiting texts, and notes whether it failed.
    private func gather() async throws {
        try Task.checkCancellation()
        guard let store = state.withLock({ $0.store }) else { throw CancellationError() }
        let schema = schema
        var hasFailed = false
        do {
            let count = try await store.gatherTexts(of: schema)
            // Records that are saved again and again by their own gathering must not keep the task busy.
            if count == 0, try await store.read({ try $0.waitingTexts(of: schema, isAsync: true) }) > 0 {
                hasFailed = true
            }
        } catch let error as CancellationError where Task.isCancelled {
            throw error
        } catch StoreError.transaction(.closed) {
            throw CancellationError()
        } catch {
            hasFailed = true
            Logger(label: "trove").warning(
                "Texts could not be gathered",
                metadata: ["path": "\(store.path)", "type": "\(schema.qualifiedName)", "error": "\(error)"])
        }
        state.withLock { $0.failures = hasFailed ? $0.failures + 1 : 0 }
    }
}
