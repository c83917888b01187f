// A transaction that reads do not show yet, although its meta page is stored.

/// The looks for a transaction that reads do not show yet. Its writer has stored the meta page, and not yet the number
/// that reads take: it was stopped between the two, or killed.
///
/// No write to the file follows that the system could report. So the rounds look again by themselves, for a minute.
struct LateTransaction {
    /// The time in which the rounds look again. A writer that was killed never stores the number; the next writer of
    /// any process does.
    static let patience = Duration.seconds(60)
    private static let longestPause = Duration.milliseconds(250)

    let number: Int
    private var elapsed = Duration.zero
    private var pause = Duration.milliseconds(25)

    init(number: Int) { self.number = number }

    /// Returns the time until the next look, and counts the look: 25 milliseconds, then 50, and so on up to 250; nil
    /// after the last look.
    mutating func nextPause() -> Duration? {
        guard elapsed < Self.patience else { return nil }
        defer { (elapsed, pause) = (elapsed + pause, min(pause * 2, Self.longestPause)) }
        return pause
    }
}
