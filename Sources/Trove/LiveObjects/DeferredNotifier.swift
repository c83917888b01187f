// Notifies the observers of live objects where commits are delivered.
//
//     an edit ───────▶ the observers, at once; elsewhere than on the delivery actor also ─┐
//     a save ─────────────────────────────▶ noted ◀───────────────────────────────────────┘
//                                             └──▶ on the delivery actor, or on a queue ──▶ the observers
//     a delivery ───────────────────────────────▶ there already ──────────────────────────▶ the observers
//
// Another thread may be notifying the observers of an object when a change is to be reported. Then the change is left
// to that thread, which hands it back at its end.

import LMDB

/// Changes of live objects that are reported where commits are delivered: on the delivery actor, or on a queue.
final class DeferredNotifier: Sendable {
    private struct Mark {
        weak var object: LiveObject?
        var parts: LiveParts
    }

    private struct State {
        /// The changed parts, joined by object.
        var marks: [ObjectIdentifier: Mark] = [:]
        /// The changed parts of objects whose observers another thread notifies. The thread keeps the objects alive.
        var left: [ObjectIdentifier: LiveParts] = [:]
        var isAwaited = false
        var isUrgent = false
        /// The number of threads that report changes noted before.
        var reporting = 0
        /// The callers that wait until a thread has handed changes back.
        var waiting: [CheckedContinuation<Bool, Never>] = []

        /// Notes changed parts. Returns whether the caller must arrange for the notification.
        mutating func note(_ parts: LiveParts, of object: LiveObject, isUrgent isHurried: Bool) -> Bool {
            let identity = ObjectIdentifier(object)
            // An object may have the address of one that is gone.
            let known = marks[identity].flatMap { $0.object == nil ? nil : $0.parts } ?? []
            marks[identity] = Mark(object: object, parts: known.union(parts))
            let mustArrange = !isAwaited || isHurried && !isUrgent
            isAwaited = true
            isUrgent = isUrgent || isHurried
            return mustArrange
        }

        /// Removes the changed parts left to a thread, and the callers that wait for such a moment.
        mutating func takeLeft(
            of object: LiveObject
        ) -> (parts: LiveParts, waiting: [CheckedContinuation<Bool, Never>]) {
            defer { waiting = [] }
            return (left.removeValue(forKey: ObjectIdentifier(object)) ?? [], waiting)
        }
    }

    /// The time in which changes without hurry are joined.
    private static let pause = Duration.milliseconds(1)

    let rounds: Rounds
    private let state = Monitor(State())

    init(_ rounds: Rounds) { self.rounds = rounds }

    // MARK: Notifying

    /// Notifies the observers of changes by the running code, and once more where commits are delivered: an observer on
    /// another thread may have been reading, and not have been waiting yet. Code that runs there notifies them once.
    func notifyNow(_ parts: LiveParts, of object: LiveObject) {
        let parts = object.observed(parts)
        if parts.isEmpty { return }
        object.notify(parts)
        if !rounds.deliversHere { notify(parts, of: object, isRepeated: true) }
    }

    /// Notifies the observers of changes later.
    ///
    /// - Parameter isRepeated: Whether the changes have been reported already: then there is no hurry.
    func notify(_ parts: LiveParts, of object: LiveObject, isRepeated: Bool) {
        let parts = object.observed(parts)
        if parts.isEmpty { return }
        let mustArrange = state.withLock { $0.note(parts, of: object, isUrgent: !isRepeated) }
        if mustArrange { arrange(after: isRepeated ? Self.pause : nil) }
    }

    /// Notifies the observers of changes at once, or when another thread has notified the object's observers. Called
    /// where commits are delivered, so that observers of commits are notified nowhere else.
    func notifyDelivered(_ parts: LiveParts, of object: LiveObject) {
        var parts = object.observed(parts)
        while !parts.isEmpty, !object.notifyIfIdle(parts) {
            // Noted first, since the other thread may end at once.
            state.withLock { $0.left[ObjectIdentifier(object), default: []].formUnion(parts) }
            if object.callWhenIdle(self) { return }
            let (left, waiting) = state.withLock { $0.takeLeft(of: object) }
            for continuation in waiting { continuation.resume(returning: true) }
            parts = left
        }
    }

    /// Takes back the changes that were left to a thread, which has notified the object's observers.
    func objectIsIdle(_ object: LiveObject) {
        let (waiting, mustArrange) = state.withLock { state in
            let (parts, waiting) = state.takeLeft(of: object)
            if parts.isEmpty { return (waiting, false) }
            return (waiting, state.note(parts, of: object, isUrgent: true))
        }
        if mustArrange { arrange(after: nil) }
        for continuation in waiting { continuation.resume(returning: true) }
    }

    private func arrange(after pause: Duration?) {
        rounds.deliveryQueue.async(after: pause) {
            guard let actor = self.rounds.delivery.withLock({ $0 }) else { return self.notifyAll() }
            Task.detached(priority: .userInitiated) { await self.notifyAll(on: actor) }
        }
    }

    // MARK: Waiting

    /// Reports all changes noted so far, and returns afterwards, also in a cancelled task.
    func finish() async {
        if isFinished { return }
        repeat { await notifyAllInPlace() } while await isHandedBack()
    }

    /// Whether all changes are reported.
    var isFinished: Bool { state.withLock { $0.marks.isEmpty && $0.left.isEmpty && $0.reporting == 0 } }

    /// The number of objects with changes to report, except the objects left to another thread.
    var count: Int { state.withLock { $0.marks.count } }

    /// Waits until a thread has handed changes back. Returns false if none are left to a thread.
    private func isHandedBack() async -> Bool {
        await withCheckedContinuation { continuation in
            let waits = state.withLock { state in
                if !state.left.isEmpty { state.waiting.append(continuation) }
                return !state.left.isEmpty
            }
            if !waits { continuation.resume(returning: false) }
        }
    }

    private func notifyAllInPlace() async {
        if let actor = rounds.delivery.withLock({ $0 }) { return await notifyAll(on: actor) }
        await withCheckedContinuation { continuation in
            rounds.deliveryQueue.async {
                self.notifyAll()
                continuation.resume()
            }
        }
    }

    private func notifyAll(on actor: isolated any Actor) { notifyAll() }

    /// Reports all changes noted so far, except the changes of objects whose observers another thread notifies.
    private func notifyAll() {
        let marks = state.withLock { state in
            defer { (state.marks, state.isAwaited, state.isUrgent) = ([:], false, false) }
            state.reporting += 1
            return state.marks.values
        }
        for mark in marks {
            if let object = mark.object { notifyDelivered(mark.parts, of: object) }
        }
        state.withLock { $0.reporting -= 1 }
    }
}
