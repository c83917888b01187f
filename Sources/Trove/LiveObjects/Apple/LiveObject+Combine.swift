// Combine: live objects and lists as observable objects.

#if canImport(Combine)
import Combine
import Dispatch

extension LiveObject: ObservableObject {
    /// Publishes on the main thread after each change of the object.
    ///
    /// A view with an `@ObservedObject` is updated by any change. A view that reads the object without one is updated
    /// only by changes of the properties that it has read.
    public var objectWillChange: ObservableObjectPublisher { listener { ChangePublisher() }.publisher }
}

/// The publisher of an object's changes.
///
/// Unchecked because a publisher is not known to be sendable: it sends on the main thread only.
private final class ChangePublisher: ChangeListener, @unchecked Sendable {
    let publisher = ObservableObjectPublisher()

    func objectHasChanged() { DispatchQueue.main.async { self.publisher.send() } }
}
#endif
