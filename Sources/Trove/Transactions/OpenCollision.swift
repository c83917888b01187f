// The collisions that are being resolved. A closure or a hook that saves records can cause further collisions.

import LMDB
import TroveCoding

/// A collision that is being resolved by code of the program: a closure, or the hooks of the entity to delete.
struct OpenCollision: Equatable {
    let type: String
    let index: String
    /// The key of the record that may cause the collision again: the record to save, or the entity to delete.
    let key: StoredKey

    init<Record: IndexKeyRecord>(_ collision: UniqueCollision, of type: Record.Type, _ key: [UInt8]) {
        self.type = Record.schema.name
        index = Record.schema.indexes[collision.index].text
        self.key = Record.schema.storedKey(key)
    }
}

extension TransactionContext {
    /// Notes a collision before its closure is called, or after the hooks of a deleted entity were.
    ///
    /// - Throws: ``StoreError/RecordError/collisionRuleRepeats(type:index:key:)`` if the rule would be applied without
    ///   end.
    func open(_ collision: OpenCollision) throws {
        guard !openCollisions.contains(collision), openCollisions.count < StoreError.RecordError.collisionLimit else {
            throw StoreError.record(
                .collisionRuleRepeats(type: collision.type, index: collision.index, key: collision.key))
        }
        openCollisions.append(collision)
    }
}
