// The registration of observers, and waiting for rounds.

import LMDB

extension Store {
    /// The rounds of this file in this process.
    var rounds: Rounds { catalog.attachments.object { Rounds(catalog.hub.inbox) } }

    /// Observes a region until the returned registration is released.
    ///
    /// It waits for no writer. It takes the lock of the rounds, which may match changes just then. The first observer
    /// also begins a read, to see which commit new reads show. An observer registers before its first read of a value:
    /// then no commit falls between the two.
    ///
    /// - Throws: ``StoreError/TransactionError/closed(path:)``; ``StoreError/TransactionError/usedAfterFork(path:)``.
    func register(_ observer: some RoundObserver, for region: ObservedRegion) throws -> HubRegistration {
        try checkIsOpen()
        guard environment.shared.isOfThisProcess else { throw StoreError.transaction(.usedAfterFork(path: path)) }
        return rounds.add(observer, region, of: self)
    }

    /// Runs a round now: reads and delivers all commits so far, of any process.
    ///
    /// With a delivery actor, it returns when the delivery is under way.
    ///
    /// - Throws: ``StoreError`` if no snapshot can be read. Then a later round delivers.
    func roundNow() throws {
        try checkIsOpen()
        guard environment.shared.isOfThisProcess else { throw StoreError.transaction(.usedAfterFork(path: path)) }
        try rounds.runNow()
    }

    /// Returns when all commits before the call are delivered.
    func settle() async {
        if environment.shared.isOfThisProcess { await rounds.settle() }
    }
}
