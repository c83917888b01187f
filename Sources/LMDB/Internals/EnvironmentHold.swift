// A reference that keeps an environment open.

import Synchronization

/// A hold on an open environment, shared by all `Environment`s on its file.
///
/// The registry's weak reference points to this object rather than to the environment. A weakly referenced object is
/// several times slower to retain, and each transaction retains its environment.
final class EnvironmentHold: Sendable {
    let environment: SharedEnvironment
    /// The watch of long-running reads, if installed.
    let watch = Monitor<ReadWatch?>(nil)
    /// The number of `Environment`s neither closed nor released; -1 after the last of them was closed. Atomic, because
    /// a lock could be taken at the moment of a fork.
    private let openers = Atomic<Int>(1)

    init(_ environment: SharedEnvironment) { self.environment = environment }

    /// Counts another opener. Returns false if the environment is being closed.
    func addOpener() -> Bool { changeOpeners { $0 + 1 } >= 0 }

    /// Counts the end of an opener.
    ///
    /// - Parameter closes: Whether the opener was closed; false if it was only released.
    /// - Returns: Whether the environment must be closed: the last opener was closed.
    func removeOpener(closes: Bool) -> Bool { changeOpeners { $0 == 1 && closes ? -1 : $0 - 1 } < 0 }

    /// Changes the number of openers, unless it is -1, and returns it.
    private func changeOpeners(_ change: (Int) -> Int) -> Int {
        var count = openers.load(ordering: .sequentiallyConsistent)
        while count >= 0 {
            let changed = change(count)
            let exchange = openers.compareExchange(
                expected: count, desired: changed, ordering: .sequentiallyConsistent)
            if exchange.exchanged { return changed }
            count = exchange.original
        }
        return count
    }
}
