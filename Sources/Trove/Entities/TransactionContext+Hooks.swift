// Calls the hooks of entities. A hook can save and delete entities, whose hooks are called within it.

import TroveCoding

extension TransactionContext {
    /// The maximum number of hooks that run within each other. Their calls fit on a stack of 512 KB in a debug build.
    private static let hookLimit = 32

    /// Calls a hook of an entity.
    ///
    /// - Throws: ``StoreError/EntityError/hooksTooDeep(type:key:limit:)`` if hooks would call each other without end.
    func calling<Entity: EntityModelProtocol>(hookOf entity: Entity, _ hook: () throws -> Void) throws {
        let calls = hookCalls
        guard calls.value.depth < Self.hookLimit else {
            throw StoreError.entity(
                .hooksTooDeep(type: Entity.schema.name, key: entity.storedKey, limit: Self.hookLimit))
        }
        calls.value.depth += 1
        calls.value.count += 1
        defer { calls.value.depth -= 1 }
        try callingProgram(hook)
    }
}

extension EntityModelProtocol {
    /// The key of the entity, for errors.
    var storedKey: StoredKey { Self.schema.storedKey(KeyWriter.bytes { encodeKey(into: &$0) }) }
}
