// The amount of work in tests that repeat it: a part of it in every run, all of it if TROVE_TORTURE=full, as set by
// `scripts/torture` and `scripts/nightly`.

import Foundation

/// The amount of work in tests.
public enum Torture {
    /// Whether the full amount is run.
    public static let isFull = ProcessInfo.processInfo.environment["TROVE_TORTURE"] == "full"

    /// Returns the amount for a usual run or for a full run.
    public static func amount<Amount>(_ part: Amount, full: Amount) -> Amount { isFull ? full : part }
}
