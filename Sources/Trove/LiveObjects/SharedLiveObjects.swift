// What the live objects of a file share in this process: the identity map, the objects to save, and the observation of
// commits.

import Dispatch
import LMDB

/// The live objects of a file in this process, of all references to it.
final class SharedLiveObjects: Sendable {
    private struct State {
        /// The number of objects and of reads that may create some.
        var users = 0
        /// The number of ``LiveObjects`` of the program.
        var uses = 0
        /// Observes all commits while there are users.
        var registration: HubRegistration?
    }

    let map = IdentityMap()
    let pending: PendingSaves
    let kept: KeptObjects
    /// Told when the number of unsaved objects changes.
    let counter: LiveObject
    private let state = Monitor(State())

    init(_ keptCount: Int) {
        let counter = LiveObject()
        self.counter = counter
        kept = KeptObjects(capacity: keptCount)
        pending = PendingSaves { _ in counter.tell(.totalCount) }
    }

    // MARK: Being in use

    /// Notes that the program uses the live objects by a store.
    func beginUse() { state.withLock { $0.uses += 1 } }

    /// Notes that a store of the program is gone. With the last one, no object is kept for reuse.
    func endUse() {
        let uses = state.withLock { state in
            state.uses -= 1
            return state.uses
        }
        if uses == 0 { kept.removeAll() }
    }

    /// Notes a new object. The first one begins to observe the commits.
    func begin(_ home: LiveHome) {}

    func end() {}

    func deliverMarks() async {}
}

extension LiveObject {
    /// Tells of changes made by the running code.
    func tellHere(_ parts: LiveParts) { tell(parts) }
}

extension Live {
    /// Tells of changes from where the program's code must not run.
    func tellLater(_ parts: LiveParts) { tell(parts) }
}
