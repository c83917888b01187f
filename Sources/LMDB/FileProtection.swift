// The protection of files on iOS and related systems.

/// The moment from which the system can decrypt a file, on iOS and related systems.
///
/// It has no effect on Linux, and on volumes without such a protection, such as those of a Mac.
public enum FileProtection: Hashable, Sendable {
    /// Only while the device is unlocked. Afterwards, a read of the open file ends the process with a signal: the
    /// environment must be suspended before.
    case complete
    /// While the device is unlocked, and after that as long as the file stays open.
    case completeUnlessOpen
    /// From the first time the device is unlocked after it was started.
    case completeUntilFirstUserAuthentication
    /// Always.
    case none
}

extension FileProtection {
    /// The number of the class in the system's calls.
    package var number: Int32 {
        switch self {
        case .complete: 1
        case .completeUnlessOpen: 2
        case .completeUntilFirstUserAuthentication: 3
        case .none: 4
        }
    }
}
