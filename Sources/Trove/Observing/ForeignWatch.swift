// The watch for commits of other processes, from the first observer of a file to the last.
//
//     rounds rest ─▶ another process writes ─▶ event ─▶ round: wait until reads show the commit, read ─┐
//         ▲                                                                                          │
//         └── the number of the last transaction is the one that was read ◀── arm, then look ◀────────┘
//
// The watch is armed only while the rounds rest. So a writer that commits without a pause, in this process or another,
// causes an event for each round, and not for each commit.

import Dispatch
import LMDB
import Logging

/// Wakes the rounds of a file after commits of other processes.
///
/// It holds no store: rounds lend it one.
final class ForeignWatch: Sendable {
    /// The time between two looks at a file that the system does not watch.
    static let fallbackInterval = Duration.milliseconds(250)

    private struct State {
        /// The last transaction at the beginning of the last round.
        var seen = 0
        /// A transaction that new reads did not show in time: its writer was killed before it was published.
        var abandoned: Int?
        /// Wakes the rounds again and again, instead of a watch.
        var timer: (any DispatchSourceTimer)?
        var hasWarned = false
    }

    private let state = Monitor(State())
    let watch: FileWatch
    private let wake: @Sendable () -> Void

    /// - Parameter wake: Wakes the rounds after a write to the file, on any thread.
    init(wake: @escaping @Sendable () -> Void) {
        self.wake = wake
        watch = FileWatch(report: wake)
    }

    deinit { stop() }

    /// Begins to watch. The caller looks at the file afterwards.
    func start(_ store: Store) { prepareForRest(store) }

    /// Ends the watch.
    func stop() {
        watch.stop()
        state.withLock { state in
            state.timer?.cancel()
            state.timer = nil
        }
    }

    // MARK: Rounds

    /// Passes over writes until ``mayRest(_:)``: the rounds are awake.
    func pause() { watch.disarm() }

    /// Waits until a new snapshot shows whatever any process has committed so far.
    ///
    /// - Throws: ``StoreError`` if no read can begin.
    func awaitLastCommit(_ store: Store) throws {
        try translatingErrors {
            let environment = store.environment
            let last = try environment.lastTransaction
            state.withLock { $0.seen = last }
            if state.withLock({ $0.abandoned == last }) { return }
            let isShown = try environment.awaitReads(showing: last)
            state.withLock { $0.abandoned = isShown ? nil : last }
        }
    }

    /// Prepares the rounds for a rest: the next commit of another process will wake them.
    ///
    /// - Returns: Whether they may rest. Otherwise, there has been a commit since the last round began.
    func mayRest(_ store: Store) -> Bool {
        guard store.catalog.externalChanges != .never else { return true }
        prepareForRest(store)
        do throws(LMDBError) {
            return try store.environment.lastTransaction == state.withLock { $0.seen }
        } catch {
            // The store was closed, which wakes the rounds.
            return true
        }
    }

    private func prepareForRest(_ store: Store) {
        switch store.catalog.externalChanges {
        case .never: return
        case .every(let interval): startTimer(interval)
        case .watch:
            if state.withLock({ $0.timer != nil }) { return }
            do throws(LMDBError) {
                try watch.arm(on: store.environment)
            } catch {
                // Not an `errno`: the store was closed, which wakes the rounds.
                guard error.code.rawValue > 0 else { return }
                warn(store, error)
                startTimer(Self.fallbackInterval)
            }
        }
    }

    // MARK: Without a watch

    private func startTimer(_ interval: Duration) {
        state.withLock { state in
            guard state.timer == nil else { return }
            let timer = DispatchSource.makeTimerSource(queue: .global(qos: .utility))
            let nanoseconds = DispatchTimeInterval.nanoseconds(
                Int(max(.milliseconds(1), min(interval, .seconds(1 << 32))) / .nanoseconds(1)))
            timer.schedule(deadline: .now() + nanoseconds, repeating: nanoseconds, leeway: .milliseconds(1))
            timer.setEventHandler { [wake] in wake() }
            timer.activate()
            state.timer = timer
        }
    }

    private func warn(_ store: Store, _ error: LMDBError) {
        let isFirst = state.withLock { state in
            defer { state.hasWarned = true }
            return !state.hasWarned
        }
        guard isFirst else { return }
        Logger(label: "trove").warning(
            "The system refuses to watch a store's file; it is looked at periodically",
            metadata: [
                "path": "\(store.path)", "interval": "\(Self.fallbackInterval)", "reason": "\(error)",
            ])
    }
}
