// The names of relations as types. `@EntityModel` declares a key for each relation, so that the compiler can compare a
// relation with the inverse of its inverse.

/// The name of a relation, its owner, and its inverse, as a type.
///
/// `@EntityModel` declares the keys in the enum `RelationKeys` of the entity.
public protocol RelationKey: SendableMetatype {
    /// The type that declares the relation.
    associatedtype OwnerEntity
    /// The type of its targets.
    associatedtype TargetEntity
    /// The key of the relation that the target declares; ``NoInverse`` for a one-way relation.
    associatedtype InverseKey: RelationKey
}

/// The inverse of a one-way relation.
public enum NoInverse: RelationKey {
    /// None.
    public typealias OwnerEntity = Never
    /// None.
    public typealias TargetEntity = Never
    /// This type.
    public typealias InverseKey = NoInverse
}
