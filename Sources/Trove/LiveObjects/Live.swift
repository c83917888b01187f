// A live object: a record that is the same object for all who use it.

import LMDB
import Synchronization
import TroveCoding

/// A record of a store as an object: one for each key, shared by the whole process.
///
/// ```swift
/// let user = try User.create(User(id: 1, name: "Korben", age: 45), in: store)
/// user.name = "Dallas"        // all who hold the object see it; it is not stored yet
/// try user.save()
/// ```
///
/// It has the properties of its record. Every way to get the record of a key gives the same object as long as it is in
/// use. Records stored by other writes, in this process or another, become visible in the object shortly after the
/// commit; properties that are edited here keep their edits.
///
/// It can be used from any thread. `user.age += 1` is a read and a write, between which another thread may change the
/// property; ``change(_:)`` is one change.
///
/// It is observable, property by property: a view that has read `user.name` is not updated when `user.age` changes. An
/// edit counts as a change if the stored form of a property changes, so no property needs to be `Equatable`.
///
/// A property of the record whose name this class uses for something else, such as `key` or `store`, is reached by
/// ``value``.
///
/// Unchecked because the compiler cannot see that a shared lock guards the state.
@dynamicMemberLookup
public final class Live<Record: IndexKeyRecord>: LiveObject, Identifiable, Hashable, @unchecked Sendable {
    /// The present version; guarded by the shared lock of the object. First, so that its offset is the same for all
    /// record types.
    private var shown: LiveVersion<Record>
    /// The key of the record. It never changes.
    public let key: Record.IndexKey
    let keyBytes: [UInt8]
    let home: LiveHome
    /// The turn in which the object was last kept; guarded by the lock of ``KeptObjects``.
    var keptTurn = 0
    /// Whether each round since the object's snapshot has found the object: a thread has looked for the rounds that had
    /// passed before the object was in the identity map.
    let followsRounds = Atomic(false)

    init(_ key: Record.IndexKey, bytes keyBytes: [UInt8], state: LiveState<Record>, in home: LiveHome) {
        self.key = key
        self.keyBytes = keyBytes
        self.home = home
        shown = LiveVersion(state)
        super.init()
        home.objects.begin(home)
    }

    deinit {
        home.objects.map.remove(IdentityMap.Key(Record.keyPrefix, keyBytes), ObjectIdentifier(self))
        home.objects.end()
    }

    /// The key of the record.
    public var id: Record.IndexKey { key }

    /// The store of the record.
    public var store: Store { home.store }

    // MARK: Values

    /// The record, with the edits that are not saved yet.
    ///
    /// It is a copy. Assigning a record is an edit of all properties that differ.
    public var value: Record {
        get {
            access(.value)
            return version.state.value
        }
        set { change { $0 = newValue } }
    }

    /// A property of the record.
    public subscript<Value>(dynamicMember property: KeyPath<Record, Value>) -> Value {
        access(Record.livePart(of: property))
        return version.property(property)
    }

    /// A property of the record.
    public subscript<Value>(dynamicMember property: WritableKeyPath<Record, Value>) -> Value {
        get {
            access(Record.livePart(of: property))
            return version.property(property)
        }
        set {
            let isField = Record.livePart(of: property) != .value
            apply(onlyFields: isField) { $0[keyPath: property] = newValue }
        }
    }

    /// Changes several properties as one change.
    ///
    /// The closure works on a copy of the value. If the object has changed meanwhile, by another thread or by a commit,
    /// the closure runs again, on a copy of the newer value. So no increment is lost: `change { $0.age += 1 }` adds one
    /// to the age that the object shows at that moment. The closure should have no other effects, since it may run
    /// several times.
    ///
    /// If the closure changes the object itself by other calls, it does not run again for that: both changes are
    /// merged, property by property.
    ///
    /// - Parameter body: Changes the record. If it throws, nothing changes.
    /// - Returns: The result of the closure.
    /// - Throws: The error of the closure.
    @discardableResult
    public func change<Result, Failure: Error>(
        _ body: (inout Record) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try apply(onlyFields: false, body)
    }

    /// - Parameter onlyFields: Whether the closure changes stored properties outside the key alone.
    private func apply<Result, Failure: Error>(
        onlyFields: Bool, _ body: (inout Record) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        while true {
            let seen = version
            var mine = seen.state.value
            let result = try body(&mine)
            // An edit may pass through values that cannot be stored. A save of one throws the error.
            let new = (mine, try? mine.encodedValue())
            guard let parts = update(seen, by: { $0.edit(seen.state, to: new.0, new.1, changesRelations: !onlyFields) })
            else { continue }
            // Also a property that is not in the key: its observers are code of the program.
            notifyHere(parts)
            home.objects.noteEdit()
            return result
        }
    }

