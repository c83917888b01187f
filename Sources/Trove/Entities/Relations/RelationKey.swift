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

    /// The key of the inverse. The macro declares it in place of ``InverseKey``, which the compiler infers from it: an
    /// expression can name a relation that does not exist, and a type cannot.
    static var inverse: InverseKey.Type { get }
}

extension RelationKey {
    /// The key of the inverse, for a key that declares ``InverseKey``.
    public static var inverse: InverseKey.Type { InverseKey.self }
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

/// The inverse that the target of a relation does not declare. A relation with it does not compile.
public enum MissingInverse: RelationKey {
    /// None.
    public typealias OwnerEntity = Never
    /// None.
    public typealias TargetEntity = Never
    /// This type.
    public typealias InverseKey = MissingInverse
}

/// The keys of an entity's relations: the enum `RelationKeys` that `@EntityModel` declares.
///
/// Every other name is a ``MissingInverse``, so that the compiler's error has the declaration to write.
@dynamicMemberLookup
public protocol RelationNames {}

extension RelationNames {
    /// The key of a relation that the entity does not declare.
    public static subscript(dynamicMember name: String) -> MissingInverse.Type { MissingInverse.self }
}
