// The writes of records, in a context or in a store.

import TroveCoding

/// A destination of records: the context of a write transaction, or a store with a write transaction of its own.
public protocol RecordWritable {
    /// Runs a closure with a context for writing.
    func writing<R>(_ body: (TransactionContext) throws -> R) throws -> R

    /// Whether an error that a closure throws undoes all of its writes.
    static var _isUndoneByErrors: Bool { get }
}

extension TransactionContext: RecordWritable {
    /// Runs a closure with this context.
    @inlinable
    public func writing<R>(_ body: (TransactionContext) throws -> R) throws -> R { try body(self) }
}

extension RecordWritable {
    /// False: the closure of ``writing(_:)`` may run in a transaction that goes on.
    public static var _isUndoneByErrors: Bool { false }

    /// Runs a closure with a context for writing, which throws every error that it has met.
    ///
    /// An error then undoes the transaction of a store. So the statements of the closure need no nested transactions.
    @inlinable
    func writingStatement<R>(_ body: (TransactionContext) throws -> R) throws -> R {
        try writing { context in
            if Self._isUndoneByErrors { context.isUndoneByErrors = true }
            return try body(context)
        }
    }
}

extension RecordWritable {
    /// Stores a record.
    ///
    /// An entity is saved as by ``EntityModelProtocol/save(to:merging:)-(RecordWritable,_)``: with the entities inside
    /// its relations, the links and the hooks.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - rule: The treatment of a stored record with the same key. By default, it is replaced.
    /// - Returns: False if a record with the same key was kept, or a record with the same unique values under the rule
    ///   ``CollisionRule/ignore``.
    /// - Throws: ``StoreError/RecordError/keyTooLarge(type:size:limit:)`` and
    ///   ``StoreError/RecordError/unencodable(type:reason:)`` before anything is written;
    ///   ``StoreError/RecordError/keyExists(type:key:)``;
    ///   ``StoreError/RecordError/notUnique(type:index:key:existing:)``; for an entity also the errors of its graph and
    ///   of hooks, and ``StoreError/EntityError/deleteDenied(type:key:relation:other:)`` if an entity that gives way to
    ///   it cannot be deleted. Only a hand-written coding with a wrong `encodedSize` is noticed while writing: then the
    ///   transaction can no longer commit.
    /// - Complexity: O(log *n*) in the number of records; O(1) for a key after all stored keys.
    @inlinable
    @discardableResult
    @available(*, noasync, message: "await the call")
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
    ///   - records: The records. Key order is the fastest order.
    ///   - rule: The treatment of a stored record with the same key.
    /// - Throws: The errors of storing one record. The records before it are undone.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func insert<Record: IndexKeyRecord>(
        contentsOf records: some Sequence<Record>, onConflict rule: ConflictRule = .replace
    ) throws {
        try writing { context in
            try context.statement { context in
                for record in records { try context.insert(record, onConflict: rule) }
            }
        }
    }

    /// Removes a record, by its key.
    ///
    /// An entity is deleted by the delete rules of its relations, and the hooks of all deleted entities are called.
    ///
    /// - Returns: Whether the record existed.
    /// - Throws: ``StoreError/EntityError/deleteDenied(type:key:relation:other:)`` if a relation of an entity denies
    ///   its delete; the errors of hooks. Nothing is then deleted.
    @inlinable
    @discardableResult
    @available(*, noasync, message: "await the call")
    public func delete<Record: IndexKeyRecord>(_ record: Record) throws -> Bool {
        try delete(Record.self) { record.encodeKey(into: &$0) }
    }

    /// Removes the record with a key.
    ///
    /// An entity is deleted by the delete rules of its relations, and the hooks of all deleted entities are called.
    ///
    /// - Returns: Whether the record existed.
    /// - Throws: ``StoreError/EntityError/deleteDenied(type:key:relation:other:)`` if a relation of an entity denies
    ///   its delete; the errors of hooks. Nothing is then deleted.
    @inlinable
    @discardableResult
    @available(*, noasync, message: "await the call")
    public func delete<Record: IndexKeyRecord>(_ type: Record.Type, key: Record.IndexKey) throws -> Bool {
        try delete(type) { key.encodeKey(into: &$0) }
    }

    @inlinable
    func delete<Record: IndexKeyRecord>(
        _ type: Record.Type, _ encodeKey: (inout KeyWriter) -> Void
    ) throws -> Bool {
        try writingStatement { context in
            var isKeyWritten = false
            do {
                return try KeyWriter.withKey(encodeKey) { key in
                    isKeyWritten = true
                    return try context.replace(key, with: nil as Record?)
                }
            } catch let error as CodingError {
                // A key that is too long for a record. A hook's error of this kind undoes the statement.
                if !isKeyWritten, case .keyTooLarge = error.reason { return false }
                throw error
            }
        }
    }
}
