// Threads for tests: transactions belong to threads, not to tasks.

import Foundation

/// A closure that runs on a thread of its own.
public final class RunningThread<Result: Sendable>: @unchecked Sendable {  // The variables change before the signal.
    private let isDone = DispatchSemaphore(value: 0)
    private var body: (@Sendable () throws -> Result)?
    private var result: Swift.Result<Result, any Error>?

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - stackSize: The size of its stack in bytes; nil for the default.
    ///   - body: The closure.
    public init(stackSize: Int? = nil, _ body: @escaping @Sendable () throws -> Result) {
        self.body = body
        let thread = Thread {
            self.result = self.body.map { body in Swift.Result(catching: body) }
            // The end of the thread must not release the values of the closure: deep values need a large stack for it.
            self.body = nil
            self.isDone.signal()
        }
        if let stackSize { thread.stackSize = stackSize }
        thread.start()
    }

    /// Waits for the closure, and returns its result or throws its error. May be called only once.
    @available(*, noasync, message: "a task that waits takes a thread from all others: await the call")
    public func value() throws -> Result {
        isDone.wait()
        guard let result else { throw CancellationError() }
        return try result.get()
    }
}

extension RunningThread {
    /// The async form of `value()`. It takes no thread of the tasks.
    public func value() async throws -> Result {
        try await onAThread { try self.value() }
    }
}

/// Returns the result of a closure that waits, on a thread of its own: two tasks that wait could take all threads of
/// the tasks on a machine with two cores.
public func onAThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Swift.Result(catching: body)) }
    }
}

/// Runs a closure on another thread, and waits for it.
///
/// - Parameters:
///   - stackSize: The size of its stack in bytes; nil for the default.
///   - body: The closure.
public func onAnotherThread<Result: Sendable>(
    stackSize: Int? = nil, _ body: @escaping @Sendable () throws -> Result
) throws -> Result {
    try RunningThread(stackSize: stackSize, body).value()
}