    /// Notes that a value inside the record has changed, such as an object that a property refers to.
    ///
    /// Setting a property needs no such call.
    public func didChange() {
        var parts: LiveParts?
        while parts == nil {
            let seen = version
            // A save of a value that cannot be stored throws the error.
            let bytes = try? seen.state.value.encodedValue()
            parts = update(seen) { $0.edit(seen.state, to: seen.state.value, bytes, changesRelations: false) }
        }
        notifyHere((parts ?? []).union(.value))
        home.objects.noteEdit()
    }

    // MARK: State

    /// Whether there are edits that are not saved, or the object is a draft.
    public var hasChanges: Bool {
        access(.hasChanges)
        return version.state.hasChanges
    }

    /// Whether the object was never saved.
    public var isDraft: Bool {
        access(.isDraft)
        return version.state.isDraft
    }

    /// Whether the record was deleted, by this process or another. The object keeps the last value.
    ///
    /// If a record of the key is stored again, the object shows it, and is no longer deleted.
    public var isDeleted: Bool {
        access(.isDeleted)
        return version.state.isDeleted
    }

    /// The present state, without being observed.
    var version: LiveVersion<Record> { LiveLocks.lock(of: self).withLock { _ in shown } }

    /// Replaces the version that is shown. Returns false if another version than expected is shown.
    private func show(_ new: LiveVersion<Record>, insteadOf old: LiveVersion<Record>) -> Bool {
        // `old` is kept by the caller: nothing of it is released under the lock.
        LiveLocks.lock(of: self).withLock { _ in
            guard shown === old else { return false }
            shown = new
            return true
        }
    }

    /// Whether there are changes that are not committed, without being observed.
    var isPending: Bool { version.state.isUnsaved }

    /// Changes the state.
    ///
    /// - Parameters:
    ///   - mayChangeKey: Whether the change may give the value another key.
    ///   - transform: Changes a copy, without a lock. Runs again if another thread has changed the state.
    /// - Returns: The parts that have changed and may be observed. Their observers are still to be notified.
    @discardableResult
    func update(mayChangeKey: Bool = false, _ transform: (inout LiveState<Record>) -> Void) -> LiveParts {
        while true {
            if let parts = update(version, mayChangeKey, transform) { return parts }
        }
    }

    /// Changes the state by an edit of an earlier state.
    ///
    /// - Parameter seen: The version that was edited.
    /// - Returns: The parts that have changed and may be observed; nil if other threads have changed the value since.
    ///   Then nothing has changed.
    private func update(_ seen: LiveVersion<Record>, by edit: (inout LiveState<Record>) -> Void) -> LiveParts? {
        let thread = currentThread()
        while true {
            let old = version
            let changing = old.state.changing
            let isOfThisThread = changing.thread == thread && changing.since <= seen.state.revision
            guard old.state.hasValue(of: seen.state) || isOfThisThread else { return nil }
            if let parts = update(old, true, edit) { return parts }
        }
    }

    /// Changes the state. Returns the parts that have changed; nil if the state is another one by now.
    private func update(
        _ old: LiveVersion<Record>, _ mayChangeKey: Bool, _ transform: (inout LiveState<Record>) -> Void
    ) -> LiveParts? {
        var state = old.state
        transform(&state)
        state.compare(keyBytes, mayHaveNewKey: mayChangeKey)
        let (thread, last) = (currentThread(), old.state.changing)
        // A thread that leaves the value alone, such as one that delivers a commit, takes no part in its changes.
        let isKept = last.thread == thread || state.hasValue(of: old.state)
        state.changing = isKept ? last : (thread, old.state.revision)
        state.revision += 1
        let new = LiveVersion(state)
        guard show(new, insteadOf: old) else { return nil }
        // The change that makes the object unsaved, or saved, notes that.
        if new.state.isUnsaved != old.state.isUnsaved { home.objects.pending.note(self) }
        return observed(.all).isEmpty ? [] : new.state.parts(changedSince: old.state)
    }

    // MARK: Notifying

    /// Notifies the observers of changes by the running code.
    func notifyHere(_ parts: LiveParts) {
        if !parts.isEmpty { home.objects.notifier.notifyNow(parts, of: self) }
    }

    /// Notifies the observers of changes where commits are delivered, since code of the program must not run here.
    func notifyLater(_ parts: LiveParts) {
        home.objects.notifier.notify(parts, of: self, isRepeated: false)
    }

    // MARK: Identity

    /// Returns whether both are the same object.
    public static func == (left: Live, right: Live) -> Bool { left === right }

    /// Hashes the identity of the object.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
