// The relations of an entity in a live object. Its encoded value does not have them.

extension IndexKeyRecord {
    /// Whether the record is an entity with a relation that is set.
    var hasRelationsSet: Bool {
        guard Self.schema.entity != nil, let entity = self as? any EntityModelProtocol else { return false }
        return !entity.isNormalized
    }

    /// Returns whether the record is an entity with a relation that is set, and not as in another entity.
    func setsRelations(otherThan other: Self) -> Bool {
        guard hasRelationsSet, let entity = self as? any EntityModelProtocol else { return false }
        return !entity.hasSameRelations(as: other)
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

extension EntityModelProtocol {
    fileprivate func hasSameRelations(as other: some IndexKeyRecord) -> Bool {
        guard let other = other as? Self else { return false }
        return Self.relations.allSatisfy { $0.accessor.isSame(in: self, as: other) }
    }

    /// Whether the stored form and all relations are the same.
    fileprivate func isSame(as other: Self) -> Bool {
        // An entity that cannot be encoded counts as an edit. A save of it throws the error.
        guard keyBytes == other.keyBytes, let bytes = try? encodedValue() else { return false }
        return bytes == (try? other.encodedValue()) && hasSameRelations(as: other)
    }
}

extension RelationState {
    fileprivate func isSame(as other: RelationState) -> Bool {
        switch (self, other) {
        case (.none, .none), (.null, .null): true
        case (.id(let id), .id(let otherID)): id == otherID
        case (.ids(let ids, let isSlice), .ids(let otherIDs, let isOtherSlice)):
            isSlice == isOtherSlice && ids == otherIDs
        case (.entity(let entity, _), .entity(let otherEntity, _)):
            isFragment == other.isFragment && entity.isSame(as: otherEntity)
        case (.entities(let entities, _, _), .entities(let others, _, _)):
            isFragment == other.isFragment && isSlice == other.isSlice
                && entities.elementsEqual(others) { $0.isSame(as: $1) }
        default: false
        }
    }
}

extension RelationAccessor {
    fileprivate func isSame(in owner: Owner, as other: Owner) -> Bool { state(of: owner).isSame(as: state(of: other)) }
}
