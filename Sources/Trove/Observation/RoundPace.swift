// The pace of rounds: however fast commits come, rounds take half of a processor at most, as long as a round takes less
// than a second.

/// The moment at which the next round may begin.
struct RoundPace {
    /// The shortest pause after a round that has left changes for the next.
    static let shortestPause = Duration.milliseconds(1)
    /// The number of failures in a row after which the observers learn of them.
    static let patience = 8
    /// The longest pause, after a round or a failure. The clock also runs while the system has stopped the process: a
    /// round during which an app was suspended for hours is no reason for a pause of hours.
    static let longestPause = Duration.seconds(1)

    private var next: ContinuousClock.Instant?
    /// The number of failed rounds since the last that could read.
    private(set) var failures = 0

    /// Returns the pause after a reading: as long as the reading took, from a millisecond to a second.
    static func pause(after cost: Duration) -> Duration { min(max(cost, shortestPause), longestPause) }

    /// Notes the end of a round: the next begins no sooner than this one took, or after a second. After a short round
    /// without more changes, it begins at once.
    ///
    /// - Parameter isBusy: Whether there are more changes.
    mutating func noteRound(from start: ContinuousClock.Instant, to end: ContinuousClock.Instant, isBusy: Bool) {
        let cost = start.duration(to: end)
        next = isBusy || cost >= Self.shortestPause ? end + Self.pause(after: cost) : nil
        failures = 0
    }

    /// Notes a round that could not read: the next begins after 10 milliseconds, then 20, and so on up to a second.
    mutating func noteFailure(at now: ContinuousClock.Instant) {
        next = now + min(.milliseconds(10 << min(failures, 16)), Self.longestPause)
        failures += 1
    }

    /// Notes a read that could not begin. Returns the time to wait before the next attempt.
    ///
    /// - Throws: The error, if it is the last of several in a row.
    mutating func pause(after error: StoreError, at now: ContinuousClock.Instant) throws -> Duration {
        noteFailure(at: now)
        guard failures < Self.patience, let pause = pause(at: now) else { throw error }
        return pause
    }

    /// Returns the time to wait; nil if the round may begin.
    func pause(at now: ContinuousClock.Instant) -> Duration? {
        guard let next, next > now else { return nil }
        return now.duration(to: next)
    }
}
