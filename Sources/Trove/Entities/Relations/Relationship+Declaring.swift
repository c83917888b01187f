// The arguments of `@Relationship`. The inverse is a closure that never runs: the compiler checks its type, and creating
// an entity does not create key paths.

// MARK: One-way relations

extension Relationship where Directionality == Relations.OneWay, Constraints == Relations.Optional {
    /// Declares a one-way relation.
    ///
    /// - Parameters:
    ///   - wrappedValue: The relation of new entities.
    ///   - deleteRule: What happens to the targets when the owner is deleted.
    @inlinable
    public init(
        wrappedValue: Relation<Entity, Directionality, Cardinality, Constraints>?,
        deleteRule: Relations.DeleteRule = .nullify
    ) {
        self.init(relation: wrappedValue)
    }

    /// Declares a one-way relation.
    ///
    /// - Parameter deleteRule: What happens to the targets when the owner is deleted.
    @inlinable
    public init(deleteRule: Relations.DeleteRule = .nullify) { self.init(relation: nil) }
}

extension Relationship where Directionality == Relations.OneWay, Constraints == Relations.Required {
    /// Declares a one-way relation that cannot be set to null.
    ///
    /// - Parameters:
    ///   - wrappedValue: The relation of new entities.
    ///   - requirement: `.required`.
    ///   - deleteRule: What happens to the target when the owner is deleted.
    @inlinable
    public init(
        wrappedValue: Relation<Entity, Directionality, Cardinality, Constraints>?,
        _ requirement: Relations.Requirement, deleteRule: Relations.DeleteRule = .nullify
    ) where Cardinality == Relations.ToOne<Entity> {
        self.init(relation: wrappedValue)
    }

    /// Declares a one-way relation that cannot be set to null.
    ///
    /// - Parameters:
    ///   - requirement: `.required`.
    ///   - deleteRule: What happens to the target when the owner is deleted.
    @inlinable
    public init(_ requirement: Relations.Requirement, deleteRule: Relations.DeleteRule = .nullify)
    where Cardinality == Relations.ToOne<Entity> {
        self.init(relation: nil)
    }
}

// MARK: Mutual relations

extension Relationship where Directionality == Relations.Mutual, Constraints == Relations.Optional {
    /// Declares a mutual relation.
    ///
    /// - Parameters:
    ///   - wrappedValue: The relation of new entities.
    ///   - deleteRule: What happens to the targets when the owner is deleted.
    ///   - inverse: The property of the other type whose inverse is this property.
    @inlinable
    public init<Inverse>(
        wrappedValue: Relation<Entity, Directionality, Cardinality, Constraints>?,
        deleteRule: Relations.DeleteRule = .nullify, inverse: @autoclosure () -> KeyPath<Entity, Inverse?>
    ) {
        self.init(relation: wrappedValue)
    }

    /// Declares a mutual relation.
    ///
    /// - Parameters:
    ///   - deleteRule: What happens to the targets when the owner is deleted.
    ///   - inverse: The property of the other type whose inverse is this property.
    @inlinable
    public init<Inverse>(
        deleteRule: Relations.DeleteRule = .nullify, inverse: @autoclosure () -> KeyPath<Entity, Inverse?>
    ) {
        self.init(relation: nil)
    }
}

extension Relationship where Directionality == Relations.Mutual, Constraints == Relations.Required {
    /// Declares a mutual relation that cannot be set to null.
    ///
    /// - Parameters:
    ///   - wrappedValue: The relation of new entities.
    ///   - requirement: `.required`.
    ///   - deleteRule: What happens to the target when the owner is deleted.
    ///   - inverse: The property of the other type whose inverse is this property.
    @inlinable
    public init<Inverse>(
        wrappedValue: Relation<Entity, Directionality, Cardinality, Constraints>?,
        _ requirement: Relations.Requirement, deleteRule: Relations.DeleteRule = .nullify,
        inverse: @autoclosure () -> KeyPath<Entity, Inverse?>
    ) where Cardinality == Relations.ToOne<Entity> {
        self.init(relation: wrappedValue)
    }

    /// Declares a mutual relation that cannot be set to null.
    ///
    /// - Parameters:
    ///   - requirement: `.required`.
    ///   - deleteRule: What happens to the target when the owner is deleted.
    ///   - inverse: The property of the other type whose inverse is this property.
    @inlinable
    public init<Inverse>(
        _ requirement: Relations.Requirement, deleteRule: Relations.DeleteRule = .nullify,
        inverse: @autoclosure () -> KeyPath<Entity, Inverse?>
    ) where Cardinality == Relations.ToOne<Entity> {
        self.init(relation: nil)
    }
}
