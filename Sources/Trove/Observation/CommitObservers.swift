// The observers of this process's commits, the base of observation.

import LMDB

/// The closures to call after each commit.
final class CommitObservers: Sendable {
    private struct State {
        var observers: [Int: @Sendable (CommitNotice) -> Void] = [:]
        var lastNumber = 0
    }

    private let state = Monitor(State())

    /// Calls a closure after each commit until the returned observation is released.
    ///
    /// - Parameter observer: Runs on the committing thread, in commit order. The next write waits for it, so it
    ///   should only pass the notice on.
    func add(_ observer: @escaping @Sendable (CommitNotice) -> Void) -> CommitObservation {
        let number = state.withLock { state in
            state.lastNumber += 1
            state.observers[state.lastNumber] = observer
            return state.lastNumber
        }
        return CommitObservation { self.remove(number) }
    }

    private func remove(_ number: Int) { state.withLock { $0.observers[number] = nil } }

    /// Calls the observers with a commit's changes.
    func notify(_ notice: @autoclosure () -> CommitNotice) {
        let observers = state.withLock { $0.observers }
        guard !observers.isEmpty else { return }
        let notice = notice()
        for observer in observers.values { observer(notice) }
    }
}
