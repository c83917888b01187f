// Keeps the deleted entities of a type.

import LMDB
import TroveCoding

/// A deleted entity of any type.
protocol DeletedEntity: EntityModelProtocol, FollowingRecord, DelegatedMigration {
    /// The type of the entity.
    static var entityType: any EntityModelProtocol.Type { get }

    /// Stores the deleted entity. The entity itself is not deleted, as a save would do.
    func keep(in context: TransactionContext) throws
}

extension Deleted: DeletedEntity {
    static var entityType: any EntityModelProtocol.Type { Entity.self }
    static var missingOption: String? { Entity.entityOptions.keepsDeleted ? nil : "keepsDeleted" }

    func keep(in context: TransactionContext) throws {
        try context.replaceFollowing(KeyWriter.bytes { encodeKey(into: &$0) }, with: self)
    }
}

extension EntityModelProtocol {
    /// The types of the additional records that a store keeps of the type.
    static var followingTypes: [any IndexKeyRecord.Type] {
        let options = entityOptions
        return (options.keepsMetadata ? [EntityMetadata<Self>.self] : [])
            + (options.keepsDeleted ? [Deleted<Self>.self] : [])
    }

    /// Returns the record that is kept of the entity after its delete; nil if no record is kept.
    ///
    /// - Throws: ``StoreError/RecordError/keyChanged(type:key:)`` if the program returns an entity with another id.
    func deletedEntity(in context: ReadContext) throws -> (any DeletedEntity)? {
        guard Self.entityOptions.keepsDeleted, let deleted = try asDeleted(in: context) else { return nil }
        guard deleted.id == id else { throw StoreError.record(.keyChanged(type: Self.schema.name, key: storedKey)) }
        return deleted
    }

    /// Returns the entity with the ids of its links.
    func withLinkedIDs(in context: ReadContext) throws -> Self {
        var entity = normalized()
        guard !Self.relations.isEmpty else { return entity }
        let key = KeyWriter.bytes { encodeKey(into: &$0) }
        for (relation, declared) in zip(Self.relations, try Self.declaredRelations()) {
            guard let (links, side) = try context.links(declared) else { continue }
            let ids = try ByteView.with(key) { try links.list(of: $0, side).keys }
            if !ids.isEmpty { try relation.accessor.setIDs(ids, in: &entity) }
        }
        return entity
    }
}
