// The outcome of a failed commit.

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The outcome of a failed commit.
public enum CommitOutcome: Hashable, Sendable {
    /// Nothing of the commit is in the file, now or later.
    case notCommitted
    /// The write of the meta page failed halfway. The commit may be in the file or not, and a power cut may still turn
    /// one state into the other. Reads and writes continue with the state in the file.
    case unknown
}
