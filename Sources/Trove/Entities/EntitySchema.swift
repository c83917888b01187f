// The entity part of a record schema: relations, hooks, and the types that follow.

import LMDB
import Synchronization

/// An entity type, in the schema of its records.
final class EntitySchema: Sendable {
    let type: any EntityModelProtocol.Type
    /// The relations with their links; nil until their first use, since types can refer to each other in circles.
    let declaredRelations = Monitor<[DeclaredRelation]?>(nil)
    /// The hooks that the type does not implement, as far as they have been called.
    private let defaultHooks = Atomic<UInt8>(0)
    /// The hooks at whose time the store keeps other records of an entity, whether the type implements them or not.
    private let keepingHooks: EntityHooks
    /// The schema of the entities' stamps.
    let metadata = FollowingSchema()
    /// The schema of the deleted entities.
    let deleted = FollowingSchema()

    init(_ type: any EntityModelProtocol.Type) {
        self.type = type
        keepingHooks = type.entityOptions.keepingHooks
    }

    /// Notes that the type does not implement a hook.
    func note(_ hook: EntityHooks) {
        defaultHooks.bitwiseOr(hook.subtracting(keepingHooks).rawValue, ordering: .relaxed)
    }

    /// Returns whether the type is known to implement none of some hooks.
    func hasDefault(_ hooks: EntityHooks) -> Bool {
        EntityHooks(rawValue: defaultHooks.load(ordering: .relaxed)).isSuperset(of: hooks)
    }
}

extension RecordSchema {
    /// The entity part; nil for a type that is not an entity.
    var entity: EntitySchema? { part as? EntitySchema }

    /// Whether saving an entity without relations writes its record alone, and calls no code of the type: it has no
    /// indexes, and is known to have no hooks.
    @usableFromInline var isSavedAlone: Bool { indexes.isEmpty && entity?.hasDefault(.saving) ?? false }
}
