// Reads and writes of async functions, which never block a thread of the cooperative pool.

import Dispatch
import LMDB
import Synchronization

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
    /// Calls take their turn in order of arrival, together with synchronous writes. Cancellation of the task is
    /// noticed before the closure begins and right after it, and rolls everything back.
    ///
    /// - Parameter body: Runs once. It cannot await: a transaction belongs to one thread.
    /// - Returns: What the closure returns, when its changes are durable.
    /// - Throws: As the synchronous form does.
    @discardableResult
    public func write<R: Sendable>(_ body: @escaping @Sendable (TransactionContext) throws -> R) async throws -> R {
        let isCancelled = Flag()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                environment.shared.writers.enqueue {
                    continuation.resume(with: Result { try self.writeInTurn(isCancelled, body) })
                }
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

    private func writeInTurn<R>(_ isCancelled: Flag, _ body: (TransactionContext) throws -> R) throws -> R {
        try isCancelled.check()
        let context = try beginWriteInTurn()
        defer { context.core.endWriteInTurn() }
        let result = try body(context)
        try isCancelled.check()
        try context.commit()
        return result
    }

    private static let readers = DispatchQueue(label: "trove.readers", qos: .userInitiated, attributes: .concurrent)
}

/// Whether a task was cancelled, for a thread that is not the task's.
private final class Flag: Sendable {
    private let isRaised = Atomic<Bool>(false)

    func raise() { isRaised.store(true, ordering: .relaxed) }

    func check() throws {
        if isRaised.load(ordering: .relaxed) { throw CancellationError() }
    }
}
