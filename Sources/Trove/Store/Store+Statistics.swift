// The activity of a store.

import LMDB

extension Store {
    /// The activity of the store in this process, and the size of its file.
    ///
    /// ```swift
    /// let statistics = try store.statistics
    /// print(statistics.writes.commits, statistics.openReads, statistics.usedSize)
    /// ```
    ///
    /// No transaction is begun. The counts are read one after the other, while others may change.
    ///
    /// - Throws: ``StoreError``.
    /// - Complexity: O(*n*) in ``StoreOptions/maximumReaders``.
    public var statistics: StoreStatistics {
        get throws {
            let readers = try readers
            return try translatingErrors {
                let info = try environment.info
                let open = environment.shared.openTransactions
                return StoreStatistics(
                    reads: environment.shared.endedReads, openReads: open.reads, writes: catalog.counters.current,
                    waitingWrites: open.writes, lastTransaction: info.lastTransaction,
                    commitsBehind: readers.compactMap(\.commitsBehind).max() ?? 0, usedSize: info.usedSize,
                    mapSize: info.mapSize)
            }
        }
    }
}

extension WriteCounters {
    /// The counts so far.
    fileprivate var current: StoreStatistics.Writes {
        StoreStatistics.Writes(
            begun: writes.load(ordering: .relaxed), commits: commits.load(ordering: .relaxed),
            failedCommits: failedCommits.load(ordering: .relaxed), groups: groups.load(ordering: .relaxed),
            asyncWrites: asyncWrites.load(ordering: .relaxed), largestGroup: largestGroup.load(ordering: .relaxed))
    }
}
