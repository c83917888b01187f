// The values that a task has got so far, for tests that wait for them without sleeping.

@testable import LMDB
@testable import Trove

/// The values that a task has got, and the tasks that wait for a state of them.
final class Latest<Value: Sendable>: Sendable {
    private struct State {
        var values: [Value] = []
        var waiting: [(isReady: @Sendable ([Value]) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
        var isCancelled = false
    }

    private let state = Monitor(State())

    var values: [Value] { state.withLock { $0.values } }

    func add(_ value: Value) {
        let ready = state.withLock { state in
            state.values.append(value)
            let ready = state.waiting.filter { $0.isReady(state.values) }
            state.waiting.removeAll { $0.isReady(state.values) }
            return ready
        }
        for one in ready { one.continuation.resume() }
    }

    /// Returns when the values are as a closure says, or when the task is cancelled, as at the suite's time limit.
    func wait(until isReady: @escaping @Sendable ([Value]) -> Bool) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isNow = state.withLock { state in
                    if state.isCancelled || isReady(state.values) { return true }
                    state.waiting.append((isReady, continuation))
                    return false
                }
                if isNow { continuation.resume() }
            }
        } onCancel: {
            let waiting = state.withLock { state in
                state.isCancelled = true
                defer { state.waiting = [] }
                return state.waiting
            }
            for one in waiting { one.continuation.resume() }
        }
    }
}

extension ObservedValues {
    /// Iterates in a task of its own.
    func collect(into latest: Latest<Value>) -> Task<Void, any Error> {
        Task { for try await value in self { latest.add(value) } }
    }
}
