// Deliveries: on the delivery actor, or on a queue. The next delivery begins when the last has ended.

import LMDB

extension Rounds {
    /// Delivers the results of a round, and calls a closure afterwards. Pulled observers have errors alone, which they
    /// get at once.
    func deliver(_ results: [RoundResult], then body: @escaping @Sendable () -> Void = {}) {
        for result in results where result.registration.isPulled { result.deliver() }
        let delivered = results.filter { !$0.registration.isPulled }
        if delivered.isEmpty { return body() }
        guard let actor = delivery.withLock({ $0 }) else {
            return deliveryQueue.async {
                for result in delivered { result.deliver() }
                body()
            }
        }
        Task.detached(priority: .userInitiated) {
            await Self.deliver(delivered, on: actor)
            body()
        }
    }

    private static func deliver(_ results: [RoundResult], on actor: isolated any Actor) {
        for result in results { result.deliver() }
    }

    /// Lets the next round deliver.
    func endDelivery() {
        let (settled, isLeftOut, isAwaited) = state.withLock { state in
            defer { state.served = [] }
            let settled = state.late.wait(state.served)
            return (settled, state[isPulled: false].endRound(), !state.waiting.isEmpty)
        }
        settled.resume()
        if isLeftOut { inbox.wake() }
        if isAwaited { scheduleForWaiting() }
    }

    // MARK: Errors

    /// Notes a round without a snapshot. After several in a row, the observers learn of it.
    func noteFailure(_ error: any Error) {
        let (registrations, settled) = state.withLock { state in
            state.pace.noteFailure(at: .now)
            guard state.pace.failures >= RoundPace.patience else {
                return (State().registrations, [SettleContinuation]())
            }
            defer { state.waiting = [] }
            let isNews = state.pace.failures == RoundPace.patience
            return (isNews ? state.registrations : [], state.waiting)
        }
        fail(registrations) { _ in error }
        settled.resume()
    }

    /// Removes the observers of closed stores, with an error for each.
    func failObserversOfClosedStores() {
        let closed = state.withLock({ $0.registrations }).filter { $0.registration.store.environment.isClosing }
        for (registration, _) in closed { remove(registration) }
        fail(closed) { StoreError.transaction(.closed(path: $0.path)) }
    }

    private func fail(
        _ registrations: [(registration: HubRegistration, observer: (any RoundObserver)?)],
        with error: (Store) -> any Error
    ) {
        deliver(
            registrations.compactMap { registration, observer in
                observer.map { RoundResult(registration: registration, observer: $0, error: error(registration.store)) }
            })
    }
}
