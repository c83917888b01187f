// The hooks that an entity type does not implement. They are not called again.

/// The hooks of an entity type.
struct EntityHooks: OptionSet, Sendable {
    let rawValue: UInt8

    static let willSave = EntityHooks(rawValue: 1)
    static let didSave = EntityHooks(rawValue: 2)
    static let willDelete = EntityHooks(rawValue: 4)
    static let didDelete = EntityHooks(rawValue: 8)
    static let saving: EntityHooks = [willSave, didSave]
    static let deleting: EntityHooks = [willDelete, didDelete]
}

extension EntityOptions {
    /// The hooks at whose time the store keeps the additional records. They count as implemented.
    var keepingHooks: EntityHooks {
        if keepsDeleted { return [.didSave, .willDelete, .didDelete] }
        return keepsMetadata ? [.didSave, .didDelete] : []
    }
}

extension EntityModelProtocol {
    /// Notes that the type does not implement a hook.
    static func noteDefault(_ hook: EntityHooks) { schema.entity?.note(hook) }

    /// Returns whether the type is known to implement none of some hooks.
    static func hasDefault(_ hooks: EntityHooks) -> Bool { schema.entity?.hasDefault(hooks) ?? false }
}
