// The registry of open environments: at most one for each file in a process.

/// The open environments of this process, by file.
///
/// Opening a file twice, or merely closing another descriptor of its lock file, drops the process's locks on it. The
/// key is the device and inode, so links and renames lead to the same environment. Opening and closing happen under a
/// single lock: opening a file waits while the file is being closed. Only a conversion, which can take long, happens
/// without the lock; other openers of the file wait for it.
final class EnvironmentRegistry: Sendable {
    static let shared = EnvironmentRegistry()

    private let state = Monitor(State())

    private struct State {
        var entries: [FileIdentity: Entry] = [:]
        /// The data files under conversion, by their canonical paths, with the fork generation.
        var conversions: [String: Int] = [:]
    }

    private struct Entry {
        weak var hold: EnvironmentHold?
        var forkGeneration: Int
    }

    /// Opens a file. A file of the other format is converted before, if the options say so.
    ///
    /// - Parameter progress: Receives the progress of a conversion.
    /// - Returns: The environment, and the report of the conversion.
    func open(
        path: String, options: EnvironmentOptions, progress: @escaping ConversionProgress
    ) throws(LMDBError) -> (hold: EnvironmentHold, conversion: ConversionReport?) {
        let generation = ForkGuard.register()
        do throws(LMDBError) {
            return (try open(path, options, generation, for: .opener), nil)
        } catch  where error.code == .otherFormat && options.convertsFiles {}
        let place = try EnvironmentPlace(path: path, options: options, checksHead: false)
        beginConversion(of: place.dataFile, generation)
        defer { endConversion(of: place.dataFile) }
        let converted = try FileConversion(place, options, progress).run()
        return (try open(path, options, generation, for: .converter(converted?.lock)), converted?.report)
    }

    private enum Caller {
        case opener
        /// The thread that has converted the file, with its lock; without a lock if another process has converted it.
        case converter(ConversionLock?)
    }

    private func open(
        _ path: String, _ options: EnvironmentOptions, _ generation: Int, for caller: Caller
    ) throws(LMDBError) -> EnvironmentHold {
        // Held outside the lock: if this is the last reference, its deinit needs the lock.
        var shared: EnvironmentHold?
        defer { withExtendedLifetime(shared) {} }
        let opened = try state.wait(within: options.patience) { state throws(LMDBError) -> EnvironmentHold? in
            let place = try EnvironmentPlace(path: path, options: options)
            var lock: ConversionLock?
            switch caller {
            case .converter(let taken): lock = taken
            // The thread that has converted the file opens it first: its lock must not be dropped.
            case .opener: if state.conversions[place.dataFile] == generation { return nil }
            }
            guard let entry = state.entries[place.identity], entry.forkGeneration == generation else {
                if !options.allowsHardLinks { try place.refuseHardLinks() }
                let environment = try SharedEnvironment(
                    place: place, options: options, forkGeneration: generation, lock: lock)
                let hold = EnvironmentHold(environment)
                environment.setHold(hold)
                state.entries[place.identity] = Entry(hold: hold, forkGeneration: generation)
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

    private func beginConversion(of dataFile: String, _ generation: Int) {
        state.wait { state -> Void? in
            guard state.conversions[dataFile] != generation else { return nil }
            state.conversions[dataFile] = generation
            return ()
        }
    }

    private func endConversion(of dataFile: String) {
        state.withLock { $0.conversions[dataFile] = nil }
        state.wakeAll()
    }

    func lockForFork() {
        state.lock()
        OpenLocks.shared.lockForFork()
    }

    func unlockAfterFork() {
        OpenLocks.shared.unlockAfterFork()
        state.unlock()
    }

    /// Closes an environment, and removes its entry.
    func close(_ identity: FileIdentity, _ close: () -> Void) {
        state.withLock { state in
            close()
            state.entries[identity] = nil
        }
        state.wakeAll()
    }
}
