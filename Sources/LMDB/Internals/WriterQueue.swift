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
    private let writerThread = DispatchQueue(label: "trove.lmdb.writer", qos: .userInitiated)
    private let forkGeneration = ForkGuard.current

    private struct Tickets {
        var next: UInt64 = 0
        /// Whose turn it is. One turn can serve several tickets, one after the other.
        var served: UInt64 = 0
        /// Those not served yet with which nobody waits any more.
        var abandoned: Set<UInt64> = []
        /// The jobs that have not begun, in order of arrival.
        var jobs: ArraySlice<(ticket: UInt64, job: (any WriterJob)?)> = []
        /// Whether the writer thread has been told that there are jobs.
        var isServingJobs = false

        mutating func draw() -> UInt64 {
            defer { next += 1 }
            return next
        }

        mutating func serveNext() {
            served += 1
            while abandoned.remove(served) != nil { served += 1 }
        }

        mutating func takeJob() -> (any WriterJob)? {
            guard !jobs.isEmpty else { return nil }
            // Out of its place: a slice keeps what lies before its beginning, and a job its store.
            let job = jobs[jobs.startIndex].job.take()
            jobs.removeFirst()
            return job
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

    private func draw() -> UInt64 { tickets.withLock { $0.draw() } }

    private func wait(for ticket: UInt64) {
        tickets.wait { $0.served == ticket ? () : nil }
        owner.store(currentThread(), ordering: .relaxed)
    }
}

// MARK: Jobs of the writer thread

/// What the writer thread does when its turn comes.
package protocol WriterJob: AnyObject, Sendable {
    /// Does the job. The turn ends when this returns.
    ///
    /// - Parameter queue: Where the job may take along those that have arrived right behind it.
    func run(in queue: WriterQueue)
}

extension WriterQueue {
    /// Has the writer thread run a job when its turn comes, unless a job before it takes it along.
    ///
    /// In a process forked off since, where no other thread exists, the job runs at once, without the turn: what it
    /// asks of the environment is refused.
    package func enqueue(_ job: any WriterJob) {
        guard ForkGuard.current == forkGeneration else { return job.run(in: self) }
        let isFirst = tickets.withLock { tickets in
            tickets.jobs.append((tickets.draw(), job))
            defer { tickets.isServingJobs = true }
            return !tickets.isServingJobs
        }
        if isFirst { writerThread.async { self.serveJobs() } }
    }

    /// The same for a closure, which takes no others along.
    package func enqueue(_ body: @escaping @Sendable () -> Void) {
        enqueue(ClosureJob(body))
    }

    private func serveJobs() {
        while let ticket = nextJobTicket() {
            wait(for: ticket)
            tickets.withLock { $0.takeJob() }?.run(in: self)
            release()
        }
    }

    /// The ticket of the next job; without one, the writer thread rests until it is told of one.
    private func nextJobTicket() -> UInt64? {
        tickets.withLock { tickets in
            if tickets.jobs.isEmpty { tickets.isServingJobs = false }
            return tickets.jobs.first?.ticket
        }
    }

    /// Takes the job that has arrived right behind the one that has the turn, which then does both in its turn.
    ///
    /// - Parameter isWanted: Whether the job can be taken along.
    /// - Returns: Nil when nobody waits, when a thread does, which is not passed over, or when the job is not wanted.
    package func takeNextJob(where isWanted: (any WriterJob) -> Bool) -> (any WriterJob)? {
        guard ForkGuard.current == forkGeneration else { return nil }
        return tickets.withLock { tickets in
            var following = tickets.served + 1
            while tickets.abandoned.contains(following) { following += 1 }
            guard let (ticket, job) = tickets.jobs.first, ticket == following, let job, isWanted(job) else {
                return nil
            }
            tickets.serveNext()
            return tickets.takeJob()
        }
    }
}

private final class ClosureJob: WriterJob {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    func run(in queue: WriterQueue) { body() }
}
