// The arguments of `@Relationship`: relations that both types declare. The inverse is a closure that never runs: the
// compiler checks its type, and creating an entity does not create key paths.

extension Relationship
where
    Directionality == Relations.Mutual, Cardinality == Relations.ToOne<Entity>,
    Constraints == Relations.Optional
{
    /// Declares a mutual to-one relation.
    ///
    /// - Parameters:
    ///   - deleteRule: The rule for the target when the owner is deleted.
    ///   - inverse: The property of the other type whose inverse is this property.
    @inlinable
    public init<Inverse>(
        deleteRule: Relations.DeleteRule = .nullify, inverse: @autoclosure () -> KeyPath<Entity, Inverse?>
    ) {
        self.init(relation: nil)
    }

    /// Declares a mutual to-one relation with an initial value.
    ///
    /// - Parameters:
    ///   - wrappedValue: The relation of new entities.
    ///   - deleteRule: The rule for the target when the owner is deleted.
    ///   - inverse: The property of the other type whose inverse is this property.
    @inlinable
    public init<Inverse>(
        wrappedValue: Relation<Entity, Directionality, Cardinality, Constraints>?,
        deleteRule: Relations.DeleteRule = .nullify, inverse: @autoclosure () -> KeyPath<Entity, Inverse?>
    ) {
        self.init(relation: wrappedValue)
    }
}

extension Relationship
where
    Directionality == Relations.Mutual, Cardinality == Relations.ToOne<Entity>,
    Constraints == Relations.Required
{
    /// Declares a mutual required to-one relation.
    ///
    /// - Parameters:
    ///   - requirement: `.required`: the relation cannot be set to null.
    ///   - deleteRule: The rule for the target when the owner is deleted.
    ///   - inverse: The property of the other type whose inverse is this property.
    @inlinable
    public init<Inverse>(
        _ requirement: Relations.Requirement, deleteRule: Relations.DeleteRule = .nullify,
        inverse: @autoclosure () -> KeyPath<Entity, Inverse?>
    ) {
        self.init(relation: nil)
    }

    /// Declares a mutual required to-one relation with an initial value.
    ///
    /// - Parameters:
    ///   - wrappedValue: The relation of new entities.
    ///   - requirement: `.required`: the relation cannot be set to null.
    ///   - deleteRule: The rule for the target when the owner is deleted.
    ///   - inverse: The property of the other type whose inverse is this property.
    @inlinable
    public init<Inverse>(
        wrappedValue: Relation<Entity, Directionality, Cardinality, Constraints>?, _ requirement: Relations.Requirement,
        deleteRule: Relations.DeleteRule = .nullify, inverse: @autoclosure () -> KeyPath<Entity, Inverse?>
    ) {
        self.init(relation: wrappedValue)
    }
}

extension Relationship
where
    Directionality == Relations.Mutual, Cardinality == Relations.ToMany<Entity>,
    Constraints == Relations.Optional
{
    /// Declares a mutual to-many relation.
    ///
    /// - Parameters:
    ///   - deleteRule: The rule for the targets when the owner is deleted.
    ///   - inverse: The property of the other type whose inverse is this property.
    @inlinable
    public init<Inverse>(
        deleteRule: Relations.DeleteRule = .nullify, inverse: @autoclosure () -> KeyPath<Entity, Inverse?>
    ) {
        self.init(relation: nil)
    }

    /// Declares a mutual to-many relation with an initial value.
    ///
    /// - Parameters:
    ///   - wrappedValue: The relation of new entities.
    ///   - deleteRule: The rule for the targets when the owner is deleted.
    ///   - inverse: The property of the other type whose inverse is this property.
    @inlinable
    public init<Inverse>(
        wrappedValue: Relation<Entity, Directionality, Cardinality, Constraints>?,
        deleteRule: Relations.DeleteRule = .nullify, inverse: @autoclosure () -> KeyPath<Entity, Inverse?>
    ) {
        self.init(relation: wrappedValue)
    }
}
