// The live objects used last, kept alive so that their records need not be read again.

import LMDB

/// A ring of the objects that were handed out last.
final class KeptObjects: Sendable {
    private struct State {
        var objects: [any MappedObject] = []
        /// The place of the oldest object, once all places are taken.
        var place = 0
        var turn = 0
        /// The number of uses by the program.
        var uses = 0
    }

    private let capacity: Int
    private let state = Monitor(State())

    /// - Parameter capacity: The number of objects to keep; at least 0.
    init(capacity: Int) { self.capacity = max(0, capacity) }

    /// Notes that the program uses live objects. Only then are objects kept: each keeps its store open.
    func beginUse() { state.withLock { $0.uses += 1 } }

    /// Notes the end of a use. With the last one, all objects are released.
    func endUse() {
        let uses = state.withLock { state in
            state.uses -= 1
            return state.uses
        }
        if uses == 0 { removeAll() }
    }

    /// Keeps an object, unless it is in the newer half of the ring.
    func keep(_ object: some MappedObject) {
        guard capacity > 0 else { return }
        // Released after the lock.
        var released: (any MappedObject)?
        state.withLock { state in
            guard state.uses > 0, object.keptTurn == 0 || state.turn - object.keptTurn >= capacity / 2 else { return }
            state.turn += 1
            object.keptTurn = state.turn
            if state.objects.count < capacity {
                state.objects.append(object)
            } else {
                released = state.objects[state.place]
                state.objects[state.place] = object
                state.place = (state.place + 1) % capacity
            }
        }
        withExtendedLifetime(released) {}
    }

    /// Releases all objects.
    func removeAll() {
        let released = state.withLock { state in
            defer { (state.objects, state.place) = ([], 0) }
            for object in state.objects { object.keptTurn = 0 }
            return state.objects
        }
        withExtendedLifetime(released) {}
    }
}
