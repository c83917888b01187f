// Diagnostics about entities and relations.

extension MacroDiagnostic {
    // MARK: The entity

    static func noID(_ type: String) -> Self {
        .error("noID", "'\(type)' needs a property 'id': it is the key of an entity")
    }

    static func actorIsolated(_ type: String, _ attribute: String) -> Self {
        .error(
            "actorIsolated", "'\(type)' cannot be '\(attribute)': a store reads its relations outside of every actor")
    }

    static func unpatchedConstant(_ name: String) -> Self {
        .warning(
            "unpatchedConstant",
            "'\(name)' is a constant, so a fragment cannot keep its stored value: saving a fragment without it removes it"
        )
    }

    static func hookSignature(_ name: String, _ signature: String) -> Self {
        .error("hookSignature", "this '\(name)' is never called: the hook is '\(signature)'")
    }

    // MARK: Placement of relations

    static let relationshipOutside = error(
        "relationshipOutside", "'@Relationship' belongs to a property of a struct with '@EntityModel'")

    static func relationIndexed(_ name: String) -> Self {
        .error("relationIndexed", "'\(name)' is a relation, which is not a part of the record: its links have an index")
    }

    // MARK: Relations

    static func relationshipBare(_ name: String) -> Self {
        .error(
            "relationshipBare",
            "'\(name)' needs '= nil', or parentheses after '@Relationship': the compiler cannot infer its type otherwise"
        )
    }

    static func relationshipConstant(_ name: String) -> Self {
        .error("relationshipConstant", "'\(name)' is a relation, which must be a variable")
    }

    static func relationshipPrivate(_ name: String) -> Self {
        .error("relationshipPrivate", "'\(name)' is private, so its inverse cannot see it: make it fileprivate")
    }

    static func relationshipNotOptional(_ name: String, _ type: String) -> Self {
        .error("relationshipNotOptional", "'\(name)' is nil while it is not loaded: its type must be '\(type)?'")
    }

    static func relationshipType(_ name: String) -> Self {
        .error(
            "relationshipType",
            "'\(name)' must be of a type 'X?' for one entity, or '[X]?' for a list, where 'X' is the name of an entity")
    }

    static func relationshipToDeleted(_ name: String) -> Self {
        .error(
            "relationshipToDeleted",
            "'\(name)' cannot lead to deleted entities: a relation leads to stored entities; find the others by a query of 'Deleted'"
        )
    }

    static func requiredList(_ name: String) -> Self {
        .error("requiredList", "'\(name)' is a list, which cannot be required: a list can be empty")
    }

    static func inverseOfRelation(_ name: String, _ inverse: String) -> Self {
        .error(
            "inverseOfRelation",
            "the inverse of '\(name)' is the key path of a property, not of its relation: remove the '$' of '\(inverse)'"
        )
    }

    static func inverseNotLiteral(_ name: String) -> Self {
        .error(
            "inverseNotLiteral",
            "the inverse of '\(name)' must be the key path of a property, such as '\\.messages': a macro sees only the source text"
        )
    }
}
