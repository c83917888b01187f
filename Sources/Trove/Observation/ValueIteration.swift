// An iteration over observed values: an observer of a store whose consumer requests the next value.
//
//     consumer   next() ─▶ wait until something has changed ─▶ pass the gate ─▶ read in a snapshot ─▶ equal? wait again
//     rounds     read(round): may the round change the value? ─▶ note it, and wake the consumer
//
// The reader belongs to the consumer while it reads, and to the rounds while nothing has changed. So it needs no lock.
// The first read passes no gate: a first value waits for no other loop.

import LMDB
import TroveCoding

/// An iteration over observed values. It reads when its consumer requests a value.
///
/// There may be thousands of them: all that changes is under a single lock.
final class ValueIteration<Value: Sendable>: RoundObserver {
    private struct State {
        /// Returns the reader; nil once it is made.
        var makeReader: (@Sendable () throws -> any ObservedReader<Value>)?
        /// The commit after which changes count, observed until the iteration is registered.
        var start: ChangesStart?
        /// Nil before the first read, and after the end.
        var reader: (any ObservedReader<Value>)?
        var registration: HubRegistration?
        /// The commit whose state was read last, or which is known to have the same value; nil before the first read.
        var seen: UInt64?
        /// The last commit that may have changed the value.
        var changed: UInt64 = 0
        /// Whether the store went back to a commit before the one seen.
        var hasGoneBack = false
        /// Whether the iteration has yet to read for the first time.
        var isNew = true
        var isReading = false
        var region = ObservedRegion.everything
        var failure: (any Error)?
        var hasEnded = false
        /// The time of the next read; nil for any time.
        var nextRead: ContinuousClock.Instant?
        /// Whether the consumer waits for a change.
        var waiting = WakeState.idle

        /// Whether the next value is to be read.
        var isDue: Bool { isNew || hasGoneBack || failure != nil || (seen.map { $0 < changed } ?? true) }

        /// Notes a round that may have changed the value. Returns whether the consumer must be woken: the round goes
        /// back.
        mutating func note(_ round: Round) -> Bool {
            let commit = round.commits.upperBound
            guard let seen, round.mayGoBack, commit < seen else {
                changed = max(changed, commit)
                return false
            }
            (changed, hasGoneBack) = (commit, true)
            return true
        }
    }

    private let state: Monitor<State>
    private let store: Store
    private let pace: ValuePace

    /// - Parameters:
    ///   - start: The commit after which changes count; nil to begin with a first value.
    ///   - makeReader: Returns the reader. It throws the error of the request.
    init(
        _ store: Store, _ pace: ValuePace, after start: ChangesStart? = nil,
        _ makeReader: @escaping @Sendable () throws -> any ObservedReader<Value>
    ) {
        self.store = store
        self.pace = pace
        state = Monitor(State(makeReader: makeReader, start: start))
    }

    /// Whether the next value is to be read.
    var isDue: Bool { state.withLock { $0.isDue } }

    // MARK: The consumer

    /// Returns the next value; nil after the end, and if the task is cancelled.
    func next() async throws -> Value? {
        do {
            guard try begin() else { return nil }
            var attempts = RoundPace()
            while true {
                while !isDue, !Task.isCancelled { await wait() }
                try await pace.pause(until: state.withLock { $0.nextRead })
                try Task.checkCancellation()
                if let value = try await read(&attempts)?.get() { return value }
            }
        } catch is CancellationError where Task.isCancelled {
            end()
            return nil
        } catch {
            end()
            throw error
        }
    }

    /// Registers before the first read. Returns false after the end.
    private func begin() throws -> Bool {
        let (makeReader, start, hasEnded) = state.withLock { ($0.makeReader, $0.start, $0.hasEnded) }
        guard let makeReader, !hasEnded else { return !hasEnded }
        // The request is released without the lock.
        defer { withExtendedLifetime(makeReader) {} }
        let reader = try makeReader()
        let registration = try store.register(self, for: .everything)
        let seen = try start?.commit
        state.withLock { state in
            (state.makeReader, state.start, state.reader) = (nil, nil, reader)
            (state.registration, state.seen) = (registration, seen)
        }
        withExtendedLifetime(start) {}
        return true
    }

    private func end() {
        // The release of these values may run code of the program.
        let released = state.withLock { state in
            let released = (state.makeReader, state.start, state.reader, state.registration)
            (state.makeReader, state.start, state.reader, state.registration) = (nil, nil, nil, nil)
            state.hasEnded = true
            return released
        }
        withExtendedLifetime(released) {}
    }

    // MARK: Waiting

