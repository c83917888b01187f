// The end of work that lasts for too long.

#if Inspector
import Dispatch

/// A closure that is called after a while, unless it is canceled before.
///
/// The deadlines have a queue of their own. A task that sleeps waits for a free thread of the pool, and a queue of the
/// system for a free core: statements without an end would keep both.
struct Deadline {
    private static let queue = DispatchQueue(label: "trove.inspector.deadlines", qos: .userInitiated)
    private let work: DispatchWorkItem

    /// Starts the time.
    init(after age: Duration, _ body: @escaping @Sendable () -> Void) {
        let work = DispatchWorkItem(block: body)
        let age = DispatchTimeInterval.nanoseconds(Int(age / .nanoseconds(1)))
        Self.queue.asyncAfter(deadline: .now() + age, execute: work)
        self.work = work
    }

    func cancel() { work.cancel() }
}
#endif
