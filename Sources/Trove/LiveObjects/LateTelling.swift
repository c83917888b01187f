// Tells of changes of live objects where commits are delivered.

import LMDB

/// Changes of live objects that are told where commits are delivered: on the delivery actor, or on a queue.
final class LateTelling: Sendable {
    private struct Mark {
        weak var object: LiveObject?
        var parts: LiveParts
    }

    private struct State {
        /// The changed parts, joined by object.
        var marks: [ObjectIdentifier: Mark] = [:]
        var isAwaited = false
        var isUrgent = false
    }

    /// The time in which changes without hurry are joined.
    private static let pause = Duration.milliseconds(1)

    private let rounds: Rounds
    private let state = Monitor(State())

    init(_ rounds: Rounds) { self.rounds = rounds }

    /// Tells of changes later.
    ///
    /// - Parameter isRepeated: Whether the changes have been told already: then there is no hurry.
    func tell(_ parts: LiveParts, of object: LiveObject, isRepeated: Bool) {
        let parts = object.observed(parts)
        if parts.isEmpty || !note(parts, of: object, isUrgent: !isRepeated) { return }
        rounds.deliveryQueue.async(after: isRepeated ? Self.pause : nil) {
            guard let actor = self.rounds.delivery.withLock({ $0 }) else {
                _ = self.tellAll()
                return
            }
            Task.detached(priority: .userInitiated) { _ = await self.tellAll(on: actor) }
        }
    }

    /// Tells of changes at once, or a moment later if another thread is telling of the object. Called where commits are
    /// delivered, so that their observers are told nowhere else.
    ///
    /// - Returns: Whether they are told.
    @discardableResult
    func tellDelivered(_ parts: LiveParts, of object: LiveObject) -> Bool {
        let isTold = object.tellIfIdle(parts)
        if !isTold { tell(parts, of: object, isRepeated: true) }
        return isTold
    }

    /// Notes changed parts. Returns whether the caller must arrange for the telling.
    private func note(_ parts: LiveParts, of object: LiveObject, isUrgent: Bool) -> Bool {
        state.withLock { state in
            let identity = ObjectIdentifier(object)
            // An object may have the address of one that is gone.
            let known = state.marks[identity].flatMap { $0.object == nil ? nil : $0.parts } ?? []
            state.marks[identity] = Mark(object: object, parts: known.union(parts))
            let mustArrange = !state.isAwaited || isUrgent && !state.isUrgent
            state.isAwaited = true
            state.isUrgent = state.isUrgent || isUrgent
            return mustArrange
        }
    }

    /// Tells of all changes noted so far, and returns afterwards.
    func finish() async {
        while await !tellAllInPlace() { try? await Task.sleep(for: Self.pause) }
    }

    private func tellAllInPlace() async -> Bool {
        if let actor = rounds.delivery.withLock({ $0 }) { return await tellAll(on: actor) }
        return await withCheckedContinuation { continuation in
            rounds.deliveryQueue.async { continuation.resume(returning: self.tellAll()) }
        }
    }

    private func tellAll(on actor: isolated any Actor) -> Bool { tellAll() }

    /// Tells of all changes noted so far. Returns false if those of an object are left for later.
    private func tellAll() -> Bool {
        let marks = state.withLock { state in
            defer { state = State() }
            return state.marks.values
        }
        var areTold = true
        for mark in marks {
            if let object = mark.object, !tellDelivered(mark.parts, of: object) { areTold = false }
        }
        return areTold
    }
}
