// The shared part of a file's live objects in this process: the identity map, the objects to save, and the observation
// of commits.

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
    private let stores: OpenStores
    private let pressure: MemoryPressure
    private let state = Monitor(State())

    /// - Parameters:
    ///   - stores: The references to the file.
    ///   - keptCount: The number of objects to keep for reuse.
    ///   - autosave: The saves in the background.
    init(_ rounds: Rounds, _ stores: OpenStores, keeping keptCount: Int, autosave: Autosave = Autosave()) {
        self.stores = stores
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

    /// Notes a new user. The first one begins to observe the commits. The caller may hold a lock of the identity map.
    func begin(_ home: LiveHome) {
        let isStale = state.withLock { state in
            state.users += 1
            if state.registration != nil { return false }
            // Without a registration, the objects are stale, and follow the next store that is open.
            state.registration = try? home.reference.register(self, for: .everything)
            return progress.withLock { progress in
                if state.registration == nil { progress.isStale = true }
                return progress.isStale
            }
        }
        // The store is closed, or the one before was.
        if isStale { notifier.rounds.deliveryQueue.async { self.catchUp() } }
    }

    /// Notes the end of a user. The last one ends the observation.
    func end() {
        let released = state.withLock { state in
            state.users -= 1
            if state.users > 0 { return nil as HubRegistration? }
            progress.withLock { $0.isStale = false }
            return state.registration.take()
        }
        withExtendedLifetime(released) {}
    }

    /// Observes the commits by another reference to the file if the one in use was closed, and reads all objects again,
    /// since commits may have come between.
    func catchUp() {
        guard state.withLock({ isClosed($0) || progress.withLock { $0.isStale } }) else { return }
        // Made without the lock: the last reference to a store releases objects.
        let reference = stores.anyOpen.map { Store(sharing: $0) }
        let (registration, released) = state.withLock { state in
            let released = isClosed(state) ? state.registration.take() : nil
            let isStale = progress.withLock { progress in
                progress.isStale = progress.isStale || released != nil
                return progress.isStale
            }
            if isStale, state.registration == nil, state.users > 0 {
                // Without a registration, the objects stay stale until the next call.
                state.registration = try? reference?.register(self, for: .everything)
            }
            return (isStale ? state.registration : nil, released)
        }
        withExtendedLifetime((reference, released)) {}
        if let registration { readAll(by: registration) }
    }

    private func isClosed(_ state: State) -> Bool { state.registration?.store.environment.isClosing ?? false }

    private func readAll(by registration: HubRegistration) {
        for object in map.objects(where: { _ in true }) {
            do {
                let install = try registration.store.readToEnd { try object.read(in: $0, again: false) }
                notifier.notify(install(), of: object, isRepeated: false)
            } catch {
                object.noteUnread()
            }
        }
        state.withLock { state in
            if state.registration === registration { progress.withLock { $0.isStale = false } }
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
    /// The records that the next delivery takes over.
    var installs: [Install] = []
    /// Whether objects may have missed commits: the store that they followed was closed.
    var isStale = false
}

extension SharedLiveObjects: RoundObserver {
    var lastRead: Int { progress.withLock { $0.lastRead } }

    var lastDelivered: Int { progress.withLock { $0.isStale ? -1 : $0.lastDelivered } }

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
        if case StoreError.transaction(.closed) = error { catchUp() }
    }
}
