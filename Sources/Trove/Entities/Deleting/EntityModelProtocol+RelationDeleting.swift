// Statements that delete the targets of a single relation of an entity.

import LMDB
import TroveCoding

extension EntityModelProtocol {
    /// Deletes the entities that a relation leads to, each by its own delete rules, and the links.
    ///
    /// The statement removes the links of a mutual relation to this entity before its end, so a rule
    /// ``Relations/DeleteRule/deny`` of the inverse does not keep the entities. It is as if the
    /// entities were detached first.
    ///
    /// ```swift
    /// try message.delete(\.$attachment, from: store)
    /// ```
    ///
    /// - Parameters:
    ///   - relation: The relation, such as `\.$attachment`.
    ///   - destination: The context of a write transaction, or a store.
    /// - Throws: The errors of ``delete(from:)-(RecordWritable)``. Nothing is then deleted.
    @available(*, noasync, message: "await the call")
    public func delete<Target, Directionality, Cardinality, Constraints>(
        _ relation: KeyPath<Self, Relation<Target, Directionality, Cardinality, Constraints>>,
        from destination: some RecordWritable
    ) throws {
        try Self.deleteTargets(relation, of: id, nil as [Target.ID]?, from: destination)
    }

    /// Deletes some of the entities that a relation leads to, each by its own delete rules, and their links.
    ///
    /// The statement removes the links of a mutual relation to this entity before its end, so a rule
    /// ``Relations/DeleteRule/deny`` of the inverse does not keep the entities. It is as if the
    /// entities were detached first.
    ///
    /// - Parameters:
    ///   - relation: The relation, such as `\.$messages`.
    ///   - ids: The entities to delete. Entities that are not linked are ignored.
    ///   - destination: The context of a write transaction, or a store.
    /// - Throws: The errors of ``delete(from:)-(RecordWritable)``. Nothing is then deleted.
    @available(*, noasync, message: "await the call")
    public func delete<Target, Directionality, Cardinality, Constraints>(
        _ relation: KeyPath<Self, Relation<Target, Directionality, Cardinality, Constraints>>, ids: [Target.ID],
        from destination: some RecordWritable
    ) throws {
        try Self.deleteTargets(relation, of: id, ids, from: destination)
    }

    /// The async form of `delete(_:from:)`. The statements of many tasks share a commit.
    public func delete<Target, Directionality, Cardinality, Constraints>(
        _ relation: KeyPath<Self, Relation<Target, Directionality, Cardinality, Constraints>> & Sendable,
        from store: Store
    ) async throws {
        try await store.write { try delete(relation, from: $0) }
    }

    /// The async form of `delete(_:ids:from:)`. The statements of many tasks share a commit.
    public func delete<Target, Directionality, Cardinality, Constraints>(
        _ relation: KeyPath<Self, Relation<Target, Directionality, Cardinality, Constraints>> & Sendable,
        ids: [Target.ID], from store: Store
    ) async throws {
        try await store.write { try delete(relation, ids: ids, from: $0) }
    }
}

// MARK: The work

extension EntityModelProtocol {
    private static func deleteTargets<TargetID: KeyComponent>(
        _ path: AnyKeyPath, of id: ID, _ ids: [TargetID]?, from destination: some RecordWritable
    ) throws {
        let relation = try relation(at: path).declared
        let key = KeyWriter.bytes(of: id)
        let wanted = ids.map { KeyList($0) }
        try destination.writingStatement { context in
            try context.statement { context in
                let targets = try context.targets(of: key, relation, among: wanted)
                for target in targets { _ = try relation.description.target.delete(target, in: context) }
                try context.removeLinks(relation, of: key, to: targets)
            }
        }
    }
}

extension TransactionContext {
    /// Returns the keys of an entity's targets in a relation.
    ///
    /// - Parameter wanted: The keys of the targets to return, if they are linked; nil for all of them. Each is looked
    ///   up, however many links the entity has.
    fileprivate func targets(of key: [UInt8], _ relation: DeclaredRelation, among wanted: KeyList?) throws -> [[UInt8]]
    {
        try translatingErrors {
            guard let (links, side) = try linkWriter(of: relation) else { return [] }
            guard let wanted else { return try links.links.targets(of: key, side) }
            return try KeyPlaces(wanted, wanted.startIndex..<wanted.endIndex).distinct.compactMap { index in
                let target = Array(wanted[index])
                // No link has a longer key.
                guard key.count + target.count <= LinkWriter.sizeLimit else { return nil }
                return try links.links.holds(key, target, side) ? target : nil
            }
        }
    }
}
