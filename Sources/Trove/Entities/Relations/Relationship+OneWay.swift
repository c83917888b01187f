// The arguments of `@Relationship`: relations that only one type declares.

extension Relationship
where
    Directionality == Relations.OneWay, Cardinality == Relations.ToOne<Entity>,
    Constraints == Relations.Optional
{
    /// Declares a one-way to-one relation.
    ///
    /// - Parameter deleteRule: The rule for the target when the owner is deleted.
    @inlinable
    public init(deleteRule: Relations.DeleteRule = .nullify) {
        self.init(relation: nil)
    }

    /// Declares a one-way to-one relation with an initial value.
    ///
    /// - Parameters:
    ///   - wrappedValue: The relation of new entities.
    ///   - deleteRule: The rule for the target when the owner is deleted.
    @inlinable
    public init(
        wrappedValue: Relation<Entity, Directionality, Cardinality, Constraints>?,
        deleteRule: Relations.DeleteRule = .nullify
    ) {
        self.init(relation: wrappedValue)
    }
}

extension Relationship
where
    Directionality == Relations.OneWay, Cardinality == Relations.ToOne<Entity>,
    Constraints == Relations.Required
{
    /// Declares a one-way required to-one relation.
    ///
    /// - Parameters:
    ///   - requirement: `.required`: the relation cannot be set to null.
    ///   - deleteRule: The rule for the target when the owner is deleted.
    @inlinable
    public init(_ requirement: Relations.Requirement, deleteRule: Relations.DeleteRule = .nullify) {
        self.init(relation: nil)
    }

    /// Declares a one-way required to-one relation with an initial value.
    ///
    /// - Parameters:
    ///   - wrappedValue: The relation of new entities.
    ///   - requirement: `.required`: the relation cannot be set to null.
    ///   - deleteRule: The rule for the target when the owner is deleted.
    @inlinable
    public init(
        wrappedValue: Relation<Entity, Directionality, Cardinality, Constraints>?, _ requirement: Relations.Requirement,
        deleteRule: Relations.DeleteRule = .nullify
    ) {
        self.init(relation: wrappedValue)
    }
}

extension Relationship
where
    Directionality == Relations.OneWay, Cardinality == Relations.ToMany<Entity>,
    Constraints == Relations.Optional
{
    /// Declares a one-way to-many relation.
    ///
    /// - Parameter deleteRule: The rule for the targets when the owner is deleted.
    @inlinable
    public init(deleteRule: Relations.DeleteRule = .nullify) {
        self.init(relation: nil)
    }

    /// Declares a one-way to-many relation with an initial value.
    ///
    /// - Parameters:
    ///   - wrappedValue: The relation of new entities.
    ///   - deleteRule: The rule for the targets when the owner is deleted.
    @inlinable
    public init(
        wrappedValue: Relation<Entity, Directionality, Cardinality, Constraints>?,
        deleteRule: Relations.DeleteRule = .nullify
    ) {
        self.init(relation: wrappedValue)
    }
}
