// A long walk over the store, and what a page knows of it.

#if Inspector
import Foundation
import LMDB

/// The state of a long walk over the store.
enum JobState<Result: Sendable>: Sendable {
    case running(JobProgress)
    case finished(Result, at: Date)
    case failed(any Error)
}

/// The parts of a walk that are done.
struct JobProgress: Sendable {
    var done = 0
    var total = 0
}

/// A long walk over the store, in a task of its own.
final class Job<Result: Sendable>: RunningJob, Sendable {
    private struct Contents {
        var state = JobState<Result>.running(JobProgress())
        var lastRequest = ContinuousClock.now
    }

    private let contents = Monitor(Contents())
    private let task = Monitor<Task<Void, Never>?>(nil)

    /// Starts the walk.
    ///
    /// - Parameter body: Does the walk. It receives a closure that keeps its progress.
    init(_ body: @escaping @Sendable (@escaping @Sendable (Int, Int) -> Void) async throws -> Result) {
        let contents = contents
        let started = Task {
            let end: JobState<Result>
            do {
                let result = try await body { done, total in
                    contents.withLock { $0.state = .running(JobProgress(done: done, total: total)) }
                }
                end = .finished(result, at: Date())
            } catch {
                end = .failed(error)
            }
            contents.withLock { $0.state = end }
        }
        task.withLock { $0 = started }
    }

    /// The state, for a request of a page.
    func stateForRequest() -> JobState<Result> {
        contents.withLock {
            $0.lastRequest = .now
            return $0.state
        }
    }

    var isRunning: Bool {
        contents.withLock { if case .running = $0.state { true } else { false } }
    }

    var lastRequest: ContinuousClock.Instant { contents.withLock { $0.lastRequest } }

    func cancel() { task.withLock { $0?.cancel() } }
}

/// A job with any result.
protocol RunningJob: AnyObject, Sendable {
    var isRunning: Bool { get }
    /// The moment of the last request for it.
    var lastRequest: ContinuousClock.Instant { get }
    func cancel()
}
#endif
