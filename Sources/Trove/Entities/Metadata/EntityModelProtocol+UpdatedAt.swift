// The time of an entity's last save.

import TroveCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension EntityModelProtocol {
    /// Returns the time of the last save of the entity with this id; nil if it is not stored.
    ///
    /// ```swift
    /// let date = try chat.updatedAt(in: store, withNested: true)
    /// ```
    ///
    /// The type keeps it by `@EntityModel(keepsMetadata: true)`. An entity that was last saved without this option has
    /// no time.
    ///
    /// - Parameters:
    ///   - source: A context, or a store.
    ///   - withNested: Whether the result is the latest time of this entity and of all entities inside its relations,
    ///     at any depth. Entities of types without times do not count. If a relation of an entity occurs several times
    ///     in the graph, its first occurrence with entities counts.
    /// - Throws: ``StoreError/EntityError/notKept(type:option:)`` for the time of an entity alone, if its type keeps no
    ///   times.
    /// - Complexity: O(*m* log *n*) for *m* entities and links between them.
    @available(*, noasync, message: "await the call")
    public func updatedAt(in source: some RecordReadable, withNested: Bool = false) throws -> Date? {
        try source.reading { context in
            withNested ? try latestUpdate(in: context) : try Self.updatedAt(of: id, in: context)
        }
    }

    /// The async form of ``updatedAt(in:withNested:)-(RecordReadable,_)``.
    public func updatedAt(in store: Store, withNested: Bool = false) async throws -> Date? {
        try await store.read { try updatedAt(in: $0, withNested: withNested) }
    }

    /// Returns the time of the last save of the entity with an id; nil if it is not stored.
    ///
    /// - Parameters:
    ///   - id: The id.
    ///   - source: A context, or a store.
    /// - Throws: ``StoreError/EntityError/notKept(type:option:)`` if the type keeps no times.
    /// - Complexity: O(log *n*) in the number of entities.
    @available(*, noasync, message: "await the call")
    public static func updatedAt(of id: ID, in source: some RecordReadable) throws -> Date? {
        try EntityMetadata<Self>.schema.checkIsKept()
        return try source.get(EntityMetadata<Self>.self, key: id)?.updatedAt
    }

    /// The async form of ``updatedAt(of:in:)-(_,RecordReadable)``.
    public static func updatedAt(of id: ID, in store: Store) async throws -> Date? where ID: Sendable {
        try await store.read { try updatedAt(of: id, in: $0) }
    }

    /// Returns the latest time of the entity and of all entities inside its relations. The depth is not limited by the
    /// thread's stack.
    private func latestUpdate(in context: ReadContext) throws -> Date? {
        var visitor = UpdateVisitor(context)
        _ = try visitor.visit(self, isFragment: false)
        // The entities nearest to this one come first: in a graph that a query has read, they have the most relations.
        var next = 0
        while next < visitor.pending.count {
            let entity = visitor.pending[next]
            try entity.visitEntities(&visitor)
            next += 1
        }
        return visitor.latest
    }

    private func visitEntities(_ visitor: inout UpdateVisitor) throws {
        let key = KeyWriter.bytes(of: id)
        for (index, relation) in Self.relations.enumerated() {
            let place = UpdateVisitor.Place(keyPrefix: Self.schema.keyPrefix, key: key, relation: index)
            if visitor.visited.contains(place) { continue }
            let count = visitor.count
            _ = try relation.accessor.forEachEntity(of: self, from: 0, &visitor)
            if visitor.count > count { visitor.visited.insert(place) }
        }
    }
}

/// Finds the latest time of entities. The values of a graph can hold an entity on many paths: each entity is looked up
/// once, and each of its relations is followed once.
private struct UpdateVisitor: EntityVisitor {
    /// An entity, or one of its relations.
    struct Place: Hashable {
        var keyPrefix: UInt32
        var key: [UInt8]
        var relation: Int?
    }

    let context: ReadContext
    var latest: Date?
    /// The number of calls for an entity.
    var count = 0
    /// The entities looked up, and the relations with entities that were followed.
    var visited: Set<Place> = []
    /// The entities with relations, in the order of their visits.
    var pending: [any EntityModelProtocol] = []

    init(_ context: ReadContext) { self.context = context }

    mutating func visit<Entity: EntityModelProtocol>(_ entity: Entity, isFragment: Bool) throws -> ScanControl {
        count += 1
        if !entity.isNormalized { pending.append(entity) }
        guard Entity.entityOptions.keepsMetadata else { return .continue }
        let place = Place(keyPrefix: Entity.schema.keyPrefix, key: KeyWriter.bytes(of: entity.id))
        guard visited.insert(place).inserted else { return .continue }
        if let date = try Entity.updatedAt(of: entity.id, in: context) { latest = max(latest ?? date, date) }
        return .continue
    }
}
