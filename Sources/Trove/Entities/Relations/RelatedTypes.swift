// The entity types that the relations of declared types lead to.

extension [any IndexKeyRecord.Type] {
    /// The types, and all entity types that their relations lead to, each once.
    var withRelatedTypes: [any IndexKeyRecord.Type] {
        var types = self
        var known = Set(map(ObjectIdentifier.init))
        var next = 0
        while next < types.count {
            for relation in types[next].schema.entity?.type.relationDescriptions ?? [] {
                if known.insert(ObjectIdentifier(relation.target)).inserted { types.append(relation.target) }
            }
            next += 1
        }
        return types
    }
}
