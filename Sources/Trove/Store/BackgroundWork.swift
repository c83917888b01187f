// The work that a store does on a thread of its own.

import Dispatch
import LMDB
import Synchronization

/// The background migration of a store: whether it runs, and on which thread.
final class BackgroundWork: Sendable {
    private let group = DispatchGroup()
    /// One piece of work at a time.
    private let lane = DispatchQueue(label: "trove.background", qos: .utility, target: Store.migrators)
    private let thread = Atomic<UInt>(0)

    var isRunning: Bool { thread.load(ordering: .relaxed) != 0 }

    /// Runs a closure on a thread of its own, after the closures before it.
    func start(_ body: @escaping @Sendable () -> Void) {
        group.enter()
        lane.async { [self] in
            thread.store(currentThread(), ordering: .relaxed)
            body()
            thread.store(0, ordering: .relaxed)
            group.leave()
        }
    }

    /// Waits until the work has ended. On the thread of the work, it returns at once.
    func wait() {
        if thread.load(ordering: .relaxed) != currentThread() { group.wait() }
    }
}
