// The live objects used last, kept alive so that their records need not be read again.

import LMDB

/// A ring of the objects that were handed out last.
final class KeptObjects: Sendable {
    private struct State {
        var objects: [any MappedObject] = []
        var turn = 0
    }

    private let capacity: Int
    private let state = Monitor(State())

    /// - Parameter capacity: The number of objects to keep; at least 0.
    init(capacity: Int) { self.capacity = max(0, capacity) }

    /// Keeps an object, unless it is in the newer half of the ring.
    func keep(_ object: some MappedObject) {
        guard capacity > 0 else { return }
        // Released after the lock.
        var released: (any MappedObject)?
        state.withLock { state in
            guard object.keptTurn == 0 || state.turn - object.keptTurn >= capacity / 2 else { return }
            state.turn += 1
            object.keptTurn = state.turn
            if state.objects.count < capacity {
                state.objects.append(object)
            } else {
                let place = state.turn % capacity
                released = state.objects[place]
                state.objects[place] = object
            }
        }
        withExtendedLifetime(released) {}
    }

    /// Lets all objects go.
    func removeAll() {
        let released = state.withLock { state in
            defer { state.objects = [] }
            for object in state.objects { object.keptTurn = 0 }
            return state.objects
        }
        withExtendedLifetime(released) {}
    }
}
