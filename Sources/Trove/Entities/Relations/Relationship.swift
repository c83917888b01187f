// The property wrapper of relations.

/// Declares a property of an entity as a relation to entities.
///
/// ```swift
/// @EntityModel
/// struct Message {
///     let id: String
///     @Relationship(.required) var author: User?
///     @Relationship(.required, inverse: \.messages) var chat: Chat?
///     @Relationship(deleteRule: .cascade, inverse: \.message) var attachment: Attachment?
///     @Relationship(inverse: \.replyTo) var replies: [Message]?
///     @Relationship(inverse: \.replies) var replyTo: Message?
///     @Relationship var viewedBy: [User]? = nil
/// }
/// ```
///
/// The property is read-only, and has a value only if the entities are loaded. The relation itself is read and set
/// through the projected value, `$author`: see ``Relation``.
///
/// - A property `X?` leads to one entity at most, a property `[X]?` to a list of entities.
/// - With an inverse, both types declare the relation, each with the other's property as its inverse. Both sides always
///   agree, whichever of them is saved. A relation whose inverse is the property itself is symmetric.
/// - A required relation cannot be set to null.
/// - Without any arguments, the property needs an initial value or parentheses: `@Relationship var user: User? = nil`
///   or `@Relationship() var user: User?`. The compiler cannot infer the relation's type otherwise.
/// - An initial value holds for new entities only. A decoded entity has no relations.
///
/// A relation is not a part of the entity's layout: adding a relation does not change its `fieldsVersion`.
@propertyWrapper
public struct Relationship<
    Value, Entity: EntityModelProtocol, Directionality: DirectionalityProtocol, Cardinality: CardinalityProtocol,
    Constraints: ConstraintsProtocol
>: Sendable, Hashable where Cardinality.Value == Value?, Cardinality.Entity == Entity {
    /// The value of the relation: the targets, or a change of them.
    public var projectedValue: Relation<Entity, Directionality, Cardinality, Constraints>

    @inlinable
    init(relation: Relation<Entity, Directionality, Cardinality, Constraints>?) {
        projectedValue = relation ?? .none
    }

    /// The targets, if they are loaded: an entity or nil, or an array or nil.
    @inlinable public var wrappedValue: Value? {
        get { Cardinality.value(projectedValue.state.entity, projectedValue.state.entities) }
        @available(
            *, unavailable,
            message:
                "a relation is set through its name with '$': 'note.$folder = .relation(folder)', '.id(3)' or '.null'; a list by '.relation([…])' or '.ids([…])'"
        )
        set {}
    }

    /// Compares the relations. See ``Relation``.
    public static func == (left: Self, right: Self) -> Bool { left.projectedValue == right.projectedValue }

    /// Hashes the relation.
    public func hash(into hasher: inout Hasher) { hasher.combine(projectedValue) }
}
