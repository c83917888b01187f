// A reference that keeps an environment open.

/// A hold on an open environment, shared by all `Environment`s on its file.
///
/// The registry's weak reference points to this object rather than to the environment. A weakly referenced object is
/// several times slower to retain, and each transaction retains its environment.
final class EnvironmentHold: Sendable {
    let environment: SharedEnvironment
    /// The watch of long-running reads, if installed.
    let watch = Monitor<ReadWatch?>(nil)

    init(_ environment: SharedEnvironment) { self.environment = environment }
}
