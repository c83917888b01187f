// The cancellation of a task, visible to other threads.

import LMDB
import Synchronization

/// A flag for the cancellation of a task, readable on other threads.
final class CancellationFlag: Sendable {
    private let flag = Atomic<Bool>(false)
    /// The closure that ends the work of the moment; nil for work that looks at the flag between its steps.
    private let end = Monitor<(@Sendable () -> Void)?>(nil)

    var isRaised: Bool { flag.load(ordering: .relaxed) }

    func raise() {
        flag.store(true, ordering: .relaxed)
        end.withLock { $0?() }
    }

    func check() throws {
        if isRaised { throw CancellationError() }
    }

    /// Runs a closure, which another closure ends when the flag is raised.
    ///
    /// - Parameter end: Called at most twice, on any thread. It returns at once.
    func whileRaisingCalls<R>(_ end: @escaping @Sendable () -> Void, _ body: () throws -> R) rethrows -> R {
        self.end.withLock { $0 = end }
        defer { self.end.withLock { $0 = nil } }
        // The flag may have been raised before.
        if isRaised { end() }
        return try body()
    }
}

extension CancellationFlag {
    /// Returns a closure that receives progress, and throws if the task was cancelled.
    func checking(_ progress: @escaping (Int, Int) -> Void) -> (Int, Int) throws -> Void {
        { done, total in
            try self.check()
            progress(done, total)
        }
    }

    /// Returns the store; throws if the task was cancelled.
    func passing(_ store: Store) throws -> Store {
        try check()
        return store
    }
}
