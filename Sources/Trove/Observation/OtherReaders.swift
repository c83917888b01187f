// Whether other processes read a store. If none does, commits need not list their changes for others.

import LMDB

/// Looks for readers of other processes, now and then: a look takes longer than a small commit may.
final class OtherReaders: Sendable {
    /// The time for which the result of a look holds. A process that begins to read in that time takes the commits
    /// until its end for unknown.
    static let interval = Duration.milliseconds(10)

    private let last = Monitor<(moment: ContinuousClock.Instant, exist: Bool)?>(nil)

    /// Returns whether another process reads an environment, or has done so and is still open.
    func exist(in environment: SharedEnvironment) throws(LMDBError) -> Bool {
        let now = ContinuousClock.now
        if let last = last.withLock({ $0 }), now - last.moment < Self.interval { return last.exist }
        let exist = try environment.hasReadersElsewhere()
        last.withLock { $0 = (now, exist) }
        return exist
    }
}
