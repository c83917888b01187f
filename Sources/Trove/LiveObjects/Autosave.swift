// Saves edits of live objects in the background, if the program requests it.
//
//     first change ──the delay──▶ save ──▶ all are saved
//                                  │  └──▶ changes made meanwhile ──the delay──▶ save
//                                  └─────▶ some cannot be saved ──a growing pause──▶ save

import Dispatch
import LMDB
import Logging

/// A save in the background that has failed.
public struct SaveFailure: Sendable {
    /// The object. It keeps its edits.
    public let object: LiveObject
    /// The key of its record.
    public let key: StoredKey
    /// The error of the save.
    public let error: any Error
}

/// Saves the objects of a file with changes some time after their first change, and again if some cannot be saved.
final class Autosave: Sendable {
    /// Calls a closure after a pause. The closures run one after another.
    typealias Timer = @Sendable (_ pause: Duration, _ body: @escaping @Sendable () -> Void) -> Void

    /// The reason for a save.
    private enum Occasion {
        case changes, failure
    }

    private struct State {
        var delay: Duration?
        /// The reason for the next save; nil if no save is scheduled.
        var scheduled: Occasion?
        /// A number that changes with the save to come. A save that another has replaced is left out.
        var version = 0
        /// The number of saves in a row that have failed.
        var failures = 0
        var consumers: [Int: AsyncStream<SaveFailure>.Continuation] = [:]
        var lastConsumer = 0

        /// The pause before the save to come: after failures the delay, twice the delay and so on, up to a minute.
        func pause(before occasion: Occasion) -> Duration {
            let delay = min(max(.zero, self.delay ?? .zero), Autosave.longestDelay)
            switch occasion {
            case .changes: return delay
            case .failure:
                let pause = max(Autosave.shortestPause, min(delay, Autosave.longestPause))
                return max(delay, min(pause * (1 << min(failures - 1, 16)), Autosave.longestPause))
            }
        }
    }

    /// A year. The clock of the queue has no time much later.
    private static let longestDelay = Duration.seconds(365 * 86_400)
    private static let shortestPause = Duration.milliseconds(10)
    private static let longestPause = Duration.seconds(60)

    private let timer: Timer
    private let state = Monitor(State())

    /// - Parameter timer: Calls closures later; by default on a queue of the object's own.
    init(_ timer: @escaping Timer = Autosave.makeTimer()) { self.timer = timer }

    deinit { for consumer in state.withLock({ $0.consumers }).values { consumer.finish() } }

    static func makeTimer() -> Timer {
        let queue = DispatchQueue(label: "trove.autosave", qos: .utility)
        return { pause, body in
            queue.asyncAfter(deadline: .now() + .nanoseconds(Int(pause / .nanoseconds(1))), execute: body)
        }
    }

    // MARK: When

    var delay: Duration? { state.withLock { $0.delay } }

    /// Sets the delay, and saves the changes made so far after it.
    func setDelay(_ delay: Duration?, _ pending: PendingSaves) {
        state.withLock { state in
            (state.delay, state.scheduled, state.failures) = (delay, nil, 0)
            state.version += 1
        }
        schedule(pending)
    }

    /// Arranges for a save after a change.
    func schedule(_ pending: PendingSaves) {
        let isWanted = state.withLock { $0.delay != nil && $0.scheduled != .changes }
        if isWanted, pending.count > 0 { schedule(.changes, pending) }
    }

    /// Arranges for a save, unless one is to come that is not later.
    private func schedule(_ occasion: Occasion, _ pending: PendingSaves) {
        let scheduled = state.withLock { state -> (pause: Duration, version: Int)? in
            guard state.delay != nil, state.scheduled == nil || occasion == .changes && state.scheduled == .failure
            else { return nil }
            state.scheduled = occasion
            state.version += 1
            return (state.pause(before: occasion), state.version)
        }
        guard let (pause, version) = scheduled else { return }
        // Objects with changes keep both alive.
        timer(pause) { [weak self, weak pending] in
            if let self, let pending { self.run(version, pending) }
        }
    }

    /// Saves the changes so far. Later changes are saved the next time.
    private func run(_ version: Int, _ pending: PendingSaves) {
        let isWanted = state.withLock { state in
            guard state.version == version else { return false }
            state.scheduled = nil
            return state.delay != nil
        }
        guard isWanted else { return }
        let failures = save(pending.objects)
        state.withLock { $0.failures = failures.isEmpty ? 0 : $0.failures + 1 }
        report(failures)
        // A closed store stays closed.
        let mayTryAgain = failures.contains {
            if case StoreError.transaction(.closed) = $0.error { false } else { true }
        }
        if mayTryAgain {
            schedule(.failure, pending)
        } else if failures.isEmpty {
            schedule(pending)
        }
    }

    // MARK: Saving

    /// Saves objects in one transaction; if that fails, each alone. Returns the failures.
    private func save(_ objects: [any MappedObject]) -> [SaveFailure] {
        guard let home = objects.first?.home else { return [] }
        do {
            try home.store.write { try $0.save(objects) }
            return []
        } catch {
            switch error {
            case StoreError.transaction(.writerBusy), StoreError.transaction(.busy):
                // Each object would wait as long again.
                return objects.map { SaveFailure(object: $0, key: $0.storedKey, error: error) }
            default: return objects.compactMap(saveAlone)
            }
        }
    }

    private func saveAlone(_ object: any MappedObject) -> SaveFailure? {
        do {
            try object.home.store.write { try $0.save([object]) }
            return nil
        } catch {
            return SaveFailure(object: object, key: object.storedKey, error: error)
        }
    }

    // MARK: Failures

    private func report(_ failures: [SaveFailure]) {
        for consumer in state.withLock({ $0.consumers }).values {
            for failure in failures { consumer.yield(failure) }
        }
        guard let first = failures.first, let object = first.object as? any MappedObject else { return }
        Logger(label: "trove").warning(
            "Edits of live objects could not be saved in the background",
            metadata: [
                "path": "\(object.home.reference.path)", "objects": "\(failures.count)", "type": "\(first.key.type)",
                "key": "\(first.key)", "error": "\(first.error)",
            ])
    }

    /// Returns the failures from now on. The sequence ends with this object.
    func failures() -> AsyncStream<SaveFailure> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: SaveFailure.self, bufferingPolicy: .bufferingNewest(100))
        let number = state.withLock { state in
            state.lastConsumer += 1
            state.consumers[state.lastConsumer] = continuation
            return state.lastConsumer
        }
        continuation.onTermination = { [weak self] _ in
            // Released after the lock: it may hold the last reference to an object.
            let consumer = self?.state.withLock { $0.consumers.removeValue(forKey: number) }
            withExtendedLifetime(consumer) {}
        }
        return stream
    }
}
