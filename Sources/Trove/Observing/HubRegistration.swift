// The registration of an observer.

import LMDB

/// A registration of an observer, removed when it is released. It keeps the store open.
final class HubRegistration: Sendable {
    let store: Store
    let rounds: Rounds
    let number: Int
    let isPulled: Bool
    private let weakObserver: Monitor<WeakObserver>

    private struct WeakObserver { weak var observer: (any RoundObserver)? }

    init(_ observer: any RoundObserver, _ store: Store, _ rounds: Rounds, number: Int) {
        self.store = store
        self.rounds = rounds
        self.number = number
        isPulled = observer.isPulled
        weakObserver = Monitor(WeakObserver(observer: observer))
    }

    /// The observer; nil if it is gone.
    var observer: (any RoundObserver)? { weakObserver.withLock { $0.observer } }

    deinit { rounds.remove(number, of: store) }

    /// Replaces the observed region.
    ///
    /// - Parameters:
    ///   - region: The new region.
    ///   - seen: The commit whose state the observer has read. Later changes in the new region are told even if the
    ///     rounds have passed them.
    func observe(_ region: ObservedRegion, since seen: UInt64) { rounds.setRegion(region, of: number, since: seen) }
}
