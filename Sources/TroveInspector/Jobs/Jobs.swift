// The long walks of a site.

#if Inspector
/// The long walks of a site. A walk goes on while there are requests for it, and its result is kept for a while.
actor Jobs {
    private var jobs: [String: any RunningJob] = [:]
    private var lastNumber = 0

    /// The maximum number of walks at once.
    private static let runningLimit = 2
    /// The maximum number of walks whose results are kept.
    private static let keptLimit = 8
    /// The time for which a page waits, so that short walks need no second request.
    private static let patience = Duration.milliseconds(300)
    /// The time after which a walk ends without a request for it. A page in the background loads itself once a minute.
    private static let age = Duration.seconds(90)

    /// Returns the state of a walk, which starts if there is none of this name.
    ///
    /// - Parameters:
    ///   - name: The name, with all that the result depends on.
    ///   - body: Does the walk. It receives a closure that keeps its progress.
    /// - Throws: ``TooManyJobs``; `CancellationError` if the request is cancelled.
    func state<Result: Sendable>(
        of name: String,
        _ body: @escaping @Sendable (@escaping @Sendable (Int, Int) -> Void) async throws -> Result
    ) async throws -> JobState<Result> {
        if let job = jobs[name] as? Job<Result> {
            if case .failed(let error) = job.stateForRequest(), error is CancellationError { jobs[name] = nil }
        }
        let job: Job<Result>
        if let known = jobs[name] as? Job<Result> {
            job = known
        } else {
            guard jobs.values.count(where: \.isRunning) < Self.runningLimit else { throw TooManyJobs() }
            dropOldest()
            job = Job(body)
            jobs[name] = job
            Task { await end(job) }
        }
        let start = ContinuousClock.now
        while job.isRunning, ContinuousClock.now - start < Self.patience {
            try await Task.sleep(for: .milliseconds(5))
        }
        return job.stateForRequest()
    }

    /// Returns a number for a walk that nothing has started yet.
    func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// Drops the results whose last request is the longest ago.
    private func dropOldest() {
        let ended = jobs.filter { !$0.value.isRunning }.sorted { $0.value.lastRequest < $1.value.lastRequest }
        for (name, _) in ended.prefix(max(0, jobs.count - Self.keptLimit + 1)) { jobs[name] = nil }
    }

    /// Ends a job after a while without a request for it.
    private func end(_ job: any RunningJob) async {
        while job.isRunning {
            do { try await Task.sleep(for: .seconds(1)) } catch { return }
            if ContinuousClock.now - job.lastRequest > Self.age { job.cancel() }
        }
    }

    /// Ends all walks.
    func cancelAll() {
        for job in jobs.values { job.cancel() }
    }
}

/// The error of a walk for which there is no place.
struct TooManyJobs: Error, CustomStringConvertible {
    var description: String { "Other walks over the store are not done yet. Try again when they are." }
}
#endif
