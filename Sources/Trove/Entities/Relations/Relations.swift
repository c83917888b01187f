// The types that describe a relation in its type: direction, number of targets, and whether it can be null. They have
// no values.

/// The parameters of ``Relation`` and ``Relationship``. ``Relationship`` infers them from its property and arguments.
public enum Relations {
    /// A relation that only one type declares.
    public enum OneWay: DirectionalityProtocol {}

    /// A relation that both types declare, each with the other's property as the inverse.
    public enum Mutual: DirectionalityProtocol {}

    /// A relation that leads to one entity at most.
    public enum ToOne<Entity: EntityModelProtocol>: CardinalityProtocol {
        /// The loaded entity; nil if there is none, or if it is not loaded.
        public typealias Value = Entity?

        /// False.
        @inlinable public static var isToMany: Bool { false }

        /// Returns the entity.
        @inlinable
        public static func value(_ entity: Entity?, _ entities: [Entity]?) -> Entity? { entity }
    }

    /// A relation that leads to a list of entities.
    public enum ToMany<Entity: EntityModelProtocol>: CardinalityProtocol {
        /// The loaded entities, in the order of the list; nil if they are not loaded.
        public typealias Value = [Entity]?

        /// True.
        @inlinable public static var isToMany: Bool { true }

        /// Returns the entities.
        @inlinable
        public static func value(_ entity: Entity?, _ entities: [Entity]?) -> [Entity]? { entities }
    }

    /// A to-one relation that cannot be set to null. The property is still optional: an entity can be incomplete.
    public enum Required: ConstraintsProtocol {
        /// True.
        @inlinable public static var isRequired: Bool { true }
    }

    /// A relation without constraints.
    public enum Optional: ConstraintsProtocol {
        /// False.
        @inlinable public static var isRequired: Bool { false }
    }

    /// The argument of a required relation: `@Relationship(.required)`.
    public enum Requirement: Sendable {
        /// The relation cannot be set to null.
        case required
    }

    /// The rule for a relation's targets when its owner is deleted.
    public enum DeleteRule: Sendable {
        /// The links are removed, and the targets stay.
        case nullify
        /// The targets are deleted too, each by its own delete.
        case cascade
        /// The owner is kept, with an error, if a target is still stored at the end of the statement. Links to entities
        /// that are not stored are removed.
        case deny
    }
}

/// The direction of a relation: ``Relations/OneWay`` or ``Relations/Mutual``.
public protocol DirectionalityProtocol: SendableMetatype {}

/// The number of targets of a relation: ``Relations/ToOne`` or ``Relations/ToMany``.
public protocol CardinalityProtocol: SendableMetatype {
    /// The type of the targets.
    associatedtype Entity: EntityModelProtocol
    /// The type of a property with the relation.
    associatedtype Value

    /// Whether there can be several targets.
    static var isToMany: Bool { get }

    /// Returns the value of a property.
    ///
    /// - Parameters:
    ///   - entity: The target of a to-one relation, if it is loaded.
    ///   - entities: The targets of a to-many relation, if they are loaded.
    static func value(_ entity: Entity?, _ entities: [Entity]?) -> Value
}

/// Whether a relation can be set to null: ``Relations/Required`` or ``Relations/Optional``.
public protocol ConstraintsProtocol: SendableMetatype {
    /// Whether the relation cannot be set to null.
    static var isRequired: Bool { get }
}
