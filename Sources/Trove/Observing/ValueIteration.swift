// An iteration over observed values: an observer of a store whose consumer asks for the next value.
//
//     consumer   next() ─▶ wait until something has changed ─▶ pass the gate ─▶ read in a snapshot ─▶ equal? wait again
//     rounds     read(round): may the round change the value? ─▶ note it, and wake the consumer
//
// The reader belongs to the consumer while it reads, and to the rounds while nothing has changed. So it needs no lock.

import LMDB
import TroveCoding

/// An iteration over observed values. It reads when its consumer asks.
final class ValueIteration<Value: Sendable>: RoundObserver {
    private struct State {
        /// The commit whose state was read last, or which is known to have the same value; nil before the first read.
        var seen: UInt64?
        /// The last commit that may have changed the value.
        var changed: UInt64 = 0
        var isReading = false
        var region = ObservedRegion.everything
        var failure: (any Error)?
        /// Nil before the first read, and after the end.
        var registration: HubRegistration?
        var reader: (any ObservedReader<Value>)?
        var hasEnded = false

        /// Whether the next value is to be read.
        var isDue: Bool { seen.map { $0 < changed } ?? true || failure != nil }
    }

    private let state = Monitor(State())
    private let wakePoint = WakePoint()
    private let store: Store
    private let makeReader: @Sendable () throws -> any ObservedReader<Value>
    private let pace: ValuePace

    init(_ store: Store, _ pace: ValuePace, _ makeReader: @escaping @Sendable () throws -> any ObservedReader<Value>) {
        self.store = store
        self.pace = pace
        self.makeReader = makeReader
    }

    // MARK: The consumer

    /// Returns the next value; nil after the end, and if the task is cancelled.
    func next() async throws -> Value? {
        do {
            guard try begin() else { return nil }
            while true {
                while !state.withLock({ $0.isDue }), !Task.isCancelled { await wakePoint.wait() }
                try await pace.pause()
                try Task.checkCancellation()
                let value = try await ReadGate.shared.pass { [self] in
                    try await store.read { try self.read(in: $0) }
                }
                if let value {
                    pace.noteValue()
                    return value
                }
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
        let (isNew, hasEnded) = state.withLock { ($0.registration == nil, $0.hasEnded) }
        if hasEnded || !isNew { return !hasEnded }
        let reader = try makeReader()
        let registration = try store.register(self, for: .everything)
        state.withLock { ($0.reader, $0.registration) = (reader, registration) }
        return true
    }

    private func end() {
        let registration = state.withLock { state in
            defer { (state.registration, state.reader, state.hasEnded) = (nil, nil, true) }
            return state.registration
        }
        withExtendedLifetime(registration) {}
    }

    /// Reads the value in a snapshot. Returns nil if it is equal to the last one.
    private func read(in context: ReadContext) throws -> Value? {
        let commit = try context.catalogStorage().number(.commitSequence)
        let (reader, last, registration, oldRegion) = try state.withLock { state in
            if let failure = state.failure { throw failure }
            state.isReading = true
            return (state.reader, state.seen, state.registration, state.region)
        }
        defer { state.withLock { $0.isReading = false } }
        guard let reader, let registration else { throw CancellationError() }
        let (isNew, region) = try read(reader, last, commit, in: context)
        state.withLock { ($0.seen, $0.region) = (commit, region) }
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
        let reader: (any ObservedReader<Value>)? = state.withLock { state in
            guard let seen = state.seen, !state.isReading, !state.isDue else {
                state.changed = max(state.changed, commit)
                return nil
            }
            return seen < commit ? state.reader : nil
        }
        guard let reader else { return false }
        let mayChange = try reader.mayChange(in: round)
        state.withLock { state in
            if mayChange { state.changed = max(state.changed, commit) } else { state.seen = commit }
        }
        if mayChange { wakePoint.wake() }
        return false
    }

    /// Lets the consumer's next call throw.
    func fail(_ error: any Error) {
        state.withLock { $0.failure = error }
        wakePoint.wake()
    }
}
