// A call of the async `write`, as a job of the writer queue.

import LMDB

/// A call of the async `write`.
///
/// Unchecked because the compiler cannot verify that only the writer thread uses `result`.
final class AsyncWrite<R: Sendable>: GroupedWrite, @unchecked Sendable {
    let store: Store
    let author: String?
    let deadline: WriteDeadline
    private let isCancelled: CancellationFlag
    private let continuation: CheckedContinuation<R, any Error>
    private let body: @Sendable (TransactionContext) throws -> R
    private var result: R?

    init(
        to store: Store, by author: String?, unless isCancelled: CancellationFlag,
        resuming continuation: CheckedContinuation<R, any Error>,
        _ body: @escaping @Sendable (TransactionContext) throws -> R
    ) {
        self.store = store
        self.author = author
        deadline = store.environment.shared.writeDeadline()
        self.isCancelled = isCancelled
        self.continuation = continuation
        self.body = body
    }

    func perform(in context: TransactionContext) throws {
        try isCancelled.check()
        result = try body(context)
        // An error, such as of a gathering closure, undoes this write alone.
        try context.finishParts()
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
