// The watch for commits of other processes, from the first observer of a file to the last.
//
//     rounds rest ─▶ another process writes ─▶ event ─▶ round: wait until reads show the commit, read ─┐
//         ▲  ▲                                                                                       │
//         │  └─ the number of the last transaction is the one that was read ◀── arm, then look ◀─────┤
//         └──── reads do not show the last transaction in time ◀── arm, then look ◀──────────────────┘
//
// The watch is armed only while the rounds rest. So a writer that commits without a pause, in this process or another,
// causes an event for each round, and not for each commit.
//
// A writer stores the meta page of its commit first, and then the number that reads take. The system reports the write
// of the page, and not the write of the number. If reads do not show it within 20 milliseconds, the rounds rest, and
// look again after a while: LateTransaction has the pauses. An event begins the wait again: its writer stores the
// number.

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
        /// The transaction that the last round has read.
        var shown = 0
        /// The last transaction, if new reads did not show it in time.
        var late: LateTransaction?
        /// Whether a look for a late transaction is to come.
        var isLookPending = false
        /// Wakes the rounds again and again, instead of a watch.
        var timer: (any DispatchSourceTimer)?
        var hasWarned = false
    }

    private let state: Monitor<State>
    let watch: FileWatch
    private let refusal: LMDBError?
    private let wake: @Sendable () -> Void

    /// - Parameters:
    ///   - refusal: The error of the system, in a test; nil to watch the file.
    ///   - wake: Wakes the rounds after a write to the file, on any thread.
    init(refusal: LMDBError? = nil, wake: @escaping @Sendable () -> Void) {
        let state = Monitor(State())
        self.state = state
        self.refusal = refusal
        self.wake = wake
        watch = FileWatch {
            // The write may be one of the next writer, with the number that was waited for in vain.
            state.withLock { $0.late = nil }
            wake()
        }
    }

    deinit { stop() }

    /// Begins to watch. The caller looks at the file afterwards.
    ///
    /// - Returns: The error if the system refuses the watch, for ``warn(_:_:)``: it calls code of the program, so the
    ///   caller must hold no lock.
    func start(_ store: Store) -> LMDBError? { prepareForRest(store) }

    /// Ends the watch.
    func stop() {
        watch.stop()
        state.withLock { state in
            state.late = nil
            state.timer?.cancel()
            state.timer = nil
        }
    }

    // MARK: Rounds

    /// Passes over writes until ``mayRest(_:)``: the rounds are awake.
    func pause() { watch.disarm() }

    /// Waits until a new snapshot shows all commits so far, of any process. For a transaction that is late, it
    /// does not wait again.
    ///
    /// - Throws: ``StoreError`` if no read can begin.
    func awaitLastCommit(_ store: Store) throws {
        try translatingErrors {
            let environment = store.environment
            let last = try environment.lastTransaction
            let isLate = state.withLock { $0.late?.number == last }
            let isShown =
                if isLate {
                    try environment.awaitReads(showing: last, within: .zero)
                } else {
                    try environment.awaitReads(showing: last)
                }
            if isShown {
                state.withLock { $0.late = nil }
            } else {
                noteLate(last, store)
            }
        }
    }

    /// Notes the transaction that the snapshot of a round shows.
    func noteShown(_ transaction: Int) { state.withLock { $0.shown = transaction } }

    /// Prepares the rounds for a rest: the next commit of another process will wake them.
    ///
    /// - Returns: Whether they may rest. Otherwise, there has been a commit that the last round has not read.
    func mayRest(_ store: Store) -> Bool {
        guard store.catalog.externalChanges != .never else { return true }
        if let refusal = prepareForRest(store) { warn(store.path, refusal) }
        do throws(LMDBError) {
            let last = try store.environment.lastTransaction
            return state.withLock { $0.shown == last || $0.late?.number == last }
        } catch {
            // The store was closed, which wakes the rounds.
            return true
        }
    }

    /// Returns the error if the system refuses the watch.
    private func prepareForRest(_ store: Store) -> LMDBError? {
        switch store.catalog.externalChanges {
        case .never: return nil
        case .every(let interval):
            startTimer(interval)
            return nil
        case .watch:
            if state.withLock({ $0.timer != nil }) { return nil }
            do throws(LMDBError) {
                if let refusal { throw refusal }
                try watch.arm(on: store.environment)
                return nil
            } catch {
                // Not an `errno`: the store was closed, which wakes the rounds.
                guard error.code.rawValue > 0 else { return nil }
                startTimer(Self.fallbackInterval)
                return error
            }
        }
    }

    // MARK: Late transactions

    /// Whether the last transaction was not shown in time.
    var isLate: Bool { state.withLock { $0.late != nil } }

    /// Notes that reads do not show the last transaction yet, and lets the rounds look again after a while.
    private func noteLate(_ transaction: Int, _ store: Store) {
        let pause: Duration? = state.withLock { state in
            if state.late?.number != transaction { state.late = LateTransaction(number: transaction) }
            guard store.catalog.externalChanges != .never, !state.isLookPending else { return nil }
            let pause = state.late?.nextPause()
            state.isLookPending = pause != nil
            return pause
        }
        guard let pause else { return }
        let end = DispatchTime.now() + .nanoseconds(Int(pause / .nanoseconds(1)))
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: end) { [weak self] in self?.look() }
    }

    private func look() {
        let isLate = state.withLock { state in
            state.isLookPending = false
            return state.late != nil
        }
        if isLate { wake() }
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

    /// Logs once that the system refuses the watch.
    func warn(_ path: String, _ error: LMDBError) {
        let isFirst = state.withLock { state in
            defer { state.hasWarned = true }
            return !state.hasWarned
        }
        guard isFirst else { return }
        Logger(label: "trove").warning(
            "The system refuses to watch a store's file; it is looked at periodically",
            metadata: [
                "path": "\(path)", "interval": "\(Self.fallbackInterval)", "reason": "\(error)",
            ])
    }
}
