// The live objects of a store.

import LMDB
import Observation

/// All live objects of a store together: `store.live`.
public final class LiveObjects: Observable, Sendable {
    let home: LiveHome
    var shared: SharedLiveObjects { home.objects }

    /// Whether the store is the program's own.
    fileprivate let isOfProgram: Bool

    /// - Parameters:
    ///   - store: The store.
    ///   - isOfProgram: Whether the store is the program's own. With the last such store, no object is kept for reuse.
    init(_ store: Store, isOfProgram: Bool) {
        let (rounds, references) = (store.rounds, store.references)
        let shared = store.catalog.attachments.object {
            SharedLiveObjects(rounds, references, keeping: store.catalog.keptLiveObjects)
        }
        home = LiveHome(store, shared)
        self.isOfProgram = isOfProgram
        if isOfProgram { home.objects.kept.beginUse() }
    }

    deinit { if isOfProgram { shared.kept.endUse() } }

    /// The actor on which objects and lists follow the commits; nil for a queue of the store's own. An app sets it to
    /// `MainActor.shared`.
    ///
    /// All that follows one commit changes in one turn of the actor. The store keeps the actor alive.
    public var delivery: (any Actor)? {
        get { home.reference.rounds.delivery.withLock { $0 } }
        set { home.reference.rounds.delivery.withLock { $0 = newValue } }
    }

    /// The maximum time for which an edit stays unsaved; nil, the default, to save by calls alone.
    ///
    /// Edits are then saved in the background, in one transaction for all objects with changes. If that fails, each
    /// object is saved alone. Objects that cannot be saved keep their edits, and ``failures`` gives them. The log has
    /// the reason. Further attempts follow after the delay, twice the delay and so on, up to a minute.
    public var autosaveDelay: Duration? {
        get { shared.autosave.delay }
        set { shared.autosave.setDelay(newValue, shared.pending) }
    }

    /// The errors of saves by ``autosaveDelay``, from now on. Each use of the property is a sequence of its own, which
    /// keeps the last 100 errors for a slow consumer. It ends when the store and its live objects are released.
    public var failures: AsyncStream<SaveFailure> { shared.autosave.failures() }

    /// The number of objects with changes that are not saved.
    ///
    /// These objects stay alive, and keep the store open, until they are saved, reverted or deleted. An object that an
    /// open transaction has saved counts until the commit.
    public var unsavedCount: Int {
        shared.counter.access(.unsavedCount)
        return shared.pending.count
    }

    /// Returns the live objects of a type that are in use.
    public func objects<Record: IndexKeyRecord>(_ type: Record.Type) -> [Live<Record>] {
        shared.map.objects { $0.keyPrefix == type.keyPrefix }.compactMap { $0 as? Live<Record> }
    }

    /// Saves all objects with changes, in one transaction: all or none. Objects can swap unique values.
    ///
    /// - Throws: The error of the first object that cannot be saved. All objects keep their edits.
    @available(*, noasync, message: "await the call")
    public func saveAllChanges() throws { try save(shared.pending.objects) }

    /// The async form of ``saveAllChanges()``.
    public func saveAllChanges() async throws { try await save(shared.pending.objects) }

    func save(_ objects: [any MappedObject]) throws {
        if objects.isEmpty { return }
        try home.store.write { try $0.save(objects) }
    }

    func save(_ objects: [any MappedObject]) async throws {
        if objects.isEmpty { return }
        try await home.store.write { try $0.save(objects) }
    }

    /// Reads all commits so far, of any process, and delivers their changes.
    ///
    /// Live objects follow all commits on their own. This call is for moments in which a program must be certain,
    /// such as when it returns to the foreground. With a ``delivery`` actor, and in an observer, it returns before the
    /// delivery ends: ``settle()`` waits for it.
    ///
    /// - Throws: ``StoreError`` if no snapshot can be read.
    public func refresh() throws {
        shared.catchUp()
        try home.reference.roundNow()
    }

    /// Returns when all that was committed before the call is delivered.
    public func settle() async {
        shared.catchUp()
        await home.reference.settle()
        await shared.notifier.finish()
    }
}

extension Store {
    /// The live objects of the store.
    public var live: LiveObjects {
        let isOfProgram = attachments.object(of: LiveHomeLink.self) == nil
        return attachments.object { LiveObjects(self, isOfProgram: isOfProgram) }
    }

    /// The home of live objects that are made for this reference.
    var liveHome: LiveHome {
        if let live = attachments.object(of: LiveObjects.self), live.isOfProgram { return live.home }
        return attachments.object(of: LiveHomeLink.self)?.home ?? live.home
    }
}

extension TransactionContext {
    /// Saves the edits of live objects: all or none.
    func save(_ objects: [any MappedObject]) throws {
        isUndoneByErrors = true
        try statement { context in
            for object in objects { try object.saveEdits(in: context, keepsEdits: true) }
        }
    }
}
