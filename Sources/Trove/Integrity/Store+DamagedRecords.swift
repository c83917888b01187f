// Deletes records that fail their checksum. Their index entries cannot be derived, so builds and checks skip and report
// these records. Entries pointing to such a record stay until it is deleted.

import LMDB
import TroveCoding

extension TransactionContext {
    /// Removes a record, even if it is too damaged to derive its index entries. Then the indexes are scanned for its
    /// entries. A full-text index with damaged rows is marked for a rebuild.
    ///
    /// - Returns: Whether the record existed.
    @usableFromInline
    func removeIgnoringDamage<Record: IndexKeyRecord>(_ type: Record.Type, _ key: RawSpan) throws -> Bool {
        let key = copiedBytes(key)
        return try ignoringDamagedTexts(of: Record.schema) { context in
            if let entity = Record.schema.entity?.type { return try entity.deleteIgnoringDamage(key, in: context) }
            return try key.withRawSpan { try context.removeEvenIfDamaged(type, $0) }
        }
    }

    private func removeEvenIfDamaged<Record: IndexKeyRecord>(_ type: Record.Type, _ key: RawSpan) throws -> Bool {
        do {
            return try replace(key, with: nil as Record?)
        } catch StoreError.record(.indexDamaged(let type, let index, let key)) where Record.schema.hasTexts {
            throw StoreError.record(.indexDamaged(type: type, index: index, key: key))
        } catch is StoreError {
            // Any other cause of the error remains, and throws again below.
            return try removeDamaged(type, key)
        }
    }
}
