// A point where a task waits.

import LMDB

/// A point where a single task waits until it is woken or cancelled.
final class WakePoint: Sendable {
    private enum State {
        case idle
        case waiting(CheckedContinuation<Void, Never>)
        /// Woken while no task was waiting: the next one does not wait.
        case woken
    }

    private let state = Monitor(State.idle)

    /// Returns when ``wake()`` is called, or has been since the last return; at once if the task is cancelled.
    func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let previous = state.withLock { state in
                    defer { if case .woken = state { state = .idle } else { state = .waiting(continuation) } }
                    return state
                }
                switch previous {
                case .idle: break
                case .waiting(let other): other.resume()
                case .woken: continuation.resume()
                }
            }
        } onCancel: {
            wake()
        }
    }

    /// Lets the waiting task go on, or the next one that waits.
    func wake() {
        let previous = state.withLock { state in
            defer { if case .waiting = state { state = .idle } else { state = .woken } }
            return state
        }
        if case .waiting(let continuation) = previous { continuation.resume() }
    }
}
