// The run of a round.

import LMDB

extension Rounds {
    /// Runs a round on the queue, as soon as the pace allows it.
    ///
    /// The committing thread takes no lock of the rounds: they may hold it while they match.
    func schedule() {
        queue.async {
            guard let pause = self.state.withLock({ $0.pace.pause(at: .now) }) else { return self.runAndGoOn() }
            self.queue.async(after: pause) { self.runAndGoOn() }
        }
    }

    /// Runs a round, and goes on while there are changes, or after a failure that ``run()`` has noted.
    private func runAndGoOn() {
        // `run` has noted the error: the observers receive it after several failures.
        let hasRead = (try? run()) != nil
        let isDone = hasRead && mayRest && inbox.rest()
        if !isDone { schedule() }
    }

    /// Whether neither this process nor another has committed since the last round began. If so, the next commit of
    /// another process wakes the rounds.
    var mayRest: Bool { !inbox.hasNews && anyStore.map(foreign.mayRest) ?? true }

    /// Runs a round, on the queue of the rounds. Commits of other processes wake no rounds until ``mayRest`` is read.
    ///
    /// - Returns: Whether no observer was left out because of a delivery under way.
    /// - Throws: ``StoreError`` if no snapshot can be read. It is noted for the next attempt.
    func run() throws -> Bool {
        let start = ContinuousClock.now
        var servesAll = true
        awaitStart()
        foreign.pause()
        if inbox.begin() { failObserversOfClosedStores() }
        do {
            while let store = anyStore {
                do {
                    servesAll = try runRound(store)
                    break
                } catch StoreError.transaction(.closed) where store.environment.isClosing {
                    failObserversOfClosedStores()
                }
            }
        } catch {
            noteFailure(error)
            throw error
        }
        let isBusy = inbox.hasNews
        state.withLock { $0.pace.noteRound(from: start, to: .now, isBusy: isBusy) }
        return servesAll
    }

    /// The store of any observer; nil without observers.
    private var anyStore: Store? {
        let registration = state.withLock { $0.anyRegistration }
        return registration?.store
    }

    private func runRound(_ store: Store) throws -> Bool {
        // Callers that begin to wait from now on wait for a later snapshot.
        let waiting = state.withLock { $0.waiting.count }
        try foreign.awaitLastCommit(store)
        let (results, hasTakenDelivered) = try store.readToEnd { context in
            let (pulled, delivered) = try takeReadings(context, waiting: waiting)
            return (read(pulled ?? [], context) + read(delivered ?? [], context), delivered != nil)
        }
        deliver(results) { if hasTakenDelivered { self.endDelivery() } }
        return hasTakenDelivered
    }

    // MARK: Reading

    /// Returns the observers that the changes touch, and counts the changes as reported; nil for busy observers.
    private func takeReadings(
        _ context: ReadContext, waiting: Int
    ) throws -> (pulled: [RoundReading]?, delivered: [RoundReading]?) {
        let snapshot = RoundSnapshot(
            commit: try context.catalogStorage().number(.commitSequence), transaction: context.core.identifier)
        foreign.noteShown(snapshot.transaction)
        let pulled = try extracts(isPulled: true, snapshot, context)
        let delivered = try extracts(isPulled: false, snapshot, context)
        return state.withLock { state in
            state.count += 1
            let readings = (
                state[isPulled: true].take(pulled.all, late: pulled.late, upTo: snapshot.commit),
                state[isPulled: false].take(delivered.all, late: delivered.late, upTo: snapshot.commit)
            )
            if readings.1 != nil {
                let count = min(waiting, state.waiting.count)
                state.served += state.waiting.prefix(count)
                state.waiting.removeFirst(count)
            }
            return readings
        }
    }

    /// Returns the changes for the observers of a track, and the changes for its observers with a new region.
    private func extracts(
        isPulled: Bool, _ snapshot: RoundSnapshot, _ context: ReadContext
    ) throws -> (all: RoundExtract?, late: [Int: RoundExtract]) {
        let (base, late) = state.withLock { ($0[isPulled: isPulled].base(of: snapshot), $0[isPulled: isPulled].late) }
        return (
            try extract(after: base, in: snapshot, context),
            try late.compactMapValues { try extract(after: $0, in: snapshot, context) }
        )
    }

    /// Returns the changes after a commit; nil for none.
    ///
    /// - Parameter first: The commit; nil if it is unknown, so that anything may have changed.
    private func extract(
        after first: UInt64?, in snapshot: RoundSnapshot, _ context: ReadContext
    ) throws -> RoundExtract? {
        guard let first else {
            return RoundExtract(
                commits: snapshot.commit...snapshot.commit, changes: RoundChanges(.everything), isOwn: false)
        }
        guard first < snapshot.commit else { return nil }
        let known = try changes(after: first, through: snapshot.commit, context)
        return RoundExtract(
            commits: first + 1...snapshot.commit,
            changes: RoundChanges(known.changes), isOwn: known.isOwn)
    }

    /// Lets observers read. Returns the observers with something to deliver, or with an error.
    private func read(_ readings: [RoundReading], _ context: ReadContext) -> [RoundResult] {
        readings.compactMap { reading in
            guard let observer = reading.observer else { return nil }
            var result = RoundResult(registration: reading.registration, observer: observer)
            do {
                return try observer.read(Round(context, reading.extract)) ? result : nil
            } catch {
                result.error = error
                return result
            }
        }
    }
}
