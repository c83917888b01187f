// Relations as text, as they are written in code.

extension Relation: CustomStringConvertible {
    /// The relation as it is written in code, such as `.ids(["1"])`.
    public var description: String {
        switch state {
        case .none: ".none"
        case .null: ".null"
        case .id(let id): ".id(\(String(reflecting: id)))"
        case .entity(let entity, let isFragment): ".\(isFragment ? "fragment" : "relation")(\(entity))"
        case .ids(let ids, let isSlice): isSlice ? ".appending(ids: \(ids))" : ".ids(\(ids))"
        case .entities(let entities, let isFragment, let isSlice):
            switch (isFragment, isSlice) {
            case (false, false): ".relation(\(entities))"
            case (true, false): ".fragment(\(entities))"
            case (false, true): ".appending(relation: \(entities))"
            case (true, true): ".appending(fragment: \(entities))"
            }
        }
    }
}

extension Relationship: CustomStringConvertible {
    /// The relation as it is written in code, such as `.ids(["1"])`.
    public var description: String { projectedValue.description }
}

// The text of a struct has the debug descriptions of its properties: without these, an entity with loaded relations is
// printed with all generic arguments of their types.

extension Relation: CustomDebugStringConvertible {
    /// The ``description``.
    public var debugDescription: String { description }
}

extension Relationship: CustomDebugStringConvertible {
    /// The ``description``.
    public var debugDescription: String { description }
}
