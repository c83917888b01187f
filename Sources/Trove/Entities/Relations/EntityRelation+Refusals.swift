// Relations that do not compile: for each mistake, the compiler has a single error with the declaration to write.

extension EntityRelation {
    /// Does not exist: the inverse has no inverse.
    @_disfavoredOverload
    @available(*, unavailable, message: "the inverse is declared one-way: give it an inverse too")
    public static func mutual<Key: RelationKey, Target, Cardinality, Constraints>(
        _ key: Key.Type, property: String, inverse: String,
        at path: WritableKeyPath<Owner, MutualRelation<Target, Cardinality, Constraints>>,
        value: PartialKeyPath<Owner>? = nil,
        get: @escaping @Sendable (borrowing Owner) -> MutualRelation<Target, Cardinality, Constraints>,
        set: @escaping @Sendable (inout Owner, MutualRelation<Target, Cardinality, Constraints>) -> Void,
        storedAs name: String? = nil, renamedFrom oldNames: [String] = [],
        deleteRule: Relations.DeleteRule = .nullify
    ) -> Self where Key.OwnerEntity == Owner, Key.InverseKey.InverseKey == NoInverse {
        Self(
            property, inverse: inverse, at: path, value: value, get: get, set: set, storedAs: name,
            renamedFrom: oldNames, deleteRule: deleteRule)
    }

    /// Does not exist: the target does not declare the inverse.
    @_disfavoredOverload
    @available(
        *, unavailable,
        message:
            "the inverse is not a relation of the target: declare it there, with '@Relationship(inverse:)' and this property as its inverse"
    )
    public static func mutual<Key: RelationKey, Target, Cardinality, Constraints>(
        _ key: Key.Type, property: String, inverse: String,
        at path: WritableKeyPath<Owner, MutualRelation<Target, Cardinality, Constraints>>,
        value: PartialKeyPath<Owner>? = nil,
        get: @escaping @Sendable (borrowing Owner) -> MutualRelation<Target, Cardinality, Constraints>,
        set: @escaping @Sendable (inout Owner, MutualRelation<Target, Cardinality, Constraints>) -> Void,
        storedAs name: String? = nil, renamedFrom oldNames: [String] = [],
        deleteRule: Relations.DeleteRule = .nullify
    ) -> Self where Key.OwnerEntity == Owner, Key.InverseKey == MissingInverse {
        Self(
            property, inverse: inverse, at: path, value: value, get: get, set: set, storedAs: name,
            renamedFrom: oldNames, deleteRule: deleteRule)
    }

    /// Does not exist: the inverse names another relation as its inverse.
    @_disfavoredOverload
    @available(
        *, unavailable,
        message:
            "the inverse has another inverse: both relations must name each other, each with '@Relationship(inverse:)'"
    )
    public static func mutual<Key: RelationKey, Target, Cardinality, Constraints>(
        _ key: Key.Type, property: String, inverse: String,
        at path: WritableKeyPath<Owner, MutualRelation<Target, Cardinality, Constraints>>,
        value: PartialKeyPath<Owner>? = nil,
        get: @escaping @Sendable (borrowing Owner) -> MutualRelation<Target, Cardinality, Constraints>,
        set: @escaping @Sendable (inout Owner, MutualRelation<Target, Cardinality, Constraints>) -> Void,
        storedAs name: String? = nil, renamedFrom oldNames: [String] = [],
        deleteRule: Relations.DeleteRule = .nullify
    ) -> Self where Key.OwnerEntity == Owner {
        Self(
            property, inverse: inverse, at: path, value: value, get: get, set: set, storedAs: name,
            renamedFrom: oldNames, deleteRule: deleteRule)
    }

    /// Declares a property whose type is not an entity: the property itself does not compile.
    @_disfavoredOverload
    public static func oneWay<Key: RelationKey, Wrapped, Constraints>(
        _ key: Key.Type, property: String,
        at path: WritableKeyPath<Owner, OneWayRelation<NoEntity, Relations.NoTargets<Wrapped>, Constraints>>,
        value: PartialKeyPath<Owner>? = nil,
        get:
            @escaping @Sendable (borrowing Owner) -> OneWayRelation<NoEntity, Relations.NoTargets<Wrapped>, Constraints>,
        set:
            @escaping @Sendable (inout Owner, OneWayRelation<NoEntity, Relations.NoTargets<Wrapped>, Constraints>) ->
            Void,
        storedAs name: String? = nil, renamedFrom oldNames: [String] = [],
        deleteRule: Relations.DeleteRule = .nullify
    ) -> Self where Key.OwnerEntity == Owner {
        Self(
            property, inverse: nil, at: path, value: value, get: get, set: set, storedAs: name, renamedFrom: oldNames,
            deleteRule: deleteRule)
    }

    /// Declares a property whose type is not an entity: the property itself does not compile.
    @_disfavoredOverload
    public static func mutual<Key: RelationKey, Wrapped, Constraints>(
        _ key: Key.Type, property: String, inverse: String,
        at path: WritableKeyPath<Owner, MutualRelation<NoEntity, Relations.NoTargets<Wrapped>, Constraints>>,
        value: PartialKeyPath<Owner>? = nil,
        get:
            @escaping @Sendable (borrowing Owner) -> MutualRelation<NoEntity, Relations.NoTargets<Wrapped>, Constraints>,
        set:
            @escaping @Sendable (inout Owner, MutualRelation<NoEntity, Relations.NoTargets<Wrapped>, Constraints>) ->
            Void,
        storedAs name: String? = nil, renamedFrom oldNames: [String] = [],
        deleteRule: Relations.DeleteRule = .nullify
    ) -> Self where Key.OwnerEntity == Owner {
        Self(
            property, inverse: inverse, at: path, value: value, get: get, set: set, storedAs: name,
            renamedFrom: oldNames, deleteRule: deleteRule)
    }
}
