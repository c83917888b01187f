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
    /// The number of `Environment`s neither closed nor released; -1 after the file is to be closed. Atomic, because
    /// a lock could be taken at the moment of a fork.
    private let openers = Atomic<Int>(1)
    private let closedOpener = Atomic<Bool>(false)

    init(_ environment: SharedEnvironment) { self.environment = environment }

    /// Counts another opener. Returns false if the environment is being closed.
    func addOpener() -> Bool { changeOpeners { $0 + 1 } >= 0 }

    /// Counts the end of an opener.
    ///
    /// - Parameter closes: Whether the opener was closed; false if it was only released.
    /// - Returns: Whether the environment must be closed: the last opener was closed.
    func removeOpener(closes: Bool) -> Bool {
        if closes { closedOpener.store(true, ordering: .sequentiallyConsistent) }
        return changeOpeners { $0 == 1 && closes ? -1 : $0 - 1 } < 0
    }

    /// Whether an opener was closed. It can be referenced still.
    var hasClosedOpener: Bool { closedOpener.load(ordering: .sequentiallyConsistent) }

    /// Refuses later openers, if there are none now. Returns whether it did: then the environment must be closed.
    func refuseOpeners() -> Bool {
        openers.compareExchange(expected: 0, desired: -1, ordering: .sequentiallyConsistent).exchanged
    }

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
