// The live objects with changes to save. They are kept alive until they are saved or reverted.

import LMDB

/// The live objects with changes, in the order of their first change.
final class PendingSaves: Sendable {
    private struct State {
        var objects: [ObjectIdentifier: (object: any MappedObject, turn: Int)] = [:]
        var lastTurn = 0
    }

    private let state = Monitor(State())
    /// Called after an object was added or removed.
    private let didChange: @Sendable (_ pending: PendingSaves, _ isAddition: Bool) -> Void

    init(didChange: @escaping @Sendable (_ pending: PendingSaves, _ isAddition: Bool) -> Void) {
        self.didChange = didChange
    }

    /// Adds or removes an object, by whether it has changes now.
    ///
    /// Each change of an object is followed by a call. The last of several calls at the same time sees the last state.
    func note(_ object: some MappedObject) {
        let (isPending, isOther) = state.withLock { state in
            let identity = ObjectIdentifier(object)
            let (isPending, isKnown) = (object.isPending, state.objects[identity] != nil)
            if isKnown, !isPending {
                state.objects[identity] = nil
            } else if isPending, !isKnown {
                state.lastTurn += 1
                state.objects[identity] = (object, state.lastTurn)
            }
            return (isPending, isPending != isKnown)
        }
        if isOther { didChange(self, isPending) }
    }

    var count: Int { state.withLock { $0.objects.count } }

    /// The objects, in the order of their first change.
    var objects: [any MappedObject] {
        state.withLock { Array($0.objects.values) }.sorted { $0.turn < $1.turn }.map(\.object)
    }
}
