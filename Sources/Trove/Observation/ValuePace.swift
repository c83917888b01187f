// The pauses between the reads of an iteration.

/// The least time from one read of an iteration to the next.
struct ValuePace: Sendable {
    private let interval: Duration
    private let sleep: @Sendable (ContinuousClock.Instant) async throws -> Void

    /// - Parameter sleep: Waits until a time.
    init(_ interval: Duration, _ sleep: @escaping @Sendable (ContinuousClock.Instant) async throws -> Void) {
        // No time of the clock is beyond its range.
        self.interval = min(interval, .seconds(1 << 32))
        self.sleep = sleep
    }

    /// The time of the next read if one ends now; nil for any time.
    var nextRead: ContinuousClock.Instant? { interval > .zero ? ContinuousClock.now + interval : nil }

    /// Waits until a time; nil for any time.
    ///
    /// - Throws: `CancellationError` if the task is cancelled meanwhile.
    func pause(until time: ContinuousClock.Instant?) async throws {
        guard let time, time > .now else { return }
        try await sleep(time)
    }
}
