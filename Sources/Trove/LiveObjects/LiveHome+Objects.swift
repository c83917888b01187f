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
        func make() -> Live<Record> { Live(key, bytes, state(), self) }
        let (mapped, isNew) = objects.map.object(of: mapKey, orMake: make)
        // Another type with the same prefix: the store refuses its records.
        guard let object = mapped as? Live<Record> else { return make() }
        if isNew { objects.pending.note(object) } else { object.tellHere(object.update(change)) }
        objects.kept.keep(object)
        return object
    }

    /// Returns the object of a record that was read.
    ///
    /// - Parameter number: The number of the transaction that has read it.
    func object<Record: IndexKeyRecord>(_ found: FoundRecord<Record>, at number: Int) -> Live<Record> {
        object(found.record.indexKey) {
            LiveState(found, at: number)
        } else: {
            $0.adopt(found, at: number)
        }
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
