// Deletes records that fail their checksum. Their index entries cannot be derived, so builds and checks skip and report
// these records. Entries pointing to such a record stay until it is deleted.

import LMDB
import TroveCoding

extension RecordWritable {
    /// Removes the record with a key, even if it is too damaged to be read.
    ///
    /// The index entries of a damaged record cannot be derived. All entries of the type's indexes are searched for
    /// entries of the record. An index of full text or of totals whose rows for the record are damaged is emptied: it
    /// is built again when a program with the type opens the store, or by `Store.rebuild(_:index:progress:)`.
    ///
    /// An entity is deleted by the delete rules of its relations, with damaged links as well. The hooks of all deleted
    /// entities are called, except for the hooks of a damaged entity. An entity that is damaged, or whose links cannot
    /// be read, is not kept as a ``Deleted``. If no entity is stored under the key, a time that was left under it is
    /// removed: see ``RelationNote``.
    ///
    /// - Parameters:
    ///   - type: The record type.
    ///   - key: The key of the record.
    ///   - ignoringDamage: False to throw for a damaged record of a type with indexes.
    /// - Returns: Whether the record existed.
    /// - Throws: ``StoreError/EntityError/deleteDenied(type:key:relation:other:)`` if a relation of an entity denies
    ///   its delete; the errors of hooks. Nothing is then deleted.
    /// - Complexity: O(*n*) in the number of index entries for a damaged record of a type with indexes; otherwise O(log
    ///   *n*) in the number of records.
    @inlinable
    @discardableResult
    @available(*, noasync, message: "await the call")
    public func delete<Record: IndexKeyRecord>(
        _ type: Record.Type, key: Record.IndexKey, ignoringDamage: Bool
    ) throws -> Bool {
        guard ignoringDamage else { return try delete(type, key: key) }
        return try writingStatement { context in
            try KeyWriter.withKey({ key.encodeKey(into: &$0) }) { key in
                try context.removeIgnoringDamage(type, key)
            }
        }
    }
}

extension TransactionContext {
    /// Removes a record, even if it is too damaged to derive its index entries. Then the indexes are scanned for its
    /// entries. An index of full text or of totals with damaged rows is marked for a rebuild.
    ///
    /// - Returns: Whether the record existed.
    @usableFromInline
    func removeIgnoringDamage<Record: IndexKeyRecord>(_ type: Record.Type, _ key: RawSpan) throws -> Bool {
        let key = copiedBytes(key)
        return try ignoringDamagedRows(of: Record.schema) { context in
            if let entity = Record.schema.entity?.type { return try entity.deleteIgnoringDamage(key, in: context) }
            return try key.withRawSpan { try context.removeEvenIfDamaged(type, $0) }
        }
    }

    private func removeEvenIfDamaged<Record: IndexKeyRecord>(_ type: Record.Type, _ key: RawSpan) throws -> Bool {
        do {
            return try replace(key, with: nil as Record?)
        } catch StoreError.record(.indexDamaged(let type, let index, let key)) where Record.schema.hasRows(in: index) {
            throw StoreError.record(.indexDamaged(type: type, index: index, key: key))
        } catch is StoreError {
            // Any other cause of the error remains, and throws again below.
            return try removeDamaged(type, key)
        }
    }
}
