// The deadline of a waiting write.

/// The end of a write's busy timeout, or no end.
package struct WriteDeadline: Sendable {
    private let end: ContinuousClock.Instant?

    /// The minimum time in which another thread reliably takes a free lock.
    private static let least = Duration.milliseconds(50)

    init(in timeout: Duration?) {
        end = timeout.map { ContinuousClock.now + min($0, .seconds(1 << 32)) }
    }

    package static let never = WriteDeadline(in: nil)

    /// The remaining time, at least the time to take a free lock; nil without a deadline.
    var remaining: Duration? { end.map { max(Self.least, ContinuousClock.now.duration(to: $0)) } }
}

extension Duration {
    /// The duration in milliseconds, rounded towards zero.
    var wholeMilliseconds: Int {
        let (seconds, attoseconds) = components
        return Int(clamping: seconds).multipliedReportingOverflow(by: 1000).partialValue
            &+ Int(attoseconds / 1_000_000_000_000_000)
    }
}
