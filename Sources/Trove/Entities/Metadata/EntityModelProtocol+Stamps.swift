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
        try context.insert(EntityMetadata<Self>(id: id, updatedAt: context.nextStamp()))
    }

    /// Removes the time of the last save, unless the type keeps no metadata.
    func deleteStamp(from context: TransactionContext) throws {
        try Self.deleteStamp(of: KeyWriter.bytes { encodeKey(into: &$0) }, from: context)
    }

    private static func deleteStamp(of key: [UInt8], from context: TransactionContext) throws {
        guard entityOptions.keepsMetadata else { return }
        try context.removeRecord(of: EntityMetadata<Self>.self, key)
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
        if options.keepsDeleted { try removeRecord(of: Deleted<Entity>.self, key) }
        if options.keepsMetadata { try calling(hookOf: entity) { try entity.saveMetadata(to: self) } }
    }

    /// Returns the time of a new stamp: now, but not before the last stamp of the transaction.
    fileprivate func nextStamp() -> Date {
        lastStamp = max(lastStamp, Date().timeIntervalSinceReferenceDate)
        return Date(timeIntervalSinceReferenceDate: lastStamp)
    }

    /// Removes a record of a type that follows an entity type, if it is stored.
    fileprivate func removeRecord(of type: (some IndexKeyRecord).Type, _ key: [UInt8]) throws {
        _ = try key.withRawSpan { try removeRecord(of: type, $0) }
    }

    private func removeRecord<Record: IndexKeyRecord>(of type: Record.Type, _ key: RawSpan) throws -> Bool {
        try replaceIndexed(key, with: nil as Record?, onConflict: .replace)
    }
}
