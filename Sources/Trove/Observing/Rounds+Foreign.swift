// The commits that this process has not told: of other processes, or about to be told.

import LMDB

extension Rounds {
    /// Begins to watch for commits of other processes. Called under the lock, with the first observer.
    func startWatch(_ store: Store) {}

    /// Ends the watch. Called under the lock, after the last observer.
    func stopWatch() {}

    /// Returns the changes after a commit, up to the state of a snapshot.
    func changes(after first: UInt64, through last: UInt64, _ context: ReadContext) throws -> ChangeLog.Extract {
        inbox.awaitAnnounced(upTo: last)
        let known = inbox.changes(after: first, through: last)
        for gap in known.gaps { inbox.addForeign(gap, try foreignChanges(gap, context)) }
        return known.gaps.isEmpty ? known : inbox.changes(after: first, through: last)
    }

    /// Returns the changes of commits of other processes.
    private func foreignChanges(_ commits: ClosedRange<UInt64>, _ context: ReadContext) throws -> ChangedKeys {
        .everything
    }
}
