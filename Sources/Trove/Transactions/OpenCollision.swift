// The collisions whose closures are running. A closure that saves records can cause further collisions.

import LMDB
import TroveCoding

/// A collision whose closure is running.
struct OpenCollision: Equatable {
    /// The maximum number of closures that run within each other. Their calls fit on a stack of 512 KB in a debug
    /// build.
    static let limit = 32

    let type: String
    let index: String
    /// The key of the record to save.
    let key: StoredKey

    init<Record: IndexKeyRecord>(_ collision: UniqueCollision, of type: Record.Type, _ key: RawSpan) {
        self.type = Record.schema.name
        index = Record.schema.indexes[collision.index].text
        self.key = Record.schema.storedKey(copiedBytes(key))
    }
}

extension TransactionContext {
    /// Notes a collision before its closure is called.
    ///
    /// - Throws: ``StoreError/collisionRuleRepeats(type:index:key:)`` if the closure would run without end.
    func open(_ collision: OpenCollision) throws {
        guard !openCollisions.contains(collision), openCollisions.count < OpenCollision.limit else {
            throw StoreError.collisionRuleRepeats(
                type: collision.type, index: collision.index, key: collision.key)
        }
        openCollisions.append(collision)
    }
}
