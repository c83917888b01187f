// The end of a statement from another thread, such as that of a signal.

import CSQLite
import LMDB

/// The end of the statements that run in a task, from another thread.
@safe package final class StatementInterruption: @unchecked Sendable {
    @safe private struct State {
        var isRaised = false
        /// The connections of the calls that run, the innermost last.
        var handles: [OpaquePointer] = unsafe []
    }

    private let state = Monitor(State())

    /// Creates an interruption that is not raised.
    package init() {}

    /// Whether the statements are to end.
    package var isRaised: Bool { state.withLock { $0.isRaised } }

    /// Ends the statements that run, and those that begin later, by a `CancellationError`.
    package func raise() {
        state.withLock { state in
            state.isRaised = true
            unsafe state.handles.forEach { handle in unsafe sqlite3_interrupt(handle) }
        }
    }

    @unsafe func begin(_ handle: OpaquePointer) { state.withLock { state in unsafe state.handles.append(handle) } }

    @unsafe func end(_ handle: OpaquePointer) {
        state.withLock { state in
            if let index = unsafe state.handles.lastIndex(of: handle) { _ = unsafe state.handles.remove(at: index) }
        }
    }
}
