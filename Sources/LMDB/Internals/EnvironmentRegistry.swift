// The registry of open environments: at most one for each file in a process.

/// The open environments of this process, by file.
///
/// Opening a file twice, or merely closing another descriptor of its lock file, drops the process's locks on it. The
/// key is the device and inode, so links and renames lead to the same environment. Opening and closing happen under a
/// single lock: opening a file waits while the file is being closed.
final class EnvironmentRegistry: Sendable {
    static let shared = EnvironmentRegistry()

    private let entries = Monitor<[FileIdentity: Entry]>([:])

    private struct Entry {
        weak var hold: EnvironmentHold?
        var forkGeneration: Int
    }

    func open(path: String, options: EnvironmentOptions) throws(LMDBError) -> EnvironmentHold {
        let generation = ForkGuard.register()
        // Held outside the lock: if this is the last reference, its deinit needs the lock.
        var shared: EnvironmentHold?
        defer { withExtendedLifetime(shared) {} }
        let opened = try entries.wait(within: options.patience) { entries throws(LMDBError) -> EnvironmentHold? in
            let place = try EnvironmentPlace(path: path, options: options)
            guard let entry = entries[place.identity], entry.forkGeneration == generation else {
                if !options.allowsHardLinks { try place.refuseHardLinks() }
                let environment = try SharedEnvironment(place: place, options: options, forkGeneration: generation)
                let hold = EnvironmentHold(environment)
                environment.setHold(hold)
                entries[place.identity] = Entry(hold: hold, forkGeneration: generation)
                return hold
            }
            // Nil while the environment is being closed, or is kept open by its last transaction. Afterwards, the path
            // may lead to another file.
            shared = entry.hold
            try shared?.environment.accept(options)
            guard let shared, shared.addOpener() else { return nil }
            return shared
        }
        guard let opened else { throw LMDBError(.busy, in: "open", path: path) }
        return opened
    }

    func lockForFork() {
        entries.lock()
        OpenLocks.shared.lockForFork()
    }

    func unlockAfterFork() {
        OpenLocks.shared.unlockAfterFork()
        entries.unlock()
    }

    /// Closes an environment, and removes its entry.
    func close(_ identity: FileIdentity, _ close: () -> Void) {
        entries.withLock { entries in
            close()
            entries[identity] = nil
        }
        entries.wakeAll()
    }
}
