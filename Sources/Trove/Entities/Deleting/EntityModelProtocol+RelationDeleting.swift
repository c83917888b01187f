// Statements that delete the targets of a single relation of an entity.
//
// A statement on a mutual relation names its inverse, so that a reader of the call sees both sides of the change.

import LMDB
import TroveCoding

// MARK: One-way relations

extension EntityModelProtocol {
    /// Deletes the entities that a one-way relation leads to, each by its own delete rules, and the links.
    ///
    /// - Parameters:
    ///   - relation: The relation, such as `\.$author`.
    ///   - destination: The context of a write transaction, or a store.
    /// - Throws: The errors of ``delete(from:)-(RecordWritable)``. Nothing is then deleted.
    @available(*, noasync, message: "await the call")
    public func delete<Target, Cardinality, Constraints>(
        _ relation: KeyPath<Self, OneWayRelation<Target, Cardinality, Constraints>>,
        from destination: some RecordWritable
    ) throws {
        try Self.deleteTargets(relation, of: id, nil as [Target.ID]?, from: destination)
    }

    /// Deletes some of the entities that a one-way relation leads to, each by its own delete rules, and their links.
    ///
    /// - Parameters:
    ///   - ids: The entities to delete. Entities that are not linked are ignored.
    ///   - relation: The relation, such as `\.$viewedBy`.
    ///   - destination: The context of a write transaction, or a store.
    /// - Throws: The errors of ``delete(from:)-(RecordWritable)``. Nothing is then deleted.
    @available(*, noasync, message: "await the call")
    public func delete<Target, Cardinality, Constraints>(
        _ ids: [Target.ID], relation: KeyPath<Self, OneWayRelation<Target, Cardinality, Constraints>>,
        from destination: some RecordWritable
    ) throws {
        try Self.deleteTargets(relation, of: id, ids, from: destination)
    }
}

// MARK: Mutual relations

extension EntityModelProtocol {
    /// Deletes the entities that a mutual relation leads to, each by its own delete rules, and the links.
    ///
    /// The statement removes their links to this entity before its end, so a rule
    /// ``Relations/DeleteRule/deny`` of the inverse does not keep them. It is as if they were detached first.
    ///
    /// - Parameters:
    ///   - relation: The relation, such as `\.$attachment`.
    ///   - inverse: The relation of the other type, such as `\.$message`.
    ///   - destination: The context of a write transaction, or a store.
    /// - Throws: The errors of ``delete(from:)-(RecordWritable)``. Nothing is then deleted.
    @available(*, noasync, message: "await the call")
    public func delete<Target, Cardinality, Constraints, InverseCardinality, InverseConstraints>(
        _ relation: KeyPath<Self, MutualRelation<Target, Cardinality, Constraints>>,
        inverse: KeyPath<Target, MutualRelation<Self, InverseCardinality, InverseConstraints>>,
        from destination: some RecordWritable
    ) throws {
        try Self.checkInverse(of: relation, inverse)
        try Self.deleteTargets(relation, of: id, nil as [Target.ID]?, from: destination)
    }

    /// Deletes some of the entities that a mutual relation leads to, each by its own delete rules, and their links.
    ///
    /// The statement removes their links to this entity before its end, so a rule
    /// ``Relations/DeleteRule/deny`` of the inverse does not keep them. It is as if they were detached first.
    ///
    /// - Parameters:
    ///   - ids: The entities to delete. Entities that are not linked are ignored.
    ///   - relation: The relation, such as `\.$messages`.
    ///   - inverse: The relation of the other type, such as `\.$chat`.
    ///   - destination: The context of a write transaction, or a store.
    /// - Throws: The errors of ``delete(from:)-(RecordWritable)``. Nothing is then deleted.
    @available(*, noasync, message: "await the call")
    public func delete<Target, Cardinality, Constraints, InverseCardinality, InverseConstraints>(
        _ ids: [Target.ID], relation: KeyPath<Self, MutualRelation<Target, Cardinality, Constraints>>,
        inverse: KeyPath<Target, MutualRelation<Self, InverseCardinality, InverseConstraints>>,
        from destination: some RecordWritable
    ) throws {
        try Self.checkInverse(of: relation, inverse)
        try Self.deleteTargets(relation, of: id, ids, from: destination)
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
