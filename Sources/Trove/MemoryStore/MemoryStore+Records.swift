// The writes of records in a memory store.

import TroveCoding

extension MemoryStore {
    /// Stores a record. An entity is saved with the entities inside its relations, the links and the hooks.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - rule: The treatment of a stored record with the same key. By default, it is replaced.
    /// - Returns: False if a stored record was kept.
    /// - Throws: The errors of ``RecordWritable/insert(_:onConflict:)``. Nothing is then stored.
    @discardableResult
    public mutating func insert<Record: IndexKeyRecord>(
        _ record: Record, onConflict rule: ConflictRule = .replace
    ) throws -> Bool {
        try writing { try $0.insert(record, onConflict: rule) }
    }

    /// Stores records, all or none.
    ///
    /// - Parameters:
    ///   - records: The records. Key order is the fastest order.
    ///   - rule: The treatment of a stored record with the same key.
    /// - Throws: The errors of ``RecordWritable/insert(_:onConflict:)``. Nothing is then stored.
    public mutating func insert<Record: IndexKeyRecord>(
        contentsOf records: some Sequence<Record>, onConflict rule: ConflictRule = .replace
    ) throws {
        try writing { try $0.insert(contentsOf: records, onConflict: rule) }
    }

    /// Removes a record, by its key. An entity is deleted by the delete rules of its relations.
    ///
    /// - Returns: Whether the record existed.
    /// - Throws: The errors of ``RecordWritable/delete(_:)``. Nothing is then deleted.
    @discardableResult
    public mutating func delete<Record: IndexKeyRecord>(_ record: Record) throws -> Bool {
        try writing { try $0.delete(record) }
    }

    /// Removes the record with a key. An entity is deleted by the delete rules of its relations.
    ///
    /// - Returns: Whether the record existed.
    /// - Throws: The errors of ``RecordWritable/delete(_:key:)``. Nothing is then deleted.
    @discardableResult
    public mutating func delete<Record: IndexKeyRecord>(_ type: Record.Type, key: Record.IndexKey) throws -> Bool {
        try writing { try $0.delete(type, key: key) }
    }
}
