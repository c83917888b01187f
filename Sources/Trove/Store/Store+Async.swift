// Reads and writes of async functions, which never block a thread of the cooperative pool.

import Dispatch
import LMDB

extension Store {
    /// Runs a closure in a read transaction, on a thread where it may take its time.
    ///
    /// - Parameter body: Runs once. It cannot await: a transaction belongs to one thread.
    /// - Returns: What the closure returns.
    /// - Throws: As the synchronous form does; `CancellationError` when the task is cancelled before it begins.
    public func read<R: Sendable>(_ body: @escaping @Sendable (ReadContext) throws -> R) async throws -> R {
        try Task.checkCancellation()
        return try await withCheckedThrowingContinuation { continuation in
            Self.readers.async {
                continuation.resume(with: Result { try self.read(body) })
            }
        }
    }

    /// Runs a closure in a write transaction, on the store's writer thread.
    ///
    /// Calls take their turn in order of arrival, together with synchronous writes. Those that wait at the same time
    /// share one commit, and so one wait for the disk; each still takes effect, or is undone, alone:
    ///
    /// - The closure sees what those before it have written, and none of what those behind it write.
    /// - When it throws, its changes are undone, and those of the others are not.
    /// - No call returns before its changes are as safe as ``StoreOptions/durability`` says. When the shared commit
    ///   fails, every call that shared it throws that error, also one whose closure threw, which may have seen what
    ///   never came to be. None is run again.
    /// - A synchronous write is passed over by none, and shares its commit with none.
    /// - A group has at most 256 writes; none joins it after 4 MB of values or 10 milliseconds.
    ///
    /// Cancellation of the task is noticed before the closure begins and right after it, and undoes what it wrote; it
    /// is not noticed while the commit is under way.
    ///
    /// - Parameter body: Runs once. It cannot await: a transaction belongs to one thread.
    /// - Returns: What the closure returns.
    /// - Throws: As the synchronous form does.
    @discardableResult
    public func write<R: Sendable>(_ body: @escaping @Sendable (TransactionContext) throws -> R) async throws -> R {
        let isCancelled = CancellationFlag()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                environment.writers.enqueue(AsyncWrite(self, isCancelled, continuation, body))
            }
        } onCancel: {
            isCancelled.raise()
        }
    }

    /// Another word for the async ``write(_:)-(_)``.
    @discardableResult
    public func withTransaction<R: Sendable>(
        _ body: @escaping @Sendable (TransactionContext) throws -> R
    ) async throws -> R {
        try await write(body)
    }

    private static let readers = DispatchQueue(label: "trove.readers", qos: .userInitiated, attributes: .concurrent)
}
