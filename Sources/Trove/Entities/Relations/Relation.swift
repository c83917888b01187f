// The value of a relation: the targets of an entity, or a change of them.

/// The value of one of an entity's relations: its targets, or a change of them.
///
/// A relation is read and set through the projected value of its property:
///
/// ```swift
/// message.$author = .id("1")
/// message.$attachment = .null
/// chat.$messages = .appending(relation: [message])
/// ```
///
/// Saving the entity stores the values of its relations. A relation that is ``none`` keeps its stored links.
///
/// Two relations are equal if saving them does the same: the same kind of change, to the same ids in the same order. It
/// does not matter whether the entities are loaded.
public struct Relation<
    Entity: EntityModelProtocol, Directionality: DirectionalityProtocol, Cardinality: CardinalityProtocol,
    Constraints: ConstraintsProtocol
>: Sendable, Hashable where Cardinality.Entity == Entity {
    @usableFromInline var state: RelationState<Entity>

    @inlinable
    init(_ state: RelationState<Entity>) { self.state = state }
}

/// A relation that only one type declares.
public typealias OneWayRelation<
    Entity: EntityModelProtocol, Cardinality: CardinalityProtocol, Constraints: ConstraintsProtocol
> = Relation<Entity, Relations.OneWay, Cardinality, Constraints> where Cardinality.Entity == Entity

/// A relation that both types declare.
public typealias MutualRelation<
    Entity: EntityModelProtocol, Cardinality: CardinalityProtocol, Constraints: ConstraintsProtocol
> = Relation<Entity, Relations.Mutual, Cardinality, Constraints> where Cardinality.Entity == Entity

/// A relation that leads to one entity at most.
public typealias ToOneRelation<
    Entity: EntityModelProtocol, Directionality: DirectionalityProtocol, Constraints: ConstraintsProtocol
> = Relation<Entity, Directionality, Relations.ToOne<Entity>, Constraints>

/// A relation that leads to a list of entities.
public typealias ToManyRelation<
    Entity: EntityModelProtocol, Directionality: DirectionalityProtocol, Constraints: ConstraintsProtocol
> = Relation<Entity, Directionality, Relations.ToMany<Entity>, Constraints>

// MARK: Parts of the value

extension Relation {
    /// Whether the relation is unset: then saving its owner keeps the stored links.
    @inlinable public var isNone: Bool { state.isNone }

    /// Whether the relation is explicitly empty: then saving its owner removes the stored link.
    @inlinable public var isNull: Bool { state.isNull }

    /// Whether the relation has only the ids of its targets, and none of the entities is loaded. The ids of loaded
    /// entities are in ``ids`` too.
    @inlinable public var isId: Bool { state.isId }

    /// Whether the relation's entities are incomplete: they are saved by the fragment merge strategy of their type.
    @inlinable public var isFragment: Bool { state.isFragment }

    /// Whether the relation has a part of a list: saving its owner adds targets to the stored list, and removes none.
    @inlinable public var isSlice: Bool { state.isSlice }

    /// The ids of the targets in order, whether the entities are loaded or not; see ``isId``. Empty if the relation is
    /// unset or null.
    public var ids: [Entity.ID] { state.ids }
}

extension Relation where Cardinality == Relations.ToOne<Entity> {
    /// The id of the target, whether the entity is loaded or not; nil if the relation is unset or null.
    public var id: Entity.ID? {
        switch state {
        case .id(let id): id
        case .entity(let entity, _): entity.id
        case .none, .null, .ids, .entities: nil
        }
    }
}
