// Waiting for rounds.

import LMDB

/// A caller that waits until all changes are delivered.
typealias SettleContinuation = CheckedContinuation<Void, Never>

extension [SettleContinuation] {
    func resume() {
        for continuation in self { continuation.resume() }
    }
}

extension Rounds {
    /// Returns when all commits before the call are delivered, or when the observers have got the error of the rounds.
    func settle() async {
        await withCheckedContinuation { continuation in
            let waits = state.withLock { state in
                if state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if waits { scheduleForWaiting() } else { continuation.resume() }
        }
    }

    /// Runs a round for the callers that wait, at once: the pace is for commits.
    func scheduleForWaiting() { queue.async { self.serveWaiting() } }

    /// Runs a round if callers still wait. After a failure, they wait for the next attempt.
    private func serveWaiting() {
        let (isAwaited, hasFailed) = state.withLock { (!$0.waiting.isEmpty, $0.pace.failures > 0) }
        guard isAwaited else { return }
        // `run` has noted the error: the observers receive it after several failures.
        if hasFailed || (try? runBetween()) == nil { inbox.wake() }
    }

    /// Runs a round on its queue, and waits for it. Without a delivery actor, waits for its deliveries, too.
    ///
    /// In an observer, it only wakes the rounds: they cannot wait for themselves.
    ///
    /// - Throws: ``StoreError`` if no snapshot can be read.
    func runNow() throws {
        if queue.isCurrent || deliveryQueue.isCurrent { return inbox.wake() }
        do {
            // A round leaves out the observers that are being delivered to.
            repeat { waitForDeliveries() } while try !queue.sync { try runBetween() }
        } catch {
            inbox.wake()
            throw error
        }
        waitForDeliveries()
        if delivery.withLock({ $0 }) == nil { waitForLateReadings() }
    }

    /// Runs a round on the queue, and lets the rounds rest or go on as before. Returns whether its results are
    /// delivered without more rounds, as far as a caller can wait for them.
    private func runBetween() throws -> Bool {
        let servesAll = try run()
        if !mayRest { inbox.wake() }
        return servesAll || delivery.withLock { $0 } != nil
    }

    private func waitForDeliveries() {
        if delivery.withLock({ $0 }) == nil { deliveryQueue.sync {} }
    }
}
