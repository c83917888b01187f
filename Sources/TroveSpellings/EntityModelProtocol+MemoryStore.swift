// Saving, detaching and deleting entities in a memory store.

import Trove

// MARK: Entities

extension EntityModelProtocol {
    /// Saves the entity in a memory store, with the entities inside its relations and the links: all of it or nothing.
    ///
    /// ```swift
    /// var context = MemoryStore()
    /// try chat.save(to: &context)
    /// ```
    ///
    /// - Parameters:
    ///   - context: The memory store.
    ///   - strategy: The combination with the stored entity. By default, the type's own strategy.
    /// - Throws: The errors of `save(to:options:)`. Nothing of the graph is then stored.
    public func save(to context: inout MemoryStore, options strategy: MergeStrategy<Self> = .default) throws {
        try context.writing { context in
            context.isUndoneByErrors = true
            try save(to: context, options: strategy)
        }
    }

    /// Deletes the entity in a memory store, by the delete rules of its relations.
    ///
    /// - Throws: The errors of `delete(from:)`. Nothing is then deleted.
    public func delete(from context: inout MemoryStore) throws { try context.delete(self) }

    /// Deletes the entity with an id in a memory store, by the delete rules of its relations.
    ///
    /// - Returns: Whether the entity was stored.
    /// - Throws: The errors of `delete(from:)`. Nothing is then deleted.
    @discardableResult
    public static func delete(id: ID, from context: inout MemoryStore) throws -> Bool {
        try context.delete(Self.self, key: id)
    }
}

extension Sequence where Element: EntityModelProtocol {
    /// Saves the entities in a memory store, in their order: all of them or nothing.
    ///
    /// - Throws: The errors of saving an entity.
    public func save(to context: inout MemoryStore, options strategy: MergeStrategy<Element> = .default) throws {
        try context.writing { try save(to: $0, options: strategy) }
    }
}

// MARK: One-way relations

extension EntityModelProtocol {
    /// The form of `save(_:to:)` for a memory store.
    public func save<Target, Cardinality, Constraints>(
        _ relation: KeyPath<Self, OneWayRelation<Target, Cardinality, Constraints>>, to context: inout MemoryStore
    ) throws {
        try context.writing { try save(relation, to: $0) }
    }

    /// The form of `detach(_:in:)` for a memory store.
    public func detach<Target, Cardinality, Constraints>(
        _ relation: KeyPath<Self, OneWayRelation<Target, Cardinality, Constraints>>, in context: inout MemoryStore,
        ignoringDamage: Bool = false
    ) throws {
        try context.writing { try detach(relation, in: $0, ignoringDamage: ignoringDamage) }
    }

    /// The form of `detach(_:relation:in:)` for a memory store.
    public func detach<Target, Cardinality, Constraints>(
        _ ids: [Target.ID],
        relation: KeyPath<Self, OneWayRelation<Target, Cardinality, Constraints>>,
        in context: inout MemoryStore,
        ignoringDamage: Bool = false
    ) throws {
        try context.writing { try detach(ids, relation: relation, in: $0, ignoringDamage: ignoringDamage) }
    }

    /// The form of `delete(_:from:)` for a memory store.
    public func delete<Target, Cardinality, Constraints>(
        _ relation: KeyPath<Self, OneWayRelation<Target, Cardinality, Constraints>>, from context: inout MemoryStore
    ) throws {
        try context.writing { try delete(relation, from: $0) }
    }

    /// The form of `delete(_:relation:from:)` for a memory store.
    public func delete<Target, Cardinality, Constraints>(
        _ ids: [Target.ID],
        relation: KeyPath<Self, OneWayRelation<Target, Cardinality, Constraints>>,
        from context: inout MemoryStore
    ) throws {
        try context.writing { try delete(ids, relation: relation, from: $0) }
    }
}

// MARK: Mutual relations

extension EntityModelProtocol {
    /// The form of `save(_:inverse:to:)` for a memory store.
    public func save<Target, Cardinality, Constraints, InverseCardinality, InverseConstraints>(
        _ relation: KeyPath<Self, MutualRelation<Target, Cardinality, Constraints>>,
        inverse: KeyPath<Target, MutualRelation<Self, InverseCardinality, InverseConstraints>>,
        to context: inout MemoryStore
    ) throws {
        try context.writing { try save(relation, inverse: inverse, to: $0) }
    }

    /// The form of `detach(_:inverse:in:)` for a memory store.
    public func detach<Target, Cardinality, Constraints, InverseCardinality, InverseConstraints>(
        _ relation: KeyPath<Self, MutualRelation<Target, Cardinality, Constraints>>,
        inverse: KeyPath<Target, MutualRelation<Self, InverseCardinality, InverseConstraints>>,
        in context: inout MemoryStore,
        ignoringDamage: Bool = false
    ) throws {
        try context.writing { try detach(relation, inverse: inverse, in: $0, ignoringDamage: ignoringDamage) }
    }

    /// The form of `detach(_:relation:inverse:in:)` for a memory store.
    public func detach<Target, Cardinality, Constraints, InverseCardinality, InverseConstraints>(
        _ ids: [Target.ID],
        relation: KeyPath<Self, MutualRelation<Target, Cardinality, Constraints>>,
        inverse: KeyPath<Target, MutualRelation<Self, InverseCardinality, InverseConstraints>>,
        in context: inout MemoryStore,
        ignoringDamage: Bool = false
    ) throws {
        try context.writing {
            try detach(ids, relation: relation, inverse: inverse, in: $0, ignoringDamage: ignoringDamage)
        }
    }

    /// The form of `delete(_:inverse:from:)` for a memory store.
    public func delete<Target, Cardinality, Constraints, InverseCardinality, InverseConstraints>(
        _ relation: KeyPath<Self, MutualRelation<Target, Cardinality, Constraints>>,
        inverse: KeyPath<Target, MutualRelation<Self, InverseCardinality, InverseConstraints>>,
        from context: inout MemoryStore
    ) throws {
        try context.writing { try delete(relation, inverse: inverse, from: $0) }
    }

    /// The form of `delete(_:relation:inverse:from:)` for a memory store.
    public func delete<Target, Cardinality, Constraints, InverseCardinality, InverseConstraints>(
        _ ids: [Target.ID],
        relation: KeyPath<Self, MutualRelation<Target, Cardinality, Constraints>>,
        inverse: KeyPath<Target, MutualRelation<Self, InverseCardinality, InverseConstraints>>,
        from context: inout MemoryStore
    ) throws {
        try context.writing { try delete(ids, relation: relation, inverse: inverse, from: $0) }
    }
}
