// The hub of changes: the changes of this process's commits go from here to all observers.
//
//     commit ─▶ publish ─┬ listeners, on the committing thread: builds of indexes, gatherers of texts
//                        └ inbox ─▶ rounds, on a queue of their own: observers

import LMDB
import Synchronization

/// The observation of an open file in this process.
final class ChangeHub: Sendable {
    private struct State {
        var listeners: [Int: @Sendable (CommitNotice) -> Void] = [:]
        var lastNumber = 0
    }

    private let state = Monitor(State())
    /// The number of listeners, and one more while the rounds have observers.
    private let uses = Atomic<Int>(0)
    let inbox = ChangeInbox()

    /// Whether something is observed.
    ///
    /// Set before an observer's first read, and read after a commit, both sequentially consistent: of a commit and an
    /// observer that begin at once, either the read sees the commit or the commit is reported.
    var isActive: Bool { uses.load(ordering: .sequentiallyConsistent) > 0 }

    /// Announces a commit that begins: also where nothing is observed, since an observer may begin meanwhile.
    func announce(_ commit: UInt64) { inbox.announce(commit) }

    /// Publishes the changes of an announced commit to all observers. Called by the committing thread, which has the
    /// writer's turn.
    func publish(_ notice: @autoclosure () -> CommitNotice) {
        guard isActive else { return endUnobserved() }
        let notice = notice()
        inbox.add(notice)
        let listeners = state.withLock { $0.listeners }
        for listener in listeners.values { listener(notice) }
    }

    /// Publishes that an announced commit has failed. If it may have taken effect, any record may have changed.
    func publishFailure(of commit: UInt64, _ outcome: CommitOutcome?) {
        if outcome == .unknown {
            publish(CommitNotice(sequence: commit, changedKeys: .everything))
        } else if isActive {
            inbox.retract()
        } else {
            endUnobserved()
        }
    }

    /// Takes an announcement back. An observer that has begun since may wait for its end, or have left it to the commit
    /// to wake the rounds.
    private func endUnobserved() {
        inbox.forgetAnnouncement()
        if isActive { inbox.retract() }
    }

    /// Wakes the rounds, after commits of other processes.
    func wake() { inbox.wake() }

    /// Calls a closure after each commit until the returned observation is released.
    ///
    /// - Parameter listener: Runs on the committing thread, in commit order. The next write waits for it, so it
    ///   should only pass the notice on.
    func add(_ listener: @escaping @Sendable (CommitNotice) -> Void) -> CommitObservation {
        let number = state.withLock { state in
            state.lastNumber += 1
            state.listeners[state.lastNumber] = listener
            return state.lastNumber
        }
        beginUse()
        return CommitObservation { self.remove(number) }
    }

    private func remove(_ number: Int) {
        let removed = state.withLock { $0.listeners.removeValue(forKey: number) }
        if removed != nil { endUse() }
    }

    func beginUse() { uses.wrappingAdd(1, ordering: .sequentiallyConsistent) }

    func endUse() { uses.wrappingSubtract(1, ordering: .sequentiallyConsistent) }
}
