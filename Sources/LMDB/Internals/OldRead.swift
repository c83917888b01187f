// A long-running read.

import Dispatch

/// A read transaction of this process that has reached the maximum age.
package struct OldRead: Hashable, Sendable {
    /// The minimum time since the read began.
    package var age: Duration
    /// The number of commits since its snapshot, whose pages cannot be reused.
    package var commitsBehind: Int
    /// Whether the transaction was ended.
    package var isEnded: Bool
}
