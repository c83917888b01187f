// The open lock files of this process. Closing any other descriptor of such a file, whatever its purpose, would drop
// the process's lock on it. Another process would then consider the store unused.

/// The lock files of open environments.
final class OpenLocks: Sendable {
    static let shared = OpenLocks()

    /// The fork generation at the opening of each file.
    private let table = Monitor<[FileIdentity: Int]>([:])

    func add(_ identity: FileIdentity?) {
        guard let identity else { return }
        table.withLock { $0[identity] = ForkGuard.current }
    }

    func remove(_ identity: FileIdentity?) {
        guard let identity else { return }
        table.withLock { $0[identity] = nil }
    }

    /// Returns whether a path leads to an open lock file. A forked child has none of its parent's lock files.
    func contains(_ path: String) -> Bool {
        guard let identity = FileCalls.identity(of: path) else { return false }
        return table.withLock { $0[identity] == ForkGuard.current }
    }

    func lockForFork() { table.lock() }

    func unlockAfterFork() { table.unlock() }
}
