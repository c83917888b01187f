// The changes that a round has for an observer, and the results.

/// The numbers of a snapshot.
struct RoundSnapshot {
    let commit: UInt64
    /// The number of the environment's transaction.
    let transaction: Int
}

/// Some commits up to the state of a snapshot, and their changes.
struct RoundExtract {
    let commits: ClosedRange<UInt64>
    let changes: RoundChanges
    let isOwn: Bool
}

/// An observer to notify of a round.
struct RoundReading {
    let registration: HubRegistration
    /// The observer; nil if it is gone.
    let observer: (any RoundObserver)?
    let extract: RoundExtract
}

/// An observer with something to deliver, or with an error.
struct RoundResult: Sendable {
    let registration: HubRegistration
    let observer: any RoundObserver
    var error: (any Error)?

    func deliver() {
        if let error { observer.fail(error) } else { observer.deliver() }
    }
}
