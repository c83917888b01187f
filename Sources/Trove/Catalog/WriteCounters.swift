// The counts of a process's writes to a store, for `Store.statistics`.

import Synchronization

/// Counters of writes. Each is changed by the writer that has the turn, and read by any thread.
final class WriteCounters: Sendable {
    let writes = Atomic<Int>(0)
    let commits = Atomic<Int>(0)
    let failedCommits = Atomic<Int>(0)
    let groups = Atomic<Int>(0)
    let asyncWrites = Atomic<Int>(0)
    let largestGroup = Atomic<Int>(0)

    func noteWrite() { writes.add(1, ordering: .relaxed) }

    func noteCommit() { commits.add(1, ordering: .relaxed) }

    func noteFailedCommit() { failedCommits.add(1, ordering: .relaxed) }

    /// Counts a group of async writes with one transaction.
    func noteGroup(of count: Int) {
        groups.add(1, ordering: .relaxed)
        asyncWrites.add(count, ordering: .relaxed)
        largestGroup.max(count, ordering: .relaxed)
    }
}
