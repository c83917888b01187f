// Saves edits of live objects in the background, if the program asks for it.

import Dispatch
import LMDB

/// A save in the background that has failed.
public struct SaveFailure: Sendable {
    /// The object. It keeps its edits.
    public let object: LiveObject
    /// The key of its record.
    public let key: StoredKey
    /// The error of the save.
    public let error: any Error
}

/// Saves objects with changes some time after their first change.
final class Autosave: Sendable {
    private struct State {
        var delay: Duration?
        /// Whether a save is to come.
        var isScheduled = false
        /// A number that changes with the delay. The save that an earlier delay has scheduled is left out.
        var version = 0
        var consumers: [Int: AsyncStream<SaveFailure>.Continuation] = [:]
        var lastConsumer = 0
    }

    /// A year. The clock of the queue has no time much later.
    private static let longestDelay = Duration.seconds(365 * 86_400)

    private static let queue = DispatchQueue(label: "trove.autosave", qos: .utility)

    private let state = Monitor(State())

    var delay: Duration? { state.withLock { $0.delay } }

    /// Sets the delay, and saves the changes made so far after it.
    func setDelay(_ delay: Duration?, _ pending: PendingSaves) {
        state.withLock { state in
            state.delay = delay
            state.isScheduled = false
            state.version += 1
        }
        schedule(pending)
    }

    /// Arranges for a save after a change.
    func schedule(_ pending: PendingSaves) {
        let scheduled = state.withLock { state -> (delay: Duration, version: Int)? in
            guard !state.isScheduled, let delay = state.delay, pending.count > 0 else { return nil }
            state.isScheduled = true
            return (delay, state.version)
        }
        guard let (delay, version) = scheduled else { return }
        let pause = min(max(.zero, delay), Self.longestDelay) / .nanoseconds(1)
        Self.queue.asyncAfter(deadline: .now() + .nanoseconds(Int(pause))) {
            // Changes from here on are saved the next time.
            let isWanted = self.state.withLock { state in
                guard state.version == version else { return false }
                state.isScheduled = false
                return state.delay != nil
            }
            if isWanted { self.save(pending.objects) }
        }
    }

    private func save(_ objects: [any MappedObject]) {
        guard let home = objects.first?.home else { return }
        do {
            try home.store.write { try $0.save(objects) }
        } catch {
            for object in objects { saveAlone(object) }
        }
    }

    private func saveAlone(_ object: any MappedObject) {
        do {
            try object.home.store.write { try $0.save([object]) }
        } catch {
            let failure = SaveFailure(object: object, key: object.storedKey, error: error)
            for consumer in state.withLock({ $0.consumers }).values { consumer.yield(failure) }
        }
    }

    /// Returns the failures from now on.
    func failures() -> AsyncStream<SaveFailure> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: SaveFailure.self, bufferingPolicy: .bufferingNewest(100))
        let number = state.withLock { state in
            state.lastConsumer += 1
            state.consumers[state.lastConsumer] = continuation
            return state.lastConsumer
        }
        continuation.onTermination = { _ in self.state.withLock { $0.consumers[number] = nil } }
        return stream
    }
}
