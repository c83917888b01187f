// Saves an entity that is a record alone: without relations, hooks and indexes.

import TroveCoding

extension TransactionContext {
    /// Saves the record of an entity without relations, of a type without hooks and indexes.
    @inlinable
    @inline(__always)
    func saveAlone<Entity: EntityModelProtocol>(_ entity: Entity) throws {
        do {
            try KeyWriter.withKey({ entity.encodeKey(into: &$0) }) { key in
                try replaceUnlessEqual(key, with: entity)
            }
        } catch let error as CodingError {
            throw StoreError(writing: Entity.schema.name, error)
        }
    }
}
