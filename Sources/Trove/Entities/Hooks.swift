// Calls the hooks of entities. A hook can save and delete entities, whose hooks are called within it.

extension TransactionContext {
    /// The maximum number of hooks that run within each other. Their calls fit on a stack of 512 KB in a debug build.
    private static let hookLimit = 32

    /// Calls a hook of an entity type.
    ///
    /// - Throws: ``StoreError/graphTooDeep(type:limit:)`` if hooks would call each other without end.
    func calling<Entity: EntityModelProtocol>(hookOf type: Entity.Type, _ hook: () throws -> Void) throws {
        guard hookDepth < Self.hookLimit else {
            throw StoreError.graphTooDeep(type: Entity.schema.name, limit: Self.hookLimit)
        }
        hookDepth += 1
        calledHooks += 1
        defer { hookDepth -= 1 }
        try callingProgram(hook)
    }
}
