// Saving and deleting an entity, as methods of the entity.

import TroveCoding

extension EntityModelProtocol {
    /// Saves the entity, the entities inside its relations, and the links: all of it or nothing.
    ///
    /// ```swift
    /// try Chat(id: "1", users: .relation([bob, alice]), admins: .ids(["1"])).save(to: store)
    /// ```
    ///
    /// A relation that is ``Relation/none`` keeps its stored links.
    ///
    /// - Parameters:
    ///   - destination: The context of a write transaction, or a store.
    ///   - strategy: The combination with the stored entity. By default, the type's own strategy. The entities inside
    ///     the relations are combined by the strategies of their types.
    /// - Throws: ``StoreError/EntityError/graphTooDeep(type:key:limit:)``,
    ///   ``StoreError/EntityError/linkTooLarge(relation:key:size:limit:)``,
    ///   ``StoreError/EntityError/hooksTooDeep(type:key:limit:)``, the errors of
    ///   ``RecordWritable/insert(_:onConflict:)``, and the errors of hooks. Nothing of the graph is then stored.
    /// - Complexity: O(*m* log *n*) for *m* entities and links of the graph.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func save(to destination: some RecordWritable, merging strategy: MergeStrategy<Self> = .default) throws {
        try destination.writingStatement { context in
            _ = try context.save(self, strategy)
        }
    }

    /// The async form of ``save(to:merging:)-(RecordWritable,_)``. Saves of many tasks share a commit.
    public func save(to store: Store, merging strategy: MergeStrategy<Self> = .default) async throws {
        try await store.write { context in
            context.isUndoneByErrors = true
            _ = try context.save(self, strategy)
        }
    }

    /// Deletes the entity by the delete rules of its relations.
    ///
    /// Links of other entities to the entity go too. If nothing is stored under its id, nothing happens.
    ///
    /// - Parameter destination: The context of a write transaction, or a store.
    /// - Throws: ``StoreError/EntityError/deleteDenied(type:key:relation:other:)``, and the errors of hooks. Nothing is
    ///   then deleted.
    /// - Complexity: O(*m* log *n*) for *m* deleted entities and links.
    @available(*, noasync, message: "await the call")
    public func delete(from destination: some RecordWritable) throws { _ = try destination.delete(self) }

    /// The async form of ``delete(from:)-(RecordWritable)``.
    public func delete(from store: Store) async throws { _ = try await store.delete(self) }

    /// Deletes the entity with an id by the delete rules of its relations.
    ///
    /// - Parameters:
    ///   - id: The id.
    ///   - destination: The context of a write transaction, or a store.
    /// - Returns: Whether the entity was stored.
    /// - Throws: ``StoreError/EntityError/deleteDenied(type:key:relation:other:)``, and the errors of hooks. Nothing is
    ///   then deleted.
    @available(*, noasync, message: "await the call")
    @discardableResult
    public static func delete(id: ID, from destination: some RecordWritable) throws -> Bool {
        try destination.delete(Self.self, key: id)
    }

    /// The async form of ``delete(id:from:)-(_,RecordWritable)``.
    @discardableResult
    public static func delete(id: ID, from store: Store) async throws -> Bool where ID: Sendable {
        try await store.delete(Self.self, key: id)
    }
}

extension Sequence where Element: EntityModelProtocol {
    /// Saves the entities in their order: all of them or nothing.
    ///
    /// - Parameters:
    ///   - destination: The context of a write transaction, or a store.
    ///   - strategy: The combination with the stored entities. By default, the type's own strategy.
    /// - Throws: The errors of saving an entity.
    @available(*, noasync, message: "await the call")
    public func save(to destination: some RecordWritable, merging strategy: MergeStrategy<Element> = .default) throws {
        try destination.writingStatement { context in
            try context.statement { context in
                for entity in self { _ = try context.save(entity, strategy) }
            }
        }
    }
}

extension Sequence where Self: Sendable, Element: EntityModelProtocol {
    /// The async form of ``save(to:merging:)-(RecordWritable,_)``.
    public func save(to store: Store, merging strategy: MergeStrategy<Element> = .default) async throws {
        try await store.write { try self.save(to: $0, merging: strategy) }
    }
}
