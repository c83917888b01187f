// What can be changed through a context, and through a store as a write of its own.

import TroveCoding

/// What records can be written to: the context of a write transaction, or a store, which then begins a write of its
/// own.
public protocol RecordWritable {
    /// Runs a closure with a context to write to.
    func writing<R>(_ body: (TransactionContext) throws -> R) throws -> R
}

extension TransactionContext: RecordWritable {
    /// Runs a closure with this context.
    @inlinable
    public func writing<R>(_ body: (TransactionContext) throws -> R) throws -> R { try body(self) }
}

extension RecordWritable {
    /// Stores a record.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - rule: What to do when there is a record of the same key; it is replaced unless you say otherwise.
    /// - Returns: False when a record of the same key was left in place, or one of the same unique values whose rule is
    ///   ``CollisionRule/ignore``.
    /// - Throws: ``StoreError/keyTooLarge(type:size:limit:)`` and ``StoreError/unencodable(type:reason:)`` before
    ///   anything is written; ``StoreError/keyExists(type:key:)``;
    ///   ``StoreError/notUnique(type:index:key:existing:)``. Only values nested too deeply, and a coding by hand
    ///   whose `encodedSize` is wrong, are noticed while writing: the transaction cannot commit any more then.
    /// - Complexity: O(log *n*) in the number of records; O(1) for a key that sorts last.
    @inlinable
    @discardableResult
    public func insert<Record: IndexKeyRecord>(_ record: Record, onConflict rule: ConflictRule = .replace) throws
        -> Bool
    {
        try writing { context in
            do {
                return try KeyWriter.withKey({ record.encodeKey(into: &$0) }) { key in
                    try context.replace(key, with: record, onConflict: rule)
                }
            } catch let error as CodingError {
                throw StoreError(writing: Record.schema.name, error)
            }
        }
    }

    /// Stores records, all or none.
    ///
    /// - Parameters:
    ///   - records: The records; in key order they are stored fastest.
    ///   - rule: What to do when there is a record of the same key.
    /// - Throws: As for one record; those before it are undone then.
    @inlinable
    public func insert<Record: IndexKeyRecord>(
        contentsOf records: some Sequence<Record>, onConflict rule: ConflictRule = .replace
    ) throws {
        try writing { context in
            try context.statement { context in
                for record in records { try context.insert(record, onConflict: rule) }
            }
        }
    }

    /// Removes a record, found by its key.
    ///
    /// - Returns: Whether it was there.
    @inlinable
    @discardableResult
    public func delete<Record: IndexKeyRecord>(_ record: Record) throws -> Bool {
        try delete(Record.self) { record.encodeKey(into: &$0) }
    }

    /// Removes the record of a key.
    ///
    /// - Returns: Whether it was there.
    @inlinable
    @discardableResult
    public func delete<Record: IndexKeyRecord>(_ type: Record.Type, key: Record.IndexKey) throws -> Bool {
        try delete(type) { key.encodeKey(into: &$0) }
    }

    /// Removes the record of a key, even if the record is too damaged to be read.
    ///
    /// The index entries of a damaged record cannot be derived. All entries of the type's indexes are searched for the
    /// entries that lead to the record.
    ///
    /// - Parameter ignoringDamage: False, to remove only a record that is intact where the type has indexes.
    /// - Returns: Whether it was there.
    /// - Complexity: O(*n*) in the number of index entries for a damaged record of a type with indexes, else as any
    ///   other.
    @inlinable
    @discardableResult
    public func delete<Record: IndexKeyRecord>(
        _ type: Record.Type, key: Record.IndexKey, ignoringDamage: Bool
    ) throws -> Bool {
        guard ignoringDamage else { return try delete(type, key: key) }
        return try writing { context in
            try KeyWriter.withKey({ key.encodeKey(into: &$0) }) { key in
                try context.removeIgnoringDamage(type, key)
            }
        }
    }

    @inlinable
    func delete<Record: IndexKeyRecord>(
        _ type: Record.Type, _ encodeKey: (inout KeyWriter) -> Void
    ) throws -> Bool {
        try writing { context in
            do {
                return try KeyWriter.withKey(encodeKey) { key in try context.replace(key, with: nil as Record?) }
            } catch let error as CodingError {
                if case .keyTooLarge = error.reason { return false }
                throw error
            }
        }
    }
}