    /// Returns when ``wake()`` is called, or has been since the last return; at once if the task is cancelled.
    private func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let resumed = state.withLock { $0.waiting.wait(continuation) }
                resumed?.resume()
            }
        } onCancel: {
            wake()
        }
    }

    private func wake() {
        let resumed = state.withLock { $0.waiting.wake() }
        resumed?.resume()
    }

    // MARK: Reading

    /// Reads the value as soon as it is this iteration's turn.
    ///
    /// - Parameter attempts: The failed attempts to begin a read. The next one begins 10 milliseconds to a second
    ///   after a failure.
    /// - Returns: The value, nil if it is equal to the last one, or the error of the request; nil after a failed
    ///   attempt.
    /// - Throws: The error of the last attempt; `CancellationError`.
    private func read(_ attempts: inout RoundPace) async throws -> Result<Value?, any Error>? {
        let isFirst = state.withLock { $0.isNew }
        do {
            let result =
                if isFirst {
                    try await readInSnapshot()
                } else {
                    try await store.rounds.readGate.pass { [self] in try await readInSnapshot() }
                }
            attempts = RoundPace()
            return result
        } catch let error as StoreError where error.isOfABusyStore {
            let now = ContinuousClock.now
            try await pace.pause(until: now + attempts.pause(after: error, at: now))
            return nil
        }
    }

    /// Reads the value in a snapshot.
    ///
    /// - Throws: The error of the beginning of a read; `CancellationError`.
    private func readInSnapshot() async throws -> Result<Value?, any Error> {
        let result = try await store.read(on: Store.observers) { context -> Result<Value?, any Error> in
            Result { try self.read(in: context) }
        }
        // A cancelled task ends its snapshot: the request has not failed.
        if case .failure = result { try Task.checkCancellation() }
        return result
    }

    /// Reads the value in a snapshot. Returns nil if it is equal to the last one.
    private func read(in context: ReadContext) throws -> Value? {
        let commit = try context.catalogStorage().number(.commitSequence)
        let (reader, last, registration, oldRegion) = try state.withLock { state in
            if let failure = state.failure { throw failure }
            let last = state.seen
            if let last, commit < last { (state.seen, state.changed) = (commit, 0) }
            (state.isReading, state.hasGoneBack, state.isNew) = (true, false, false)
            return (state.reader, last, state.registration, state.region)
        }
        defer { state.withLock { $0.isReading = false } }
        guard let reader, let registration else { throw CancellationError() }
        let (isNew, region) = try read(reader, last, commit, in: context)
        state.withLock { ($0.seen, $0.region, $0.nextRead) = (commit, region, pace.nextRead) }
        if region != oldRegion { registration.observe(region, since: commit) }
        return isNew ? try reader.value() : nil
    }

    /// Lets the reader read in the state of a commit.
    ///
    /// - Parameter last: The commit whose state it read last.
    private func read(
        _ reader: any ObservedReader<Value>, _ last: UInt64?, _ commit: UInt64, in context: ReadContext
    ) throws -> (Bool, ObservedRegion) {
        var step = ReadStep(last: last, commit: commit, changes: .everything, isOwn: false)
        if let last, last <= commit {
            let known = try store.rounds.changes(after: last, through: commit, context)
            (step.changes, step.isOwn) = (known.changes, known.isOwn)
        }
        return try context.notingReads { try reader.read(in: context, step) }
    }

    // MARK: The rounds

    var isPulled: Bool { true }

    /// Finds out whether a round may change the value, and wakes the consumer.
    func read(_ round: Round) throws -> Bool {
        let commit = round.commits.upperBound
        let (reader, goesBack) = state.withLock { state -> ((any ObservedReader<Value>)?, Bool) in
            guard let seen = state.seen, !state.isReading, !state.isDue, seen < commit else {
                return (nil, state.note(round))
            }
            return (state.reader, false)
        }
        if goesBack { wake() }
        guard let reader else { return false }
        let mayChange = try reader.mayChange(in: round)
        state.withLock { state in
            if mayChange { state.changed = max(state.changed, commit) } else { state.seen = commit }
        }
        if mayChange { wake() }
        return false
    }

    /// Lets the consumer's next call throw.
    func fail(_ error: any Error) {
        state.withLock { $0.failure = error }
        wake()
    }
}

extension StoreError {
    /// Whether a read may begin a moment later: others have taken all reader slots, or the map is being enlarged.
    var isOfABusyStore: Bool {
        switch self {
        case .transaction(.tooManyReaders), .transaction(.busy): true
        default: false
        }
    }
}
