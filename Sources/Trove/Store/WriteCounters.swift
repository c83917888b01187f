// The counts of a process's writes to a store, for `Store.statistics`.

import Synchronization

/// Counters of writes. Each is changed by the writer that has the turn, and read by any thread.
final class WriteCounters: Sendable {
    private let writes = Atomic<Int>(0)
    private let commits = Atomic<Int>(0)
    private let failedCommits = Atomic<Int>(0)
    private let groups = Atomic<Int>(0)
    private let asyncWrites = Atomic<Int>(0)
    private let largestGroup = Atomic<Int>(0)

    func noteWrite() { writes.add(1, ordering: .relaxed) }

    func noteCommit() { commits.add(1, ordering: .relaxed) }

    func noteFailedCommit() { failedCommits.add(1, ordering: .relaxed) }

    /// Counts a group of async writes with one transaction.
    func noteGroup(of count: Int) {
        groups.add(1, ordering: .relaxed)
        asyncWrites.add(count, ordering: .relaxed)
        largestGroup.max(count, ordering: .relaxed)
    }

    var current: StoreStatistics.Writes {
        StoreStatistics.Writes(
            begun: writes.load(ordering: .relaxed), commits: commits.load(ordering: .relaxed),
            failedCommits: failedCommits.load(ordering: .relaxed), groups: groups.load(ordering: .relaxed),
            asyncWrites: asyncWrites.load(ordering: .relaxed), largestGroup: largestGroup.load(ordering: .relaxed))
    }
}
