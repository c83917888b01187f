// The content of a relation value. One type for all directions, cardinalities and constraints.

/// The value of one of an entity's relations.
///
/// The cases with values are boxed: a relation has the size of a pointer, an unset relation allocates nothing, and a
/// type may have relations to itself.
@usableFromInline
indirect enum RelationState<Entity: EntityModelProtocol>: Sendable {
    /// Unset: saving the owner keeps the stored links.
    case none
    /// No target.
    case null
    case id(Entity.ID)
    case entity(Entity, isFragment: Bool)
    /// - Parameter isSlice: Whether the ids are appended to the stored list, instead of replacing it.
    case ids([Entity.ID], isSlice: Bool)
    case entities([Entity], isFragment: Bool, isSlice: Bool)
}

extension RelationState {
    @inlinable
    var isNone: Bool { if case .none = self { true } else { false } }

    @inlinable
    var isNull: Bool { if case .null = self { true } else { false } }

    /// Whether there are ids without entities.
    @inlinable
    var isId: Bool {
        switch self {
        case .id, .ids: true
        case .none, .null, .entity, .entities: false
        }
    }

    @inlinable
    var isFragment: Bool {
        switch self {
        case .entity(_, let isFragment), .entities(_, let isFragment, _): isFragment
        case .none, .null, .id, .ids: false
        }
    }

    @inlinable
    var isSlice: Bool {
        switch self {
        case .ids(_, let isSlice), .entities(_, _, let isSlice): isSlice
        case .none, .null, .id, .entity: false
        }
    }

    /// The entity of a to-one relation, if it is loaded.
    @inlinable
    var entity: Entity? { if case .entity(let entity, _) = self { entity } else { nil } }

    /// The entities of a to-many relation, if they are loaded.
    @inlinable
    var entities: [Entity]? { if case .entities(let entities, _, _) = self { entities } else { nil } }

    /// The ids of all targets, in order, loaded or not.
    @usableFromInline var ids: [Entity.ID] {
        switch self {
        case .none, .null: []
        case .id(let id): [id]
        case .entity(let entity, _): [entity.id]
        case .ids(let ids, _): ids
        case .entities(let entities, _, _): entities.map(\.id)
        }
    }
}

extension RelationState: Hashable {
    /// Compares the changes by saves: the kind of change, and the ids in order. A loaded entity equals its id.
    @usableFromInline
    static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.none, .none), (.null, .null): true
        case (.none, _), (.null, _), (_, .none), (_, .null): false
        default: left.isSlice == right.isSlice && left.ids == right.ids
        }
    }

    @usableFromInline
    func hash(into hasher: inout Hasher) {
        hasher.combine(isNull)
        hasher.combine(isSlice)
        hasher.combine(ids)
    }
}
