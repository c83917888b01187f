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
    /// - Throws: The errors of `save(to:merging:)`. Nothing of the graph is then stored.
    public func save(to context: inout MemoryStore, options strategy: MergeStrategy<Self> = .default) throws {
        try context.writing { context in
            context.isUndoneByErrors = true
            try save(to: context, merging: strategy)
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
        try context.writing { try save(to: $0, merging: strategy) }
    }
}

// MARK: Relations

extension EntityModelProtocol {
    /// The form of `save(_:to:)` for a memory store.
    ///
    /// - Parameter inverse: The relation of the other type. Another one throws, as does any inverse of a one-way
    ///   relation. By default, it is not checked.
    public func save<Target, Directionality, Cardinality, Constraints>(
        _ relation: KeyPath<Self, Relation<Target, Directionality, Cardinality, Constraints>>,
        inverse: PartialKeyPath<Target>? = nil, to context: inout MemoryStore
    ) throws {
        try context.writing { try save(relation, inverse: inverse, to: $0) }
    }

    /// The form of `detach(_:in:)` for a memory store.
    ///
    /// - Parameter inverse: The relation of the other type. Another one throws, as does any inverse of a one-way
    ///   relation. By default, it is not checked.
    public func detach<Target, Directionality, Cardinality, Constraints>(
        _ relation: KeyPath<Self, Relation<Target, Directionality, Cardinality, Constraints>>,
        inverse: PartialKeyPath<Target>? = nil, in context: inout MemoryStore, ignoringDamage: Bool = false
    ) throws {
        try context.writing { try detach(relation, inverse: inverse, in: $0, ignoringDamage: ignoringDamage) }
    }

    /// The form of `detach(_:ids:in:)` for a memory store.
    ///
    /// - Parameter inverse: The relation of the other type. Another one throws, as does any inverse of a one-way
    ///   relation. By default, it is not checked.
    public func detach<Target, Directionality, Cardinality, Constraints>(
        _ ids: [Target.ID], relation: KeyPath<Self, Relation<Target, Directionality, Cardinality, Constraints>>,
        inverse: PartialKeyPath<Target>? = nil, in context: inout MemoryStore, ignoringDamage: Bool = false
    ) throws {
        try context.writing {
            try detach(ids, relation: relation, inverse: inverse, in: $0, ignoringDamage: ignoringDamage)
        }
    }

    /// The form of `delete(_:from:)` for a memory store.
    ///
    /// - Parameter inverse: The relation of the other type. Another one throws, as does any inverse of a one-way
    ///   relation. By default, it is not checked.
    public func delete<Target, Directionality, Cardinality, Constraints>(
        _ relation: KeyPath<Self, Relation<Target, Directionality, Cardinality, Constraints>>,
        inverse: PartialKeyPath<Target>? = nil, from context: inout MemoryStore
    ) throws {
        try context.writing { try delete(relation, inverse: inverse, from: $0) }
    }

    /// The form of `delete(_:ids:from:)` for a memory store.
    ///
    /// - Parameter inverse: The relation of the other type. Another one throws, as does any inverse of a one-way
    ///   relation. By default, it is not checked.
    public func delete<Target, Directionality, Cardinality, Constraints>(
        _ ids: [Target.ID], relation: KeyPath<Self, Relation<Target, Directionality, Cardinality, Constraints>>,
        inverse: PartialKeyPath<Target>? = nil, from context: inout MemoryStore
    ) throws {
        try context.writing { try delete(ids, relation: relation, inverse: inverse, from: $0) }
    }
}
