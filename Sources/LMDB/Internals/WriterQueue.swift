// One writer at a time, in order of arrival: threads that wait, and jobs that the environment's writer thread runs.

import Dispatch
import Synchronization

/// The turn of a process's writers.
///
/// liblmdb's own writer lock deadlocks a thread that asks for it twice, has no order, and does not cover the opening
/// of database handles. So everything that writes or opens handles first waits for its turn here. Every arrival draws
/// a ticket, whether it waits on its own thread or is a job for the writer thread; tickets are served in order.
package final class WriterQueue: Sendable {
    private let tickets = Monitor(Tickets())
    private let owner = Atomic<UInt>(0)
    private let jobs = DispatchQueue(label: "trove.lmdb.writer", qos: .userInitiated)
    private let forkGeneration = ForkGuard.current

    private struct Tickets {
        var next: UInt64 = 0
        var served: UInt64 = 0
        /// Those not served yet with which nobody waits any more.
        var abandoned: Set<UInt64> = []

        mutating func draw() -> UInt64 {
            defer { next += 1 }
            return next
        }

        mutating func serveNext() {
            served += 1
            while abandoned.remove(served) != nil { served += 1 }
        }
    }

    /// Whether the calling thread has the turn.
    var isOwnedByThisThread: Bool { owner.load(ordering: .relaxed) == currentThread() }

    /// How many have the turn or wait for it.
    package var count: Int { tickets.withLock { Int($0.next - $0.served) - $0.abandoned.count } }

    /// Waits for the turn of a thread that has it not yet; `release` gives it on.
    ///
    /// - Parameter limit: How long to wait; nil for as long as it takes.
    /// - Returns: Whether the turn came in time.
    func acquire(within limit: Duration?) -> Bool {
        let ticket = draw()
        guard let limit else {
            wait(for: ticket)
            return true
        }
        let hasCome: Void? = tickets.wait(within: limit) { $0.served == ticket ? () : nil }
        guard hasCome != nil || !abandon(ticket) else { return false }
        owner.store(currentThread(), ordering: .relaxed)
        return true
    }

    /// Gives up waiting, unless the turn has come after all.
    private func abandon(_ ticket: UInt64) -> Bool {
        tickets.withLock { tickets in
            guard tickets.served != ticket else { return false }
            tickets.abandoned.insert(ticket)
            return true
        }
    }

    package func release() {
        owner.store(0, ordering: .relaxed)
        tickets.withLock { $0.serveNext() }
        tickets.wakeAll()
    }

    /// Has the writer thread run a job when its turn comes; the turn ends when the job returns.
    ///
    /// In a process forked off since, where no other thread exists, the job runs at once, without the turn: what it
    /// asks of the environment is refused.
    package func enqueue(_ job: @escaping @Sendable () -> Void) {
        guard ForkGuard.current == forkGeneration else { return job() }
        tickets.withLock { tickets in
            let ticket = tickets.draw()
            jobs.async {
                self.wait(for: ticket)
                job()
                self.release()
            }
        }
    }

    private func draw() -> UInt64 { tickets.withLock { $0.draw() } }

    private func wait(for ticket: UInt64) {
        tickets.wait { $0.served == ticket ? () : nil }
        owner.store(currentThread(), ordering: .relaxed)
    }
}
