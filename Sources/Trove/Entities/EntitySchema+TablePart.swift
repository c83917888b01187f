// The relations of an entity type, for the catalog.

extension EntitySchema: TablePart {
    func declaredLinks() throws(StoreError) -> [any DeclaredLinks] { try type.declaredRelations() }

    var keptSchema: RecordSchema? { (type as? any DeletedEntity.Type)?.entityType.schema }

    func keptIDs(among relations: [UInt32: StoredRelation], in snapshot: CatalogSnapshot) throws -> (any KeptIDs)? {
        guard let entity = (type as? any DeletedEntity.Type)?.entityType else { return nil }
        return try KeptRelations(of: entity, among: relations, in: snapshot)
    }
}

extension DeclaredRelation: DeclaredLinks {
    var name: String { description.name }
}
