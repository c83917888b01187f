// A point where a task waits.

import LMDB

/// A point where a single task waits until it is woken or cancelled.
final class WakePoint: Sendable {
    private let state = Monitor(WakeState.idle)

    /// Returns when ``wake()`` is called, or has been since the last return; at once if the task is cancelled.
    func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let resumed = state.withLock { $0.wait(continuation) }
                resumed?.resume()
            }
        } onCancel: {
            wake()
        }
    }

    /// Lets the waiting task go on, or the next one that waits.
    func wake() {
        let resumed = state.withLock { $0.wake() }
        resumed?.resume()
    }
}
