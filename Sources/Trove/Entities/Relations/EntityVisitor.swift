// The visitor of the entities inside an entity, which are of several types.

/// A visitor of entities of any types.
protocol EntityVisitor {
    /// Visits an entity.
    ///
    /// - Parameter isFragment: Whether the entity is incomplete.
    mutating func visit<Entity: EntityModelProtocol>(_ entity: Entity, isFragment: Bool) throws
}
