// The registration of an observer of commits.

/// A registration of an observer, removed when it is released.
final class CommitObservation: Sendable {
    private let remove: @Sendable () -> Void

    /// Creates a registration.
    ///
    /// - Parameter remove: Removes the observer.
    init(remove: @escaping @Sendable () -> Void) { self.remove = remove }

    deinit { remove() }
}
