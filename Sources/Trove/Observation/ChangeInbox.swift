// The way of changes from the committing threads to the rounds of observation.
//
//     commit ─▶ add ─┬ rounds idle: wake them
//                    └ rounds awake: they look again before they rest

import LMDB
import Synchronization

/// The changes of this process's commits since observation began, and whether the rounds are awake.
final class ChangeInbox: Sendable {
    private struct State {
        var log = ChangeLog()
        /// Wakes the idle rounds; nil while nothing is observed.
        var wake: (@Sendable () -> Void)?
        var isAwake = false
        /// Whether something has happened since the last ``begin()``.
        var hasNews = false
        /// Whether a store has been closed since the last ``begin()``.
        var hasClosings = false
        /// Whether a thread waits for the announced commit.
        var isAwaited = false
    }

    private let state = Monitor(State())
    /// The commit of this process that may have taken effect without being in the log yet; 0 if there is none.
    private let announced = Atomic<UInt64>(0)

    /// Begins to keep changes.
    ///
    /// - Parameter wake: Called on any thread when the rounds must run. It returns at once.
    func open(wake: @escaping @Sendable () -> Void) {
        state.withLock { $0 = State(wake: wake) }
    }

    /// Forgets all changes.
    func close() { state.withLock { $0 = State() } }

    /// Announces a commit that begins.
    func announce(_ commit: UInt64) { announced.store(commit, ordering: .sequentiallyConsistent) }

    /// Takes back the announcement of a commit that nothing observes.
    func forgetAnnouncement() { announced.store(0, ordering: .sequentiallyConsistent) }

    /// Takes back the announcement of a commit that has failed. The rounds wake: ``wakeAfterWrite()`` may have left it
    /// to the commit.
    func retract() { wake { endAnnouncement(&$0) } }

    private func endAnnouncement(_ state: inout State) {
        announced.store(0, ordering: .sequentiallyConsistent)
        if state.isAwaited { self.state.wakeAll() }
        state.isAwaited = false
    }

    /// Adds the changes of a commit, and wakes the rounds.
    func add(_ notice: CommitNotice) {
        wake { state in
            if state.wake != nil {
                state.log.add(notice.sequence...notice.sequence, notice.changedKeys, isOwn: true)
            }
            endAnnouncement(&state)
        }
    }

    /// Wakes the rounds after a store was closed.
    func noteClosing() { wake { $0.hasClosings = true } }

    /// Wakes the rounds.
    func wake() { wake { _ in } }

    /// Wakes the rounds after a write to the file, unless a commit of this process is under way: its end wakes them.
    func wakeAfterWrite() {
        if announced.load(ordering: .sequentiallyConsistent) == 0 { wake() }
    }

    private func wake(_ change: (inout State) -> Void) {
        let wake: (@Sendable () -> Void)? = state.withLock { state in
            change(&state)
            guard let wake = state.wake else { return nil }
            state.hasNews = true
            if state.isAwake { return nil }
            state.isAwake = true
            return wake
        }
        wake?()
    }

    // MARK: Rounds

    /// Begins a round: what happens from now on is news. Returns whether a store has been closed.
    func begin() -> Bool {
        state.withLock { state in
            defer { (state.hasNews, state.hasClosings) = (false, false) }
            return state.hasClosings
        }
    }

    /// Whether something has happened since the round began.
    var hasNews: Bool { state.withLock { $0.hasNews } }

    /// Lets the rounds rest, unless there is news. Returns whether they rest.
    func rest() -> Bool {
        state.withLock { state in
            if !state.hasNews { state.isAwake = false }
            return !state.hasNews
        }
    }

    /// The number of entries of the log.
    var entryCount: Int { state.withLock { $0.log.entries.count } }

    /// Waits a moment if a commit of this process has taken effect, and its changes have not arrived.
    ///
    /// The committing thread adds them at once. Should the system stop the thread just then, the changes count as
    /// unknown.
    func awaitAnnounced(upTo commit: UInt64) {
        guard 1...max(1, commit) ~= announced.load(ordering: .sequentiallyConsistent) else { return }
        _ = state.wait(within: .seconds(1)) { state -> Void? in
            if !(1...max(1, commit) ~= announced.load(ordering: .sequentiallyConsistent)) { return () }
            state.isAwaited = true
            return nil
        }
    }

    /// Adds the changes of other processes.
    func addForeign(_ commits: ClosedRange<UInt64>, _ changes: ChangedKeys) {
        state.withLock { $0.log.add(commits, changes, isOwn: false) }
    }

    /// Returns the changes after a commit, up to another, whose state has been read.
    func changes(after first: UInt64, through last: UInt64) -> ChangeLog.Extract {
        state.withLock { $0.log.changes(after: first, through: last) }
    }
}
