// The arguments of `@Relationship` that do not compile, so that each mistake has a single error with the correction.

// MARK: Inverses that do not exist

// The wrapper accepts an inverse of any name. The list of relations, in the code of the macro, then refuses it: there
// the compiler knows whether the target declares it.

extension Relationship
where
    Directionality == Relations.Mutual, Cardinality == Relations.ToOne<Entity>, Constraints == Relations.Optional
{
    /// Declares a relation whose inverse the target does not declare: the code of the macro does not compile.
    @_disfavoredOverload
    public init(
        deleteRule: Relations.DeleteRule = .nullify,
        inverse: @autoclosure () -> KeyPath<AnyNames, Never>
    ) {
        self.init(relation: nil)
    }

    /// Declares a relation whose inverse the target does not declare: the code of the macro does not compile.
    @_disfavoredOverload
    public init(
        wrappedValue: Relation<Entity, Directionality, Cardinality, Constraints>?,
        deleteRule: Relations.DeleteRule = .nullify, inverse: @autoclosure () -> KeyPath<AnyNames, Never>
    ) {
        self.init(relation: wrappedValue)
    }
}

extension Relationship
where
    Directionality == Relations.Mutual, Cardinality == Relations.ToOne<Entity>, Constraints == Relations.Required
{
    /// Declares a relation whose inverse the target does not declare: the code of the macro does not compile.
    @_disfavoredOverload
    public init(
        _ requirement: Relations.Requirement, deleteRule: Relations.DeleteRule = .nullify,
        inverse: @autoclosure () -> KeyPath<AnyNames, Never>
    ) {
        self.init(relation: nil)
    }

    /// Declares a relation whose inverse the target does not declare: the code of the macro does not compile.
    @_disfavoredOverload
    public init(
        wrappedValue: Relation<Entity, Directionality, Cardinality, Constraints>?, _ requirement: Relations.Requirement,
        deleteRule: Relations.DeleteRule = .nullify, inverse: @autoclosure () -> KeyPath<AnyNames, Never>
    ) {
        self.init(relation: wrappedValue)
    }
}

extension Relationship
where
    Directionality == Relations.Mutual, Cardinality == Relations.ToMany<Entity>, Constraints == Relations.Optional
{
    /// Declares a relation whose inverse the target does not declare: the code of the macro does not compile.
    @_disfavoredOverload
    public init(
        deleteRule: Relations.DeleteRule = .nullify,
        inverse: @autoclosure () -> KeyPath<AnyNames, Never>
    ) {
        self.init(relation: nil)
    }

    /// Declares a relation whose inverse the target does not declare: the code of the macro does not compile.
    @_disfavoredOverload
    public init(
        wrappedValue: Relation<Entity, Directionality, Cardinality, Constraints>?,
        deleteRule: Relations.DeleteRule = .nullify, inverse: @autoclosure () -> KeyPath<AnyNames, Never>
    ) {
        self.init(relation: wrappedValue)
    }
}

// MARK: Targets that are not entities

extension Relationship
where
    Directionality == Relations.OneWay, Entity == NoEntity, Cardinality == Relations.NoTargets<Value>,
    Constraints == Relations.Optional
{
    /// Does not exist: the type of the property is not an entity.
    @_disfavoredOverload
    @available(
        *, unavailable,
        message:
            "a relation leads to entities: its type must be 'X?' or '[X]?', where X is declared with '@EntityModel'"
    )
    public init(
        _ requirement: Relations.Requirement? = nil, deleteRule: Relations.DeleteRule = .nullify
    ) {
        self.init(relation: nil)
    }

    /// Does not exist: the type of the property is not an entity.
    @_disfavoredOverload
    @available(
        *, unavailable,
        message:
            "a relation leads to entities: its type must be 'X?' or '[X]?', where X is declared with '@EntityModel'"
    )
    public init(
        wrappedValue: Relation<Entity, Directionality, Cardinality, Constraints>?,
        _ requirement: Relations.Requirement? = nil, deleteRule: Relations.DeleteRule = .nullify
    ) {
        self.init(relation: wrappedValue)
    }
}

extension Relationship
where
    Directionality == Relations.Mutual, Entity == NoEntity, Cardinality == Relations.NoTargets<Value>,
    Constraints == Relations.Optional
{
    /// Does not exist: the type of the property is not an entity.
    @_disfavoredOverload
    @available(
        *, unavailable,
        message:
            "a relation leads to entities: its type must be 'X?' or '[X]?', where X is declared with '@EntityModel'"
    )
    public init(
        _ requirement: Relations.Requirement? = nil, deleteRule: Relations.DeleteRule = .nullify,
        inverse: @autoclosure () -> KeyPath<AnyNames, Never>
    ) {
        self.init(relation: nil)
    }

    /// Does not exist: the type of the property is not an entity.
    @_disfavoredOverload
    @available(
        *, unavailable,
        message:
            "a relation leads to entities: its type must be 'X?' or '[X]?', where X is declared with '@EntityModel'"
    )
    public init<Inverse>(
        _ requirement: Relations.Requirement? = nil, deleteRule: Relations.DeleteRule = .nullify,
        inverse: @autoclosure () -> KeyPath<Value, Inverse?>
    ) {
        self.init(relation: nil)
    }
}
