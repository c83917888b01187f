// Keeps the stamps of entities.

import LMDB
import TroveCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension EntityModelProtocol {
    /// Stores the time of a save, unless the type keeps no metadata.
    func saveStamp(to context: TransactionContext) throws {
        guard Self.entityOptions.keepsMetadata else { return }
        let stamp = EntityMetadata<Self>(id: id, updatedAt: context.nextStamp())
        try context.replaceFollowing(KeyWriter.bytes { encodeKey(into: &$0) }, with: stamp)
    }

    /// Removes the time of the last save, unless the type keeps no metadata.
    func deleteStamp(from context: TransactionContext) throws {
        try Self.deleteStamp(of: KeyWriter.bytes { encodeKey(into: &$0) }, from: context)
    }

    /// Removes the time of the last save of the entity with a key, unless the type keeps no metadata.
    static func deleteStamp(of key: [UInt8], from context: TransactionContext) throws {
        guard entityOptions.keepsMetadata else { return }
        try context.replaceFollowing(key, with: nil as EntityMetadata<Self>?)
    }

    /// Removes the metadata of a deleted entity.
    ///
    /// - Parameter entity: The entity; nil if its record was damaged. Then its stamp is removed.
    static func dropMetadata(
        of entity: (any EntityModelProtocol)?, _ key: [UInt8], in context: TransactionContext
    ) throws {
        guard entityOptions.keepsMetadata else { return }
        guard let entity else { return try deleteStamp(of: key, from: context) }
        try entity.callDeleteMetadata(in: context)
    }

    private func callDeleteMetadata(in context: TransactionContext) throws {
        try context.calling(hookOf: self) { try deleteMetadata(from: context) }
    }
}

extension TransactionContext {
    /// Keeps the additional records of a saved entity.
    func keepRecords<Entity: EntityModelProtocol>(of entity: Entity, _ key: [UInt8]) throws {
        let options = Entity.entityOptions
        // A program without the newest layout of deleted entities can save an entity that was not deleted.
        if options.keepsDeleted, try hasRecord(Deleted<Entity>.schema, key) {
            try replaceFollowing(key, with: nil as Deleted<Entity>?)
        }
        if options.keepsMetadata { try calling(hookOf: entity) { try entity.saveMetadata(to: self) } }
    }

    /// Returns the time of a new stamp: now, but not before the last stamp of the transaction.
    fileprivate func nextStamp() -> Date {
        let counts = entityCounts
        let stamp = max(counts.value.lastStamp, Date().timeIntervalSinceReferenceDate)
        counts.value.lastStamp = stamp
        return Date(timeIntervalSinceReferenceDate: stamp)
    }

    /// Replaces a record of a type that follows an entity type.
    ///
    /// A stored record that cannot be read is replaced too. Nothing of it is needed, and it must not keep its entity
    /// from being saved or deleted.
    ///
    /// - Parameter new: The new record; nil to remove the stored record.
    func replaceFollowing<Record: IndexKeyRecord>(_ key: [UInt8], with new: Record?) throws {
        do {
            try key.withRawSpan { key in
                do {
                    _ = try replaceIndexed(key, with: new, onConflict: .replace)
                } catch let error as StoreError {
                    guard try removeDamaged(Record.self, key) else { throw error }
                    // Any other cause of the error remains, and throws again.
                    if let new { _ = try replaceIndexed(key, with: new, onConflict: .replace) }
                }
            }
        } catch let error as CodingError {
            throw StoreError(writing: Record.schema.name, error)
        }
    }
}
