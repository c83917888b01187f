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
    /// The type keeps it by `@EntityModel(keepsMetadata: true)`: otherwise it is nil. An entity that was last saved
    /// without this option has no time either.
    ///
    /// - Parameters:
    ///   - source: A context, or a store.
    ///   - withNested: Whether the result is the latest time of this entity and of all entities inside its relations,
    ///     at any depth. Entities of types without times do not count.
    /// - Throws: ``StoreError``.
    /// - Complexity: O(*m* log *n*) for *m* entities.
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
    /// - Throws: ``StoreError``.
    /// - Complexity: O(log *n*) in the number of entities.
    @available(*, noasync, message: "await the call")
    public static func updatedAt(of id: ID, in source: some RecordReadable) throws -> Date? {
        guard entityOptions.keepsMetadata else { return nil }
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
        while let next = visitor.pending.popLast() { try next.visitEntities(&visitor) }
        return visitor.latest
    }

    private func visitEntities(_ visitor: inout UpdateVisitor) throws {
        for relation in Self.relations { _ = try relation.forEachEntity(of: self, from: 0, &visitor) }
    }
}

/// Finds the latest time of entities.
private struct UpdateVisitor: EntityVisitor {
    let context: ReadContext
    var latest: Date?
    /// The visited entities with entities inside their relations, which are still to be visited.
    var pending: [any EntityModelProtocol] = []

    init(_ context: ReadContext) { self.context = context }

    mutating func visit<Entity: EntityModelProtocol>(_ entity: Entity, isFragment: Bool) throws -> ScanControl {
        if let date = try Entity.updatedAt(of: entity.id, in: context) { latest = max(latest ?? date, date) }
        if !entity.isNormalized { pending.append(entity) }
        return .continue
    }
}
