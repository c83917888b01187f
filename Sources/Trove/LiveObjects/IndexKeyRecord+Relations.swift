// The relations of an entity in a live object. Its encoded value does not have them.

extension IndexKeyRecord {
    /// Whether the record is an entity with a relation that is set.
    var hasRelationsSet: Bool {
        guard Self.schema.entity != nil, let entity = self as? any EntityModelProtocol else { return false }
        return !entity.isNormalized
    }

    /// Returns the record with the relations of another.
    func withRelations(of other: Self) -> Self {
        guard other.hasRelationsSet, let entity = self as? any EntityModelProtocol else { return self }
        return entity.taking(other) as? Self ?? self
    }

    /// Returns the record with all relations unset.
    var withoutRelations: Self {
        guard hasRelationsSet, let entity = self as? any EntityModelProtocol else { return self }
        return entity.normalized() as? Self ?? self
    }
}

extension EntityModelProtocol {
    fileprivate func taking(_ other: some IndexKeyRecord) -> Self {
        guard let other = other as? Self else { return self }
        var entity = self
        for relation in Self.relations { relation.accessor.copy(from: other, to: &entity) }
        return entity
    }
}

extension RelationAccessor {
    fileprivate func copy(from other: Owner, to owner: inout Owner) { set(state(of: other), in: &owner) }
}
