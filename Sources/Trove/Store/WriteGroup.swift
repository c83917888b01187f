// Async writes that wait at the same time share one commit: one flush of the disk makes all of them durable.
//
//     group = first (savepoint next)* commit      a savepoint is a transaction nested in the group's
//
// The first runs in the group's transaction itself, so that a lone writer pays nothing; when it throws, the group
// begins anew with the next. Each further one runs in a nested transaction, which is undone alone.

import LMDB
import Synchronization

/// A write that waits in the writers' queue, whatever its closure returns.
protocol GroupedWrite: WriterJob {
    var store: Store { get }
    /// When it gives up waiting to begin a group.
    var deadline: WriteDeadline { get }
    /// Runs the closure, unless the task is cancelled before or right after.
    func perform(in context: TransactionContext) throws
    /// Tells the task how the write ended.
    func finish(_ error: (any Error)?)
}

extension GroupedWrite {
    func run(in queue: WriterQueue) {
        var next: (any GroupedWrite)? = self
        while let first = next { next = WriteGroup.run(first, queue) }
    }
}

/// The writes of one transaction.
struct WriteGroup {
    /// The most writes in a group.
    static let mostWrites = 256
    /// How many bytes of values the writes may have stored when another one joins.
    static let mostBytes = 4 << 20
    /// How long a group may have been at work when another write joins.
    static let mostAge = Duration.milliseconds(10)

    /// Whether another write may join a group of so many, which have stored so many bytes in so long a time.
    static func isOpen(writes: Int, bytes: Int, age: Duration) -> Bool {
        writes < mostWrites && bytes < mostBytes && age < mostAge
    }

    /// Runs a write, and those that wait right behind it, in one transaction.
    ///
    /// - Returns: Where the first one failed, the next write, which must begin a group of its own.
    static func run(_ first: any GroupedWrite, _ queue: WriterQueue) -> (any GroupedWrite)? {
        let context: TransactionContext
        do {
            context = try first.store.beginWriteInTurn(before: first.deadline)
        } catch {
            first.finish(error)
            return next(behind: first, queue)
        }
        defer { context.core.endWriteInTurn() }
        let start = ContinuousClock.now
        do {
            try first.perform(in: context)
            if let failure = context.core.failure { throw StoreError(failure) }
        } catch {
            context.core.endWriteInTurn()
            first.finish(error)
            return next(behind: first, queue)
        }
        // Also a write that throws is told after the commit: its error may come from what those before it have written.
        var outcomes: [(write: any GroupedWrite, error: (any Error)?)] = [(first, nil)]
        while context.core.failure == nil,
            isOpen(
                writes: outcomes.count, bytes: context.core.writtenBytes, age: ContinuousClock.now - start),
            let write = next(behind: first, queue)
        {
            do {
                try context.nested { try write.perform(in: $0) }
                outcomes.append((write, nil))
            } catch {
                outcomes.append((write, error))
            }
        }
        do {
            try context.commit()
            for (write, error) in outcomes { write.finish(error) }
        } catch {
            for (write, _) in outcomes { write.finish(error) }
        }
        return nil
    }

    /// The write that waits right behind, if it is one of the same store.
    private static func next(behind first: any GroupedWrite, _ queue: WriterQueue) -> (any GroupedWrite)? {
        let job = queue.takeNextJob { ($0 as? any GroupedWrite)?.store === first.store }
        return job as? any GroupedWrite
    }
}

/// One call of the async `write`.
///
/// Unchecked because the compiler cannot see that `result` is touched by the writer thread alone.
final class AsyncWrite<R: Sendable>: GroupedWrite, @unchecked Sendable {
    let store: Store
    let deadline: WriteDeadline
    private let isCancelled: CancellationFlag
    private let continuation: CheckedContinuation<R, any Error>
    private let body: @Sendable (TransactionContext) throws -> R
    private var result: R?

    init(
        _ store: Store, _ isCancelled: CancellationFlag, _ continuation: CheckedContinuation<R, any Error>,
        _ body: @escaping @Sendable (TransactionContext) throws -> R
    ) {
        self.store = store
        deadline = store.environment.shared.writeDeadline()
        self.isCancelled = isCancelled
        self.continuation = continuation
        self.body = body
    }

    func perform(in context: TransactionContext) throws {
        try isCancelled.check()
        result = try body(context)
        try isCancelled.check()
    }

    func finish(_ error: (any Error)?) {
        if let result, error == nil {
            continuation.resume(returning: result)
        } else {
            continuation.resume(throwing: error ?? CancellationError())
        }
    }
}

/// Whether a task was cancelled, for a thread that is not the task's.
final class CancellationFlag: Sendable {
    private let isRaised = Atomic<Bool>(false)

    func raise() { isRaised.store(true, ordering: .relaxed) }

    func check() throws {
        if isRaised.load(ordering: .relaxed) { throw CancellationError() }
    }
}
