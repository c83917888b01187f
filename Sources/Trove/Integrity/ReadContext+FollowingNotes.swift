// Finds, by the catalog alone, the times of entities that are not stored, and the deleted entities that are stored as
// well.

import LMDB
import TroveCoding

extension ReadContext {
    /// Adds the notes about the records of a type that follows an entity type.
    func addFollowingNotes(of type: StoredType, to notes: inout RelationNotes) throws {
        guard let (kind, entity) = try followed(by: type) else { return }
        try keyspace.scan(type.records, ScanRange()) { key, _ in
            let key = copiedBytes(key)
            let isStored = try keyspace.withEntry(entity.records, key) { _, _ in }
            if isStored == (kind == .deleted) {
                notes.add(
                    RelationNote(
                        kind: isStored ? .deletedAndStored : .timeWithoutEntity, relation: type.name,
                        entity: entity.type.storedKey(key)))
            }
            return .continue
        }
    }

    /// Returns the entity type that a stored type follows, and its records.
    ///
    /// During a migration of keys, the two types can have different keys: then the result is nil.
    private func followed(
        by type: StoredType
    ) throws -> (kind: FollowingKind, entity: (type: CatalogType, name: TableName, records: Database))? {
        for kind in FollowingKind.allCases {
            guard
                let entity = catalogSnapshot.recordTables.first(where: {
                    kind.isKind(of: type, following: $0.type.qualifiedName, $0.name.keyPrefix)
                })
            else { continue }
            return entity.type.keyLayout == type.keyLayout ? (kind, entity) : nil
        }
        return nil
    }
}

extension FollowingKind {
    /// Returns whether a stored type is of this kind, and follows the entity type with a name and a prefix.
    fileprivate func isKind(of type: StoredType, following name: String, _ entityPrefix: UInt32) -> Bool {
        type.name == name + rawValue || type.keyPrefix == keyPrefix(following: entityPrefix)
    }
}
