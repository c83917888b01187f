// The lock files that this process has open. To close any other descriptor of one, whatever it was opened for, would
// drop the process's lock on it, and another process would take the store to be unused.

/// Which files are lock files of open environments.
final class OpenLocks: Sendable {
    static let shared = OpenLocks()

    /// Each with the fork generation of the process that has it open.
    private let table = Monitor<[FileIdentity: Int]>([:])

    func add(_ identity: FileIdentity?) {
        guard let identity else { return }
        table.withLock { $0[identity] = ForkGuard.current }
    }

    func remove(_ identity: FileIdentity?) {
        guard let identity else { return }
        table.withLock { $0[identity] = nil }
    }

    /// Whether a path leads to one. A child of a fork has none of its parent's.
    func contains(_ path: String) -> Bool {
        guard let identity = FileCalls.identity(of: path) else { return false }
        return table.withLock { $0[identity] == ForkGuard.current }
    }

    func lockForFork() { table.lock() }

    func unlockAfterFork() { table.unlock() }
}
