// A serial queue that knows whether it is the current one.

import Dispatch

/// A serial queue.
final class RoundQueue: Sendable {
    private static let key = DispatchSpecificKey<ObjectIdentifier>()

    let queue: DispatchQueue

    init(label: String) {
        queue = DispatchQueue(label: label, qos: .userInitiated)
        queue.setSpecific(key: Self.key, value: ObjectIdentifier(self))
    }

    /// Whether the calling code runs on the queue.
    var isCurrent: Bool { DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(self) }

    func async(after pause: Duration? = nil, _ body: @escaping @Sendable () -> Void) {
        guard let pause else { return queue.async(execute: body) }
        queue.asyncAfter(deadline: .now() + .nanoseconds(Int(pause / .nanoseconds(1))), execute: body)
    }

    func sync<R>(_ body: () throws -> R) rethrows -> R { try queue.sync(execute: body) }
}
