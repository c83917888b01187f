// The visitor of the entities inside an entity, which are of several types.

/// A visitor of entities of any types.
protocol EntityVisitor {
    /// Visits an entity.
    ///
    /// - Parameter isFragment: Whether the entity is incomplete.
    /// - Returns: Whether to visit the next entity.
    mutating func visit<Entity: EntityModelProtocol>(_ entity: Entity, isFragment: Bool) throws -> ScanControl
}
