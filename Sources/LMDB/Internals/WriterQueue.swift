// A queue of writers in order of arrival: waiting threads, and jobs of the environment's writer thread.

import Dispatch
import Synchronization

/// The turns of a process's writers.
///
/// liblmdb's own writer lock deadlocks when a thread takes it twice, has no order, and does not cover the opening of
/// database handles. So all writers and all openers of handles first wait here for their turn. Every arrival draws a
/// ticket, whether it waits on its own thread or is a job for the writer thread; tickets are served in order.
package final class WriterQueue: Sendable {
    private let tickets = Monitor(Tickets())
    private let owner = Atomic<UInt>(0)
    private let writerThread = DispatchQueue(label: "trove.lmdb.writer", qos: .userInitiated)
    private let forkGeneration = ForkGuard.current

    private struct Tickets {
        var next: UInt64 = 0
        /// The ticket that has the turn. A turn can serve several tickets, one after the other.
        var served: UInt64 = 0
        /// The unserved tickets whose threads no longer wait.
        var abandoned: Set<UInt64> = []
        /// The waiting jobs, in order of arrival.
        var jobs: ArraySlice<(ticket: UInt64, job: (any WriterJob)?)> = []
        /// Whether the writer thread has been started for the jobs.
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
            // Moved out of the slice: a slice retains the elements before its start, and a job retains its store.
            let job = jobs[jobs.startIndex].job.take()
            jobs.removeFirst()
            return job
        }
    }

    /// Whether the calling thread has the turn.
    var isOwnedByThisThread: Bool { owner.load(ordering: .relaxed) == currentThread() }

    /// The number of tickets that have the turn or wait for it.
    package var count: Int { tickets.withLock { Int($0.next - $0.served) - $0.abandoned.count } }

    /// Waits for the turn. The calling thread must not have it already. `release` passes it on.
    ///
    /// - Parameter limit: The maximum time to wait; nil for no limit.
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

    /// Abandons a ticket, unless its turn has come. Returns whether it was abandoned.
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

    /// Keeps the turn, as that of no thread, until `release`.
    func disown() { owner.store(0, ordering: .relaxed) }

    private func draw() -> UInt64 { tickets.withLock { $0.draw() } }

    private func wait(for ticket: UInt64) {
        tickets.wait { $0.served == ticket ? () : nil }
        owner.store(currentThread(), ordering: .relaxed)
    }
}

// MARK: Jobs of the writer thread

extension WriterQueue {
    /// Runs a job on the writer thread when its turn comes, unless an earlier job takes it along.
    ///
    /// In a process forked since, where no other thread exists, the job runs at once, without the turn: the environment
    /// refuses its calls.
    package func enqueue(_ job: any WriterJob) {
        guard ForkGuard.current == forkGeneration else { return job.run(in: self) }
        let isFirst = tickets.withLock { tickets in
            tickets.jobs.append((tickets.draw(), job))
            defer { tickets.isServingJobs = true }
            return !tickets.isServingJobs
        }
        if isFirst { writerThread.async { self.serveJobs() } }
    }

    /// Runs a closure as a job. It takes no other jobs along.
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

    /// Returns the ticket of the next job. Without a job, the writer thread stops until the next call of `enqueue`.
    private func nextJobTicket() -> UInt64? {
        tickets.withLock { tickets in
            if tickets.jobs.isEmpty { tickets.isServingJobs = false }
            return tickets.jobs.first?.ticket
        }
    }

    /// Takes the job directly after the current job; the current job then runs both in its turn.
    ///
    /// - Parameter isWanted: Whether the job can be taken along.
    /// - Returns: Nil if no ticket waits, if the next ticket belongs to a waiting thread, or if the job is not wanted.
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
