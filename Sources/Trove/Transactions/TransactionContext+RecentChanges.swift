// The hints of a commit for other processes: which records it changes.

import LMDB
import TroveCoding

extension TransactionContext {
    /// Stores the changes of this transaction beside the changes of the last commits, in a store that others read.
    ///
    /// - Parameter sequence: The number of the coming commit.
    /// - Returns: The stored entry, for `Catalog.keep(_:after:)`; nil if none is stored.
    func storeRecentChanges(_ sequence: UInt64, in table: CatalogStorage) throws -> RecentChanges? {
        guard catalog.mayStoreRecentChanges, let environment = core.environment,
            try catalog.otherReaders.exist(in: environment)
        else { return nil }
        try use(.changeHints)
        var recent =
            try catalog.takeRecentChanges(before: core.identifier) ?? storedRecentChanges(in: table)
            ?? RecentChanges(after: sequence - 1)
        try recent.add(sequence, changedKeys)
        try table.setRecentChanges(recent)
        return recent
    }

    /// Returns the stored entry; nil if it is absent or damaged. Then it begins again with this commit.
    private func storedRecentChanges(in table: CatalogStorage) throws -> RecentChanges? {
        do {
            return try table.recentChanges()
        } catch StoreError.record(.corrupted), StoreError.record(.checksumMismatch) {
            return nil
        }
    }
}
