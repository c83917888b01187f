// The pauses between the values of an iteration.

import LMDB

/// The least time from one value of an iteration to the next.
final class ValuePace: Sendable {
    private let interval: Duration
    private let sleep: @Sendable (ContinuousClock.Instant) async throws -> Void
    /// The time of the next value; nil for any time.
    private let next = Monitor<ContinuousClock.Instant?>(nil)

    /// - Parameter sleep: Waits until a time.
    init(_ interval: Duration, _ sleep: @escaping @Sendable (ContinuousClock.Instant) async throws -> Void) {
        // No time of the clock is beyond its range.
        self.interval = min(interval, .seconds(1 << 32))
        self.sleep = sleep
    }

    /// Waits until the next value may be read.
    ///
    /// - Throws: `CancellationError` if the task is cancelled meanwhile.
    func pause() async throws {
        guard let time = next.withLock({ $0 }), time > .now else { return }
        try await sleep(time)
    }

    /// Notes that a value was read.
    func noteValue() {
        guard interval > .zero else { return }
        next.withLock { $0 = .now + interval }
    }
}
