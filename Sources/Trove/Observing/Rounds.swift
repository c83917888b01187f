// The rounds of observation.

import Dispatch
import LMDB

/// The rounds of an open file in this process, on a queue of their own.
final class Rounds: Sendable {
    let inbox: ChangeInbox
    let queue = DispatchQueue(label: "trove.live", qos: .userInitiated)

    struct State {
        var lastNumber = 0
    }

    let state = Monitor(State())
    /// The actor that deliveries run on; nil for a queue of their own.
    let delivery = Monitor<(any Actor)?>(nil)

    init(_ inbox: ChangeInbox) { self.inbox = inbox }

    func add(_ observer: some RoundObserver, _ region: ObservedRegion, of store: Store) -> HubRegistration {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        return HubRegistration(observer, store, self, number: number)
    }

    func remove(_ number: Int, of store: Store) {}

    func setRegion(_ region: ObservedRegion, of number: Int, since seen: UInt64) {}

    func runNow(_ store: Store) throws {}

    func settle() async {}
}
