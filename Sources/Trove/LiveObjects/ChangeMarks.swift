// Changes of live objects that are still to be told.

import LMDB

/// The changed parts of live objects, joined until they are told.
final class ChangeMarks: Sendable {
    private struct Mark {
        weak var object: LiveObject?
        var parts: LiveParts
    }

    private struct State {
        var marks: [ObjectIdentifier: Mark] = [:]
        var isAwaited = false
        var isUrgent = false
    }

    private let state = Monitor(State())

    /// Adds changed parts.
    ///
    /// - Returns: Whether the caller must arrange for ``tellAll()``: at once for an urgent change, else soon.
    func add(_ parts: LiveParts, of object: LiveObject, isUrgent: Bool) -> Bool {
        state.withLock { state in
            let identity = ObjectIdentifier(object)
            // An object may have the address of one that is gone.
            let known = state.marks[identity].flatMap { $0.object == nil ? nil : $0.parts } ?? []
            state.marks[identity] = Mark(object: object, parts: known.union(parts))
            let mustCall = !state.isAwaited || isUrgent && !state.isUrgent
            state.isAwaited = true
            state.isUrgent = state.isUrgent || isUrgent
            return mustCall
        }
    }

    /// Tells all changes noted so far.
    func tellAll() {
        let marks = state.withLock { state in
            defer { state = State() }
            return state.marks.values
        }
        for mark in marks { mark.object?.tell(mark.parts) }
    }
}
