// What the live objects of a file share in this process: the identity map, the objects to save, and the observation of
// commits.

import LMDB

/// The live objects of a file in this process, of all references to it.
final class SharedLiveObjects: Sendable {
    private struct State {
        /// The number of objects, and of reads that may create some.
        var users = 0
        /// Observes all commits while there are users.
        var registration: HubRegistration?
    }

    let map = IdentityMap()
    let pending: PendingSaves
    let kept: KeptObjects
    let autosave: Autosave
    /// Notified when the number of unsaved objects changes.
    let counter: LiveObject
    let notifier: DeferredNotifier
    let progress = Monitor(RoundProgress())
    private let pressure: MemoryPressure
    private let state = Monitor(State())

    init(_ rounds: Rounds, keeping keptCount: Int, autosave: Autosave = Autosave()) {
        let counter = LiveObject()
        self.counter = counter
        self.autosave = autosave
        let notifier = DeferredNotifier(rounds)
        self.notifier = notifier
        let kept = KeptObjects(capacity: keptCount)
        self.kept = kept
        pressure = MemoryPressure { kept.removeAll() }
        pending = PendingSaves { pending, isAddition in
            notifier.notify(.unsavedCount, of: counter, isRepeated: false)
            if isAddition { autosave.schedule(pending) }
        }
    }

    /// Notes an edit by the program, for a save in the background. It matters for an object that had changes already.
    func noteEdit() { autosave.schedule(pending) }

    // MARK: Being in use

    /// Notes a new user. The first one begins to observe the commits, unless its store is closed.
    func begin(_ home: LiveHome) {
        state.withLock { state in
            state.users += 1
            if state.registration == nil {
                state.registration = try? home.reference.register(self, for: .everything)
            }
        }
    }

    /// Notes the end of a user. The last one ends the observation.
    func end() {
        let released = state.withLock { state in
            state.users -= 1
            return state.users == 0 ? state.registration.take() : nil
        }
        withExtendedLifetime(released) {}
    }

    /// Observes by the store of another object, after the store in use was closed.
    private func beginAgain() {
        let released = state.withLock { $0.registration.take() }
        withExtendedLifetime(released) {}
        let objects = map.objects { _ in true }
        guard let home = objects.lazy.map(\.home).first(where: { !$0.reference.environment.isClosing }) else { return }
        begin(home)
        defer { end() }
        for object in objects {
            do {
                let install = try home.reference.readToEnd { try object.read(in: $0, again: false) }
                notifier.notify(install(), of: object, isRepeated: false)
            } catch {
                object.noteUnread()
            }
        }
    }
}

// MARK: Rounds

/// The progress of the rounds through live objects.
struct RoundProgress {
    typealias Install = (object: any MappedObject, install: @Sendable () -> LiveParts)

    /// The transaction that the last round has read; -1 before the first.
    var lastRead = -1
    /// The transaction that objects show.
    var lastDelivered = -1
    /// What the next delivery takes over.
    var installs: [Install] = []
}

extension SharedLiveObjects: RoundObserver {
    var lastRead: Int { progress.withLock { $0.lastRead } }

    var lastDelivered: Int { progress.withLock { $0.lastDelivered } }

    func read(_ round: Round) throws -> Bool {
        let number = round.context.core.identifier
        let isAgain = progress.withLock { progress in
            defer { progress.lastRead = number }
            if number < progress.lastRead { progress.lastDelivered = -1 }
            return number < progress.lastRead
        }
        let objects = isAgain ? map.objects { _ in true } : touchedObjects(round)
        var installs: [RoundProgress.Install] = []
        for object in objects {
            do {
                let install = try object.read(in: round.context, again: isAgain)
                installs.append((object, install))
            } catch {
                // It keeps its value. Its refresh and its save throw the error, and so does the next search for it.
                object.noteUnread()
            }
        }
        return progress.withLock { progress in
            progress.installs += installs
            if progress.installs.isEmpty { progress.lastDelivered = number }
            return !progress.installs.isEmpty
        }
    }

    private func touchedObjects(_ round: Round) -> [any MappedObject] {
        if round.changes.all.isEverything { return map.objects { _ in true } }
        return round.changes.all.types.flatMap { type -> [any MappedObject] in
            guard case .some(let keys, let ranges) = round.keys(of: type) else {
                return map.objects { $0.keyPrefix == type }
            }
            let listed = keys.compactMap { map.object(of: IdentityMap.Key(type, $0)) }
            if ranges.isEmpty { return listed }
            return listed
                + map.objects { key in key.keyPrefix == type && ranges.contains { $0.contains(key.bytes) } }
        }
    }

    func deliver() {
        let (installs, number) = progress.withLock { progress in
            defer { progress.installs = [] }
            return (progress.installs, progress.lastRead)
        }
        for (object, install) in installs { notifier.notifyDelivered(install(), of: object) }
        progress.withLock { progress in
            if number == progress.lastRead { progress.lastDelivered = number }
        }
    }

    func fail(_ error: any Error) {
        if case StoreError.closed = error { beginAgain() }
    }
}
