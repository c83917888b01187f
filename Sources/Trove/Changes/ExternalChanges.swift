// The watch for commits of other processes, while a store is observed.

/// The ways in which observers are notified of the commits of other processes.
public enum ExternalChanges: Hashable, Sendable {
    /// The system reports writes to the file, within microseconds. If it refuses, for example because the user's
    /// watches are used up, the file is looked at every 250 milliseconds, with a warning (swift-log, label
    /// `trove`).
    case watch
    /// The file is looked at in an interval of at least a millisecond: for file systems that report no writes.
    case every(Duration)
    /// Observers are notified of other processes' commits with the next commit of this process.
    case never
}
