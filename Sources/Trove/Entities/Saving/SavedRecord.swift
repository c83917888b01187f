// The record of an entity that is being saved.

/// The record of an entity that is being saved, and the strategy that made it.
struct SavedRecord<Entity: EntityModelProtocol> {
    /// The stored entity before the save; nil if there was none, or if the strategy did not need it.
    var former: Entity?
    /// The entity as it is stored. Its relations may be unset.
    var saved: Entity
    let strategy: MergeStrategy<Entity>
    /// Whether the stored entity may have other properties than the given entity.
    var isMerged: Bool

    /// Returns the stored entity with the relations of the given entity: the entity for its hooks.
    func entity(withRelationsOf given: Entity) -> Entity {
        guard isMerged else { return given }
        var entity = saved
        for relation in Entity.relations { relation.accessor.copy(from: given, to: &entity) }
        return entity
    }
}
