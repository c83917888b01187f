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
    public func value() throws -> Result {
        isDone.wait()
        guard let result else { throw CancellationError() }
        return try result.get()
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
