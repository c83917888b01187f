// Relations that are named without `$`. The compiler answers that a relation is named with it.

import TroveCoding

extension GraphShaping where Record: EntityModelProtocol {
    /// Does not exist: the key path is that of the property, and not of the relation.
    @_disfavoredOverload
    @available(*, unavailable, message: "name the relation with '$': 'with(\\.$folder)' for the property 'folder'")
    public func with<Target: EntityModelProtocol>(
        _ property: KeyPath<Record, Target?>,
        nested: (NestedRecordQuery<Target>) -> NestedRecordQuery<Target> = { $0 }
    ) -> Query<Record> {
        Query()
    }

    /// Does not exist: the key path is that of the property, and not of the relation.
    @_disfavoredOverload
    @available(*, unavailable, message: "name the relation with '$': 'with(\\.$notes)' for the property 'notes'")
    public func with<Target: EntityModelProtocol>(
        _ property: KeyPath<Record, [Target]?>, nested: (Query<Target>) -> Query<Target> = { $0 }
    ) -> Query<Record> {
        Query()
    }

    /// Does not exist: the key path is that of the property, and not of the relation.
    @_disfavoredOverload
    @available(*, unavailable, message: "name the relation with '$': 'with(slice: \\.$notes)' for the property 'notes'")
    public func with<Target: EntityModelProtocol>(
        slice property: KeyPath<Record, [Target]?>, nested: (Query<Target>) -> Query<Target> = { $0 }
    ) -> Query<Record> {
        Query()
    }

    /// Does not exist: the key path is that of the property, and not of the relation.
    @_disfavoredOverload
    @available(*, unavailable, message: "name the relation with '$': 'fragment(\\.$folder)' for the property 'folder'")
    public func fragment<Target: EntityModelProtocol>(
        _ property: KeyPath<Record, Target?>,
        nested: (NestedRecordQuery<Target>) -> NestedRecordQuery<Target> = { $0 }
    ) -> Query<Record> {
        Query()
    }

    /// Does not exist: the key path is that of the property, and not of the relation.
    @_disfavoredOverload
    @available(*, unavailable, message: "name the relation with '$': 'fragment(\\.$notes)' for the property 'notes'")
    public func fragment<Target: EntityModelProtocol>(
        _ property: KeyPath<Record, [Target]?>, nested: (Query<Target>) -> Query<Target> = { $0 }
    ) -> Query<Record> {
        Query()
    }

    /// Does not exist: the key path is that of the property, and not of the relation.
    @_disfavoredOverload
    @available(
        *, unavailable, message: "name the relation with '$': 'fragment(slice: \\.$notes)' for the property 'notes'"
    )
    public func fragment<Target: EntityModelProtocol>(
        slice property: KeyPath<Record, [Target]?>, nested: (Query<Target>) -> Query<Target> = { $0 }
    ) -> Query<Record> {
        Query()
    }

    /// Does not exist: the key path is that of the property, and not of the relation.
    @_disfavoredOverload
    @available(*, unavailable, message: "name the relation with '$': 'id(\\.$folder)' for the property 'folder'")
    public func id<Value>(_ property: KeyPath<Record, Value>) -> Query<Record> { Query() }

    /// Does not exist: the key path is that of the property, and not of the relation.
    @_disfavoredOverload
    @available(*, unavailable, message: "name the relation with '$': 'id(slice: \\.$notes)' for the property 'notes'")
    public func id<Value>(slice property: KeyPath<Record, Value>) -> Query<Record> { Query() }

    /// Does not exist: the key path is that of the property, and not of the relation.
    @_disfavoredOverload
    @available(*, unavailable, message: "name the relation with '$': 'without(\\.$folder)' for the property 'folder'")
    public func without<Value>(_ property: KeyPath<Record, Value>) -> Query<Record> { Query() }

    /// Does not exist: the key path is that of the property, and not of the relation.
    @_disfavoredOverload
    @available(*, unavailable, message: "name the relation with '$': 'related(\\.$folder)' for the property 'folder'")
    public func related<Target: EntityModelProtocol>(_ property: KeyPath<Record, Target?>) -> Query<Target> { Query() }

    /// Does not exist: the key path is that of the property, and not of the relation.
    @_disfavoredOverload
    @available(*, unavailable, message: "name the relation with '$': 'related(\\.$notes)' for the property 'notes'")
    public func related<Target: EntityModelProtocol>(_ property: KeyPath<Record, [Target]?>) -> Query<Target> {
        Query()
    }
}

extension EntityModelProtocol {
    /// Does not exist: a query of the entity finds its related entities.
    @available(*, unavailable, message: "write 'folder.query().related(\\.$notes)'")
    public func related<Value>(_ property: KeyPath<Self, Value>) -> Query<Self> { Query() }
}

extension Live where Record: EntityModelProtocol {
    /// Does not exist: the key path is that of the property, and not of the relation.
    @_disfavoredOverload
    @available(*, unavailable, message: "name the relation with '$': 'related(\\.$folder)' for the property 'folder'")
    public func related<Target: EntityModelProtocol>(
        _ property: KeyPath<Record, Target?>
    ) -> Bound<Query<Target>, Store> {
        Bound(Query(), in: store)
    }

    /// Does not exist: the key path is that of the property, and not of the relation.
    @_disfavoredOverload
    @available(*, unavailable, message: "name the relation with '$': 'related(\\.$notes)' for the property 'notes'")
    public func related<Target: EntityModelProtocol>(
        _ property: KeyPath<Record, [Target]?>
    ) -> Bound<Query<Target>, Store> {
        Bound(Query(), in: store)
    }
}

extension Filter where Record: EntityModelProtocol {
    /// Does not exist: the key path is that of the property, and not of the relation.
    @_disfavoredOverload
    @available(
        *, unavailable, message: "name the relation with '$': '.linked(\\.$folder, to: …)' for the property 'folder'"
    )
    public static func linked<Value, Targets>(_ property: KeyPath<Record, Value>, to targets: Targets) -> Filter {
        .everything
    }

    /// Does not exist: the key path is that of the property, and not of the relation.
    @_disfavoredOverload
    @available(*, unavailable, message: "name the relation with '$': '.hasNone(\\.$folder)' for the property 'folder'")
    public static func hasNone<Value>(_ property: KeyPath<Record, Value>) -> Filter { .everything }
}
