// The types that declared types lead to: the targets of relations, and the hidden types that follow an entity type.

extension [any IndexKeyRecord.Type] {
    /// The types, all entity types that their relations lead to, and the types of their additional records, each once.
    var withRelatedTypes: [any IndexKeyRecord.Type] {
        var types = self
        var known = Set(map(ObjectIdentifier.init))
        var next = 0
        while next < types.count {
            if let entity = types[next].schema.entity?.type {
                let others = entity.relationDescriptions.map(\.target) + entity.followingTypes
                for type in others where known.insert(ObjectIdentifier(type)).inserted { types.append(type) }
            }
            next += 1
        }
        return types
    }
}
