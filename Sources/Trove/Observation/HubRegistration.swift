// The registration of an observer.

import LMDB

/// A registration of an observer, removed when it is released. It keeps the store open.
final class HubRegistration: Sendable {
    let store: Store
    private let rounds: Rounds
    let number: Int
    let isPulled: Bool

    init(_ store: Store, _ rounds: Rounds, number: Int, isPulled: Bool) {
        self.store = store
        self.rounds = rounds
        self.number = number
        self.isPulled = isPulled
    }

    deinit { rounds.remove(self) }

    /// Replaces the observed region.
    ///
    /// - Parameters:
    ///   - region: The new region.
    ///   - seen: The commit whose state the observer has read. Later changes in the new region are reported even if the
    ///     rounds have passed them.
    func observe(_ region: ObservedRegion, since seen: UInt64) { rounds.setRegion(region, of: self, since: seen) }
}
