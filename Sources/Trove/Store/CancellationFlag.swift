// The cancellation of a task, visible to the writer thread.

import Synchronization

/// A flag for the cancellation of a task, readable on other threads.
final class CancellationFlag: Sendable {
    private let isRaised = Atomic<Bool>(false)

    func raise() { isRaised.store(true, ordering: .relaxed) }

    func check() throws {
        if isRaised.load(ordering: .relaxed) { throw CancellationError() }
    }
}
