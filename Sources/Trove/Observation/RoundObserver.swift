// The observers that are notified of changes: objects, lists, and the iterators of sequences.

/// An observer of a store, which is notified of changes in rounds.
///
/// Rounds keep no strong reference to an observer.
protocol RoundObserver: AnyObject, Sendable {
    /// Whether a consumer requests results. Such an observer notes a change in ``read(_:)``, and is never delivered to:
    /// so no round waits for its consumer. False by default.
    var isPulled: Bool { get }

    /// Reads the changes of the round, on the queue of the rounds, in the snapshot of the round.
    ///
    /// Called only if the round may have changed something in the observer's region. The first round after
    /// registration may have changes that the observer's own first read has seen, and may even end before it: an
    /// observer keeps the number of the commit that it has read, and never goes back to an older state, except with a
    /// round that ``Round/mayGoBack``.
    ///
    /// - Returns: Whether something is to be delivered.
    func read(_ round: Round) throws -> Bool

    /// Takes over the values that were read, after all observers have read and the snapshot has ended. The next round
    /// of delivered observers begins afterwards.
    ///
    /// It runs on the delivery actor of the store if there is one, and otherwise on a queue for deliveries.
    func deliver()

    /// Receives the error of ``read(_:)``, or of a round that could not read: where ``deliver()`` runs, or, of a pulled
    /// observer, on the queue of the rounds.
    func fail(_ error: any Error)
}

extension RoundObserver {
    var isPulled: Bool { false }

    func deliver() {}
}
