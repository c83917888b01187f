// Async reads and writes, which never block a thread of the cooperative pool.

import Dispatch
import LMDB

extension Store {
    /// Runs a closure in a read transaction on a background thread, where it may block.
    ///
    /// When the task is cancelled, the snapshot ends: scans, searches and all other uses of the context throw.
    ///
    /// - Parameter body: Runs once. It cannot await: a transaction belongs to a single thread.
    /// - Returns: The closure's result.
    /// - Throws: The errors of the synchronous form; `CancellationError` if the task is cancelled before the read
    ///   begins, or before the closure's last use of the context.
    public func read<R: Sendable>(_ body: @escaping @Sendable (ReadContext) throws -> R) async throws -> R {
        try await read(on: Self.readers, body)
    }

    /// Runs a closure in a read transaction on a thread of a queue.
    func read<R: Sendable>(
        on queue: some WorkQueue, _ body: @escaping @Sendable (ReadContext) throws -> R
    ) async throws -> R {
        try await Self.inBackground(on: queue) { isCancelled in
            do {
                return try self.read { context in
                    let (core, lease) = (context.core, context.lease)
                    return try isCancelled.whileRaisingCalls({ _ = core.expire(lease) }) { try body(context) }
                }
            } catch StoreError.transaction(.readExpired) where isCancelled.isRaised {
                throw CancellationError()
            } catch let error as LMDBError where error.code == .readExpired && isCancelled.isRaised {
                throw CancellationError()
            }
        }
    }

    /// Runs a closure in a write transaction, on the store's writer thread.
    ///
    /// Calls run in order of arrival, together with synchronous writes. Calls that wait at the same time share a
    /// commit, and so a single wait for the disk. Each call still takes effect, or is undone, alone:
    ///
    /// - The closure sees the changes of earlier closures, and no changes of later closures.
    /// - If the closure throws, only its own changes are undone.
    /// - No call returns before its changes are as safe as ``StoreOptions/durability`` promises. If the shared commit
    ///   fails, every call of the group throws that error. This includes a call whose closure threw, because the
    ///   closure may have seen changes that were never committed. No closure is run again.
    /// - Async writes do not overtake a synchronous write, and do not share its commit.
    /// - A group has at most 256 writes, all of the same author. No write joins it after 4 MB of values or 10
    ///   milliseconds.
    ///
    /// Cancellation of the task takes effect before the closure begins and right after it, and undoes its changes. It
    /// has no effect during the commit.
    ///
    /// - Parameters:
    ///   - author: The author of the changes in the history of the store, such as `"sync"`; nil for none.
    ///   - body: Runs once. It cannot await: a transaction belongs to a single thread.
    /// - Returns: The closure's result.
    /// - Throws: The errors of the synchronous form.
    @discardableResult
    public func write<R: Sendable>(
        author: String? = nil, _ body: @escaping @Sendable (TransactionContext) throws -> R
    ) async throws -> R {
        try checkIsOpen()
        try translatingErrors { try environment.shared.refuseWhileSuspended("write") }
        let isCancelled = CancellationFlag()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                environment.writers.enqueue(
                    AsyncWrite(to: self, by: author, unless: isCancelled, resuming: continuation, body))
            }
        } onCancel: {
            isCancelled.raise()
        }
    }
}

extension Store {
    /// The async form of `reading(_:)`.
    public func reading<R: Sendable>(_ body: @escaping @Sendable (ReadContext) throws -> R) async throws -> R {
        try await read(body)
    }

    /// The async form of `writing(_:)`.
    public func writing<R: Sendable>(
        _ body: @escaping @Sendable (TransactionContext) throws -> R
    ) async throws -> R {
        try await write(body)
    }
}

// MARK: Background threads

extension Store {
    /// The threads for work that blocks for moments: reads, and opening a store.
    private static let readers = WorkThreads(label: "trove.readers")
    /// The threads for the reads of observers, whose closures must not delay other reads.
    static let observers = WorkThreads(label: "trove.observers")
    /// The queue for work on many records: migrations, rebuilds, checks and copies.
    static let migrators = DispatchQueue(label: "trove.migrations", qos: .utility, attributes: .concurrent)

    /// Runs a closure on a background thread, where it may block.
    ///
    /// - Parameter body: Receives the cancellation of the task, to check between two steps.
    /// - Throws: The closure's error; `CancellationError` if the task is cancelled before the closure begins.
    static func inBackground<R: Sendable>(
        on queue: some WorkQueue = readers, _ body: @escaping @Sendable (CancellationFlag) throws -> R
    ) async throws -> R {
        let isCancelled = CancellationFlag()
        return try await withTaskCancellationHandler {
            try await onThread(of: queue) {
                try isCancelled.check()
                return try body(isCancelled)
            }
        } onCancel: {
            isCancelled.raise()
        }
    }

    /// Runs a closure on a thread of a queue, even if the task is cancelled.
    static func onThread<R: Sendable>(
        of queue: some WorkQueue, _ body: @escaping @Sendable () throws -> R
    ) async throws -> R {
        try await withCheckedThrowingContinuation { continuation in
            queue.run { continuation.resume(with: Result(catching: body)) }
        }
    }
}
