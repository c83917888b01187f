// An insert that changes the stored record with the same key, if there is one.

import TroveCoding

extension RecordWritable {
    /// Stores a record, or changes the stored record with the same key.
    ///
    /// ```swift
    /// let visits = try store.insert(Counter(name: "visits", count: 1)) { $0.count += 1 }
    /// ```
    ///
    /// Without such a record, it stores the given record as it is, and does not call the closure. A stored entity has
    /// unset relations in the closure: a save changes the relations that the closure sets.
    ///
    /// - Parameters:
    ///   - record: The record to store if there is none with its key.
    ///   - change: Changes the stored record. The key must stay the same.
    /// - Returns: The record that was saved; nil if it was left out for a record with the same unique values, under the
    ///   rule ``CollisionRule/ignore``. Changes by hooks and merges are not in it.
    /// - Throws: The errors of ``insert(_:onConflict:)``, ``StoreError/RecordError/keyChanged(type:key:)``, and the
    ///   closure's error. Nothing is then written.
    @inlinable
    @discardableResult
    @available(*, noasync, message: "await the call")
    public func insert<Record: IndexKeyRecord>(
        _ record: Record, orUpdate change: (inout Record) throws -> Void
    ) throws -> Record? {
        try writing { context in
            let key = record.indexKey
            guard var stored = try context.get(Record.self, key: key) else {
                return try context.insert(record) ? record : nil
            }
            try change(&stored)
            try stored.checkKey(is: key)
            return try context.insert(stored) ? stored : nil
        }
    }
}

extension IndexKeyRecord {
    /// Throws ``StoreError/RecordError/keyChanged(type:key:)`` if the record has another key.
    @usableFromInline
    func checkKey(is key: IndexKey) throws {
        let bytes = KeyWriter.bytes(of: key)
        guard KeyWriter.bytes(of: indexKey) == bytes else {
            throw StoreError.record(.keyChanged(type: Self.schema.name, key: Self.schema.storedKey(bytes)))
        }
    }

    /// Stores the record, or changes the stored record with the same key; see
    /// ``RecordWritable/insert(_:orUpdate:)``.
    ///
    /// - Parameters:
    ///   - destination: The context of a write transaction, or a store.
    ///   - change: Changes the stored record. The key must stay the same.
    /// - Returns: The record that was saved; nil if it was left out under the rule ``CollisionRule/ignore``.
    /// - Throws: The errors of ``RecordWritable/insert(_:orUpdate:)``.
    @inlinable
    @discardableResult
    @available(*, noasync, message: "await the call")
    public func insert(
        in destination: some RecordWritable, orUpdate change: (inout Self) throws -> Void
    ) throws -> Self? {
        try destination.insert(self, orUpdate: change)
    }
}
