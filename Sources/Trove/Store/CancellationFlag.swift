// The cancellation of a task, as the writer thread sees it.

import Synchronization

/// A flag for the cancellation of a task, readable on other threads.
final class CancellationFlag: Sendable {
    private let isRaised = Atomic<Bool>(false)

    func raise() { isRaised.store(true, ordering: .relaxed) }

    func check() throws {
        if isRaised.load(ordering: .relaxed) { throw CancellationError() }
    }
}
