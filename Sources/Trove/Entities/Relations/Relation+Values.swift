// The values of a relation, as they are written in code: `.id("1")`, `.relation([user])`.

extension Relation {
    /// Unset: saving the owner keeps the stored links.
    @inlinable public static var none: Self { Self(.none) }
}

extension Relation where Cardinality == Relations.ToOne<Entity> {
    /// Links to the entity with an id, which need not be stored yet.
    @inlinable public static func id(_ id: Entity.ID) -> Self { Self(.id(id)) }

    /// Links to an entity, and saves it together with the owner.
    @inlinable public static func relation(_ entity: Entity) -> Self { Self(.entity(entity, isFragment: false)) }

    /// Links to an incomplete entity, and saves it by the fragment merge strategy of its type.
    @inlinable public static func fragment(_ entity: Entity) -> Self { Self(.entity(entity, isFragment: true)) }
}

extension Relation where Cardinality == Relations.ToOne<Entity>, Constraints == Relations.Optional {
    /// No target: saving the owner removes the stored link. The target itself stays.
    @inlinable public static var null: Self { Self(.null) }
}

extension Relation where Cardinality == Relations.ToMany<Entity> {
    /// Links to exactly the entities with these ids, in this order. They need not be stored yet. An id that occurs
    /// twice counts once, at its first place.
    @inlinable public static func ids(_ ids: [Entity.ID]) -> Self { Self(.ids(ids, isSlice: false)) }

    /// Links to exactly these entities, in this order, and saves them together with the owner.
    @inlinable public static func relation(_ entities: [Entity]) -> Self {
        Self(.entities(entities, isFragment: false, isSlice: false))
    }

    /// Links to exactly these incomplete entities, and saves them by the fragment merge strategy of their type.
    @inlinable public static func fragment(_ entities: [Entity]) -> Self {
        Self(.entities(entities, isFragment: true, isSlice: false))
    }

    /// Adds links to the entities with these ids at the end of the stored list. Linked entities stay at their place.
    @inlinable public static func appending(ids: [Entity.ID]) -> Self { Self(.ids(ids, isSlice: true)) }

    /// Adds links to these entities at the end of the stored list, and saves them together with the owner.
    @inlinable public static func appending(relation entities: [Entity]) -> Self {
        Self(.entities(entities, isFragment: false, isSlice: true))
    }

    /// Adds links to these incomplete entities, and saves them by the fragment merge strategy of their type.
    @inlinable public static func appending(fragment entities: [Entity]) -> Self {
        Self(.entities(entities, isFragment: true, isSlice: true))
    }
}

// MARK: Values that do not exist

extension Relation where Constraints == Relations.Required {
    /// Does not exist: a required relation has a target.
    @available(*, unavailable, message: "a required relation cannot be set to null")
    public static var null: Self { Self(.null) }
}

extension Relation where Cardinality == Relations.ToMany<Entity> {
    /// Does not exist: an empty list of ids removes all links of a to-many relation.
    @available(*, unavailable, message: "a to-many relation cannot be set to null; write '.ids([])' for an empty list")
    public static var null: Self { Self(.null) }
}
