// Finds and makes the live objects of a store.

import LMDB
import Synchronization
import TroveCoding

extension LiveHome {
    /// Returns the object of a key, and whether it is a new one.
    ///
    /// - Parameter state: Returns the state of a new object.
    func object<Record: IndexKeyRecord>(
        _ key: Record.IndexKey, orMake state: () -> LiveState<Record>
    ) -> (object: Live<Record>, isNew: Bool) {
        let bytes = KeyWriter.bytes(of: key)
        let mapKey = IdentityMap.Key(Record.keyPrefix, bytes)
        var (mapped, isNew) = (objects.map.object(of: mapKey), false)
        if mapped == nil {
            // Made without the lock of the map, since it calls the coding of the record.
            let new = state()
            (mapped, isNew) = objects.map.object(of: mapKey) {
                Live(key, bytes: bytes, state: new, in: self)
            }
        }
        // Another type with the same prefix: the store refuses its records.
        guard let object: Live<Record> = mapped?.asLive() else {
            return (Live(key, bytes: bytes, state: state(), in: self), true)
        }
        if isNew { objects.pending.note(object) }
        objects.kept.keep(object)
        return (object, isNew)
    }

    /// Returns the object of a record that was read.
    ///
    /// If a round has passed the snapshot, the object shows the newer state.
    ///
    /// - Parameter number: The number of the transaction that has read it.
    func object<Record: IndexKeyRecord>(showing found: FoundRecord<Record>, at number: Int) -> Live<Record> {
        let (object, isNew) = object(found.record.indexKey) { LiveState(found, at: number) }
        // Its observers run where commits are delivered: the caller may be in a transaction, or on another actor.
        if !isNew { object.notifyLater(object.update { $0.adopt(found, at: number) }) }
        // A round notes its number before it looks for objects: so either it finds this one, or its number is seen.
        let (shown, lastRead) = (object.version.state.snapshot, objects.lastRead)
        let isFollowing = object.followsRounds.load(ordering: .acquiring)
        if isFollowing ? shown <= number && number < lastRead : shown < lastRead {
            do { object.notifyLater(try object.readAgain()) } catch { object.noteUnread() }
        }
        object.followsRounds.store(true, ordering: .releasing)
        return object
    }

    /// Returns the object of a list's row. An object that rounds keep up to date costs a search only.
    ///
    /// - Parameters:
    ///   - record: The record of the row.
    ///   - number: The number of the transaction that has read it.
    func object<Record: IndexKeyRecord>(ofRow record: Record, at number: Int) -> Live<Record> {
        if number <= objects.lastDelivered, let object: Live<Record> = knownObject(record.keyBytes),
            object.followsRounds.load(ordering: .acquiring), !object.version.state.isUnread
        {
            return object
        }
        // A save of a record without an encoded form reads the stored record again, and throws the error.
        let found = (try? FoundRecord(record)) ?? FoundRecord(record, bytes: StoredValue.withoutFields)
        return object(showing: found, at: number)
    }

    /// Returns the object of a stored record if no commit is newer than it; nil if that is not certain.
    func upToDateObject<Record: IndexKeyRecord>(_ key: Record.IndexKey) -> Live<Record>? {
        // Without the number, the caller reads the record, and throws the error of a closed store.
        guard let object: Live<Record> = knownObject(KeyWriter.bytes(of: key)),
            let last = try? reference.environment.lastTransaction
        else { return nil }
        let version = object.version
        let shown = object.followsRounds.load(ordering: .acquiring) ? objects.lastDelivered : -1
        guard max(version.state.lastRead, shown) >= last, version.state.isUpToDate else { return nil }
        objects.kept.keep(object)
        return object
    }

    /// Returns the object of a key; nil if no record is stored, and there is no draft. A record that another
    /// transaction has created is not stored before its commit.
    func storedObject<Record: IndexKeyRecord>(_ key: Record.IndexKey, in context: ReadContext) throws -> Live<Record>? {
        let number = context.core.identifier
        if let found = try context.found(Record.self, key) { return object(showing: found, at: number) }
        guard let object: Live<Record> = knownObject(KeyWriter.bytes(of: key)) else { return nil }
        object.notifyLater(object.update { $0.adopt(nil, at: number) })
        return object.version.state.isDraft && !object.version.state.isOpen ? object : nil
    }

    private func knownObject<Record: IndexKeyRecord>(_ key: [UInt8]) -> Live<Record>? {
        objects.map.object(of: IdentityMap.Key(Record.keyPrefix, key))?.asLive()
    }

    /// Runs a closure in a read transaction. Objects that it makes follow all later commits.
    func reading<R>(_ body: (ReadContext) throws -> R) throws -> R {
        objects.begin(self)
        defer { objects.end() }
        objects.catchUp()
        return try reference.readToEnd(body)
    }
}

extension LiveObject {
    /// Returns the object with its type; nil for an object of another record type. Here a class is cast, which is
    /// faster than a cast of an existential.
    fileprivate func asLive<Record: IndexKeyRecord>() -> Live<Record>? { self as? Live<Record> }
}
