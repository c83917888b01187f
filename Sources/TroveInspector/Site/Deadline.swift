// The end of work that lasts for too long.

#if Inspector
import Dispatch
import LMDB

/// A closure that is called after a while, unless it is canceled before.
///
/// The deadlines have a queue of their own. A task that sleeps waits for a free thread of the pool, and a queue of the
/// system for a free core: statements without an end would keep both.
struct Deadline: Sendable {
    private static let queue = DispatchQueue(label: "trove.inspector.deadlines", qos: .userInitiated)
    /// The closure, until it is called or canceled. The queue keeps what it has until the time is over, and would keep
    /// each page for a second after it was sent.
    private let pending: Monitor<(@Sendable () -> Void)?>

    /// Starts the time.
    init(after age: Duration, _ body: @escaping @Sendable () -> Void) {
        let pending = Monitor<(@Sendable () -> Void)?>(body)
        let age = DispatchTimeInterval.nanoseconds(Int(age / .nanoseconds(1)))
        Self.queue.asyncAfter(deadline: .now() + age) { Self.take(pending)?() }
        self.pending = pending
    }

    /// Releases the closure, unless its call has begun.
    func cancel() { _ = Self.take(pending) }

    private static func take(_ pending: Monitor<(@Sendable () -> Void)?>) -> (@Sendable () -> Void)? {
        pending.withLock { pending in
            defer { pending = nil }
            return pending
        }
    }
}
#endif
