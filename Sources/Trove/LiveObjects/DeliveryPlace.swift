// The test whether the calling code runs where commits are delivered.

import Dispatch
import LMDB

extension Rounds {
    /// Whether the running code certainly runs where commits are delivered. So no other code that runs there can be
    /// under way.
    ///
    /// Of an actor other than the main actor, that is not known.
    var deliversHere: Bool {
        guard let actor = delivery.withLock({ $0 }) else { return deliveryQueue.isCurrent }
        return actor === MainActor.shared && MainQueue.isCurrent
    }
}

/// The queue that the code of the main actor runs on.
private enum MainQueue {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Whether the running code runs on the queue.
    static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) ?? false }
}
