// Finds and makes the live objects of a store.

import LMDB
import TroveCoding

extension LiveHome {
    /// Returns the object of a key.
    ///
    /// - Parameters:
    ///   - state: Returns the state of a new object.
    ///   - change: Changes the state of an object that exists.
    func object<Record: IndexKeyRecord>(
        _ key: Record.IndexKey, new state: () -> LiveState<Record>,
        else change: (inout LiveState<Record>) -> Void
    ) -> Live<Record> {
        let bytes = KeyWriter.bytes(of: key)
        let mapKey = IdentityMap.Key(Record.keyPrefix, bytes)
        var (mapped, isNew) = (objects.map.object(of: mapKey), false)
        if mapped == nil {
            // Made without the lock of the map, since it calls the coding of the record.
            let new = state()
            (mapped, isNew) = objects.map.object(of: mapKey) { Live(key, bytes, new, self) }
        }
        // Another type with the same prefix: the store refuses its records.
        guard let object = mapped as? Live<Record> else { return Live(key, bytes, state(), self) }
        if isNew { objects.pending.note(object) } else { object.tellHere(object.update(change)) }
        objects.kept.keep(object)
        return object
    }

    /// Returns the object of a record that was read.
    ///
    /// If a round has passed the snapshot, the object shows the newer state.
    ///
    /// - Parameter number: The number of the transaction that has read it.
    func object<Record: IndexKeyRecord>(_ found: FoundRecord<Record>, at number: Int) -> Live<Record> {
        let object = object(found.record.indexKey) {
            LiveState(found, at: number)
        } else: {
            $0.adopt(found, at: number)
        }
        // A round notes its number before it looks for objects: so either it finds this one, or its number is seen.
        if number < objects.lastRead, object.current.snapshot <= number { try? object.refresh() }
        return object
    }

    /// Returns the object of a record that was read. An object that rounds keep up to date costs a search only.
    ///
    /// - Parameter number: The number of the transaction that has read it.
    func object<Record: IndexKeyRecord>(of record: Record, at number: Int) -> Live<Record> {
        if number <= objects.lastDelivered {
            let known = objects.map.object(of: IdentityMap.Key(Record.keyPrefix, record.keyBytes))
            if let object = known as? Live<Record> { return object }
        }
        return object((try? FoundRecord(record)) ?? FoundRecord(record, bytes: []), at: number)
    }

    /// Returns the object of a stored record if no commit is newer than it; nil if that is not certain.
    func upToDateObject<Record: IndexKeyRecord>(_ key: Record.IndexKey) -> Live<Record>? {
        let known = objects.map.object(of: IdentityMap.Key(Record.keyPrefix, KeyWriter.bytes(of: key)))
        guard let object = known as? Live<Record>, let last = try? reference.environment.lastTransaction else {
            return nil
        }
        let state = object.current
        guard max(state.lastRead, objects.lastDelivered) >= last, !state.isDeleted, !state.isDraft else { return nil }
        objects.kept.keep(object)
        return object
    }

    /// Returns the object of a key; nil if no record is stored, and there is no draft.
    func object<Record: IndexKeyRecord>(_ key: Record.IndexKey, in context: ReadContext) throws -> Live<Record>? {
        let number = context.core.identifier
        if let found = try context.found(Record.self, key) { return object(found, at: number) }
        let known = objects.map.object(of: IdentityMap.Key(Record.keyPrefix, KeyWriter.bytes(of: key)))
        guard let object = known as? Live<Record> else { return nil }
        object.tellHere(object.update { $0.adopt(nil, at: number) })
        return object.current.isDraft ? object : nil
    }

    /// Runs a closure in a read transaction. Objects that it makes follow all later commits.
    func reading<R>(_ body: (ReadContext) throws -> R) throws -> R {
        objects.begin(self)
        defer { objects.end() }
        return try reference.readToEnd(body)
    }
}
