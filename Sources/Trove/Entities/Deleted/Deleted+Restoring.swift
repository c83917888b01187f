// Saves deleted entities again.

import TroveCoding

extension Deleted {
    /// Saves the entity again, with its links, and removes the deleted entity.
    ///
    /// The entity is saved by the default strategy of its type, with its hooks. The links that it had as an owner are
    /// back. One-way links of other entities that led to it are not.
    ///
    /// - Parameter destination: The context of a write transaction, or a store.
    /// - Throws: The errors of saving the entity; ``StoreError/RecordError/notUnique(type:index:key:existing:)`` if a
    ///   unique value is taken, also under the rule ``CollisionRule/ignore``. The deleted entity is then still stored.
    @available(*, noasync, message: "await the call")
    public func restore(in destination: some RecordWritable) throws {
        try destination.writingStatement { context in try context.statement { try restored(in: $0) } }
    }

    /// The async form of ``restore(in:)-(RecordWritable)``.
    public func restore(in store: Store) async throws {
        try await store.write { context in try context.statement { try restored(in: $0) } }
    }

    private func restored(in context: TransactionContext) throws {
        guard try context.save(entity, .default) else { throw context.errorOfRefusal(of: entity) }
        // A type that no longer keeps deleted entities does not remove them.
        try context.delete(self)
    }
}
