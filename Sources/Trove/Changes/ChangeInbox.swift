// The way of changes from the committing threads to the rounds of observation.
//
//     commit ─▶ add ─┬ rounds idle: wake them
//                    └ rounds awake: they look again before they rest

import LMDB
import Synchronization

/// The changes of this process's commits since observation began, and whether the rounds are awake.
final class ChangeInbox: Sendable {
    private struct State {
        private(set) var log = ChangeLog()
        /// The number of additions to the log.
        private(set) var additions = 0
        /// The extract read last, for the other loops that the same commit wakes; nil after a change of its commits.
        private var known: (first: UInt64, last: UInt64, extract: ChangeLog.Extract)?
        /// Wakes the idle rounds; nil while nothing is observed.
        var wake: (@Sendable () -> Void)?
        var isAwake = false
        /// Whether something has happened since the last ``begin()``.
        var hasNews = false
        /// Whether a store has been closed since the last ``begin()``.
        var hasClosings = false
        /// Whether a thread waits for the announced commit.
        var isAwaited = false

        /// Forgets all changes, and begins again.
        ///
        /// - Parameter wake: Wakes the rounds; nil to end.
        mutating func reset(wake: (@Sendable () -> Void)? = nil) {
            let count = additions + 1
            self = State()
            (additions, self.wake) = (count, wake)
        }

        mutating func add(_ commits: ClosedRange<UInt64>, _ changes: ChangedKeys, isOwn: Bool) {
            log.add(commits, changes, isOwn: isOwn)
            additions += 1
            if let known, known.last >= commits.lowerBound { self.known = nil }
        }

        /// Returns the extract read last if it is of these commits.
        func knownExtract(after first: UInt64, through last: UInt64) -> ChangeLog.Extract? {
            known.flatMap { $0.first == first && $0.last == last ? $0.extract : nil }
        }

        /// Keeps an extract of the log as it was after a number of additions.
        mutating func keep(
            _ extract: ChangeLog.Extract, after first: UInt64, through last: UInt64, additions: Int
        ) {
            if additions == self.additions { known = (first, last, extract) }
        }
    }

    private let state = Monitor(State())
    /// The commit of this process that may have taken effect without being in the log yet; 0 if there is none.
    private let announced = Atomic<UInt64>(0)

    /// Begins to keep changes.
    ///
    /// - Parameter wake: Called on any thread when the rounds must run. It returns at once.
    func open(wake: @escaping @Sendable () -> Void) {
        state.withLock { $0.reset(wake: wake) }
    }

    /// Forgets all changes.
    func close() { state.withLock { $0.reset() } }

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
                state.add(notice.sequence...notice.sequence, notice.changedKeys, isOwn: true)
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

    /// Begins a round: changes from now on are news. Returns whether a store has been closed.
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

    /// Adds the changes of other processes. A round can end after the observation: then nothing is kept.
    func addForeign(_ commits: ClosedRange<UInt64>, _ changes: ChangedKeys) {
        state.withLock { if $0.wake != nil { $0.add(commits, changes, isOwn: false) } }
    }

    /// Returns the changes after a commit, up to another, whose state has been read.
    ///
    /// The committing thread waits for no union: it is computed on a copy of the log.
    func changes(after first: UInt64, through last: UInt64) -> ChangeLog.Extract {
        let (log, additions, known) = state.withLock { state in
            (state.log, state.additions, state.knownExtract(after: first, through: last))
        }
        if let known { return known }
        let extract = log.changes(after: first, through: last)
        state.withLock { $0.keep(extract, after: first, through: last, additions: additions) }
        return extract
    }
}
