// When a write gives up waiting.

/// The end of a write's busy timeout; none where it waits as long as it takes.
package struct WriteDeadline: Sendable {
    private let end: ContinuousClock.Instant?

    /// The shortest time in which another thread can be trusted to take a free lock.
    private static let least = Duration.milliseconds(50)

    init(in timeout: Duration?) {
        end = timeout.map { ContinuousClock.now + min($0, .seconds(1 << 32)) }
    }

    package static let never = WriteDeadline(in: nil)

    /// The time that is left, and at least as much as a free lock needs; nil where there is no end.
    var remaining: Duration? { end.map { max(Self.least, ContinuousClock.now.duration(to: $0)) } }
}

extension Duration {
    /// Rounded towards zero.
    var wholeMilliseconds: Int {
        let (seconds, attoseconds) = components
        return Int(clamping: seconds).multipliedReportingOverflow(by: 1000).partialValue
            &+ Int(attoseconds / 1_000_000_000_000_000)
    }
}
