// A reference that keeps an environment open.

/// A hold on an open environment, shared by all `Environment`s on its file.
///
/// The registry's weak reference points to this object rather than to the environment. A weakly referenced object is
/// several times slower to retain, and each transaction retains its environment.
final class EnvironmentHold: Sendable {
    let environment: SharedEnvironment
    /// The watch of long-running reads, if installed.
    let watch = Monitor<ReadWatch?>(nil)
    private let openers = Monitor(Openers())

    private struct Openers {
        /// The number of `Environment`s neither closed nor released.
        var count = 1
        /// Whether the last of them was closed. Then no later opener shares the environment.
        var areClosed = false
    }

    init(_ environment: SharedEnvironment) { self.environment = environment }

    /// Counts another opener. Returns false if the environment is being closed.
    func addOpener() -> Bool {
        openers.withLock { openers in
            guard !openers.areClosed else { return false }
            openers.count += 1
            return true
        }
    }

    /// Counts the end of an opener.
    ///
    /// - Parameter closes: Whether the opener was closed; false if it was only released.
    /// - Returns: Whether the environment must be closed: the last opener was closed.
    func removeOpener(closes: Bool) -> Bool {
        openers.withLock { openers in
            openers.count -= 1
            openers.areClosed = closes && openers.count == 0
            return openers.areClosed
        }
    }
}
