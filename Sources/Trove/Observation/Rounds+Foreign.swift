// The commits that this process has not reported: of other processes, or about to be reported.

import LMDB

extension Rounds {
    /// Returns the changes after a commit, up to the state of a snapshot.
    func changes(after first: UInt64, through last: UInt64, _ context: ReadContext) throws -> ChangeLog.Extract {
        inbox.awaitAnnounced(upTo: last)
        var known = inbox.changes(after: first, through: last)
        for gap in known.gaps {
            let changes = try foreignChanges(gap, context)
            inbox.addForeign(gap, changes)
            known.changes.formUnion(changes)
        }
        known.gaps = []
        return known
    }

    /// Returns the changes of commits of other processes, as far as the catalog lists them.
    private func foreignChanges(_ commits: ClosedRange<UInt64>, _ context: ReadContext) throws -> ChangedKeys {
        do {
            return try translatingErrors {
                try context.catalogStorage().recentChanges()?.changes(of: commits) ?? .everything
            }
        } catch StoreError.record(.corrupted), StoreError.record(.checksumMismatch) {
            // The next commit stores the entry again.
            return .everything
        }
    }
}
