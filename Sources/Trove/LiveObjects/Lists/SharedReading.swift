// The lock of a live list's reading: one thread reads at a time.
//
//     round, page    take ──▶ read, without a lock ──▶ put back, note the next values
//     query                   read, without a lock ──▶ replace, note the next values
//
// A thread that has to read the next page waits for a round that is reading: the round leaves less to read for it. A
// round waits for no thread: the list then follows on a thread of its own. A new query waits for nothing, and the
// thread that has taken the reading of the old query puts it back for nothing.

import LMDB

/// The reading of a live list. One thread takes it at a time, since a window is changed in place.
///
/// Its lock is held for moments only, and never while a query runs: closures of the query are code of the program. A
/// thread waits for another within a snapshot, never before it.
final class SharedReading<Record: IndexKeyRecord>: Sendable {
    private struct State {
        /// The reading; nil while a thread has taken it.
        var reading: ListReading<Record>?
        /// The thread that has taken the reading; 0 if none has.
        var reader: UInt = 0
        /// The number of the list's query. A reading of another query is not put back.
        var queryVersion = 0
        /// The commit, and the number of the rows, that were noted last.
        var commit: UInt64 = 0
        var rowsVersion = 0
        /// Whether a round has come while a thread had taken the reading. The reading does not have its changes.
        var missesRound = false

        mutating func noteVersions(of reading: ListReading<Record>) {
            (commit, rowsVersion) = (reading.commit, reading.rowsVersion)
        }
    }

    private let state: Monitor<State>

    init(_ reading: sending ListReading<Record>) { state = Monitor(State(reading: reading)) }

    /// Calls a closure under the lock.
    func locked<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
        try state.withLock { _ throws(E) in try body() }
    }

    /// Lets a closure read, when no other thread does.
    ///
    /// - Parameters:
    ///   - waits: Whether to wait for a thread that is reading.
    ///   - read: Reads. Returns whether there is something to note.
    ///   - note: Notes the values of the reading, under the lock. Not called if another query has replaced the reading.
    ///   - noteFailure: Notes that reading has failed, in the same way: no other reading comes between.
    /// - Returns: The result of `note`; nil if it was not called.
    /// - Throws: ``StoreError/LiveError/listIsReading(type:)`` in a closure of the list's own query; ``LongReading``
    ///   instead of waiting; the errors of `read`.
    func update<R>(
        waits: Bool = true, _ read: (inout ListReading<Record>) throws -> Bool, note: (inout ListReading<Record>) -> R,
        noteFailure: (any Error) -> R? = { _ in nil }
    ) throws -> R? {
        guard var taken = try waits ? take() : takeIfFree() else { throw LongReading() }
        do {
            let isNews = try read(&taken)
            return putBack(taken, isNews: isNews) { isNews ? note(&$0) : nil }
        } catch {
            // A reading that is left for later has changed nothing as a rule: its rows can be patched.
            if !(error is LongReading) || taken.isTorn { taken.isStale = true }
            taken.followsRounds = false
            let noted = putBack(taken, isNews: false) { _ in noteFailure(error) }
            withExtendedLifetime(noted) {}
            throw error
        }
    }

    /// Takes the reading for a round; nil if a thread has taken it.
    private func takeIfFree() -> ListReading<Record>? {
        let thread = currentThread()
        return state.withLock { state in
            let reading = state.reading.take()
            if reading != nil { state.reader = thread } else { state.missesRound = true }
            return reading
        }
    }

    private func take() throws(StoreError) -> ListReading<Record> {
        let thread = currentThread()
        while true {
            let taken = try state.wait(within: .seconds(3600)) { state throws(StoreError) -> ListReading<Record>? in
                if state.reading == nil, state.reader == thread {
                    throw StoreError.live(.listIsReading(type: Record.schema.name))
                }
                let reading = state.reading.take()
                if reading != nil { state.reader = thread }
                return reading
            }
            if let taken { return taken }
        }
    }

    /// Puts the reading back, and notes it. A reading that was replaced is released, without the lock: its records are
    /// of the program.
    private func putBack<R>(
        _ taken: ListReading<Record>, isNews: Bool, _ note: (inout ListReading<Record>) -> R?
    ) -> R? {
        let result = state.withLock { state -> R? in
            guard state.queryVersion == taken.queryVersion else { return nil }
            var reading = taken
            // The next round reports less than the changes since the commit that was read.
            if state.missesRound { (state.missesRound, reading.followsRounds) = (false, false) }
            let result = note(&reading)
            if isNews { state.noteVersions(of: reading) }
            (state.reading, state.reader) = (reading, 0)
            return result
        }
        state.wakeAll()
        return result
    }

    /// Replaces the reading by a first one of another query, even if a thread has taken it.
    ///
    /// - Parameters:
    ///   - first: The reading of the other query. Stale if the query could not be read.
    ///   - note: Notes the values of the reading, under the lock.
    /// - Returns: The result of `note`; nil if the list has a newer state than the reading. Then nothing changes.
    func replace<R>(by first: ListReading<Record>, note: (inout ListReading<Record>) -> R) -> R? {
        // Released without the lock.
        var old: ListReading<Record>?
        let result = state.withLock { state -> R? in
            guard first.isStale || first.commit >= state.commit else { return nil }
            state.queryVersion += 1
            state.missesRound = false
            var reading = first
            reading.follow(state.queryVersion, commit: state.commit, rowsVersion: state.rowsVersion)
            let result = note(&reading)
            state.noteVersions(of: reading)
            old = state.reading.take()
            (state.reading, state.reader) = (reading, 0)
            return result
        }
        state.wakeAll()
        withExtendedLifetime(old) {}
        return result
    }
}
