// Who is told of the commits of this process: what observation will stand on.

import LMDB

/// What one commit has changed.
struct CommitNotice: Sendable {
    /// The number of the commit, as the store counts them.
    let sequence: UInt64
    let changedKeys: ChangedKeys
}

/// Those who are told of commits.
final class CommitObservers: Sendable {
    private struct State {
        var observers: [Int: @Sendable (CommitNotice) -> Void] = [:]
        var lastNumber = 0
    }

    private let state = Monitor(State())

    /// Has a closure be called after each commit, until what this gives is let go.
    ///
    /// - Parameter observer: Runs on the thread that has committed, in the order of the commits. The next write waits for
    ///   it: it hands on what it is told, and does nothing else.
    func add(_ observer: @escaping @Sendable (CommitNotice) -> Void) -> CommitObservation {
        let number = state.withLock { state in
            state.lastNumber += 1
            state.observers[state.lastNumber] = observer
            return state.lastNumber
        }
        return CommitObservation(self, number)
    }

    fileprivate func remove(_ number: Int) { state.withLock { $0.observers[number] = nil } }

    /// Tells of a commit.
    func notify(_ notice: @autoclosure () -> CommitNotice) {
        let observers = state.withLock { $0.observers }
        guard !observers.isEmpty else { return }
        let notice = notice()
        for observer in observers.values { observer(notice) }
    }
}

/// What keeps an observer of commits.
final class CommitObservation: Sendable {
    private let observers: CommitObservers
    private let number: Int

    fileprivate init(_ observers: CommitObservers, _ number: Int) {
        self.observers = observers
        self.number = number
    }

    deinit { observers.remove(number) }
}
