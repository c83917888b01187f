// Statements about a single relation of an entity: saving, detaching and deleting its targets.
//
// Each statement on a mutual relation names its inverse, so that a reader of the call sees both sides of the change.

import TroveCoding

// MARK: One-way relations

extension EntityModelProtocol {
    /// Saves the entities inside a one-way relation, and its links. The entity itself is not saved.
    ///
    /// - Parameters:
    ///   - relation: The relation, such as `\.$author`.
    ///   - destination: The context of a write transaction, or a store.
    /// - Throws: The errors of ``save(to:options:)-(RecordWritable,_)``. Nothing is then stored.
    @available(*, noasync, message: "await the call")
    public func save<Target, Cardinality, Constraints>(
        _ relation: KeyPath<Self, OneWayRelation<Target, Cardinality, Constraints>>,
        to destination: some RecordWritable
    ) throws {
        try saveRelation(relation, to: destination)
    }

    /// Removes the links of a one-way relation. The entities at both ends stay.
    ///
    /// - Parameters:
    ///   - relation: The relation, such as `\.$author`.
    ///   - destination: The context of a write transaction, or a store.
    ///   - ignoringDamage: Whether a damaged link is removed as well. False to throw for it.
    /// - Throws: ``StoreError``, such as ``StoreError/checksumMismatch(type:key:)`` for a damaged link.
    @available(*, noasync, message: "await the call")
    public func detach<Target, Cardinality, Constraints>(
        _ relation: KeyPath<Self, OneWayRelation<Target, Cardinality, Constraints>>,
        in destination: some RecordWritable, ignoringDamage: Bool = false
    ) throws {
        try Self.detach(relation, of: id, nil as [Target.ID]?, in: destination, ignoringDamage)
    }

    /// Removes the links of a one-way relation to some entities. The entities at both ends stay.
    ///
    /// - Parameters:
    ///   - ids: The entities to detach. Entities that are not linked are ignored.
    ///   - relation: The relation, such as `\.$viewedBy`.
    ///   - destination: The context of a write transaction, or a store.
    ///   - ignoringDamage: Whether a damaged link is removed as well. False to throw for it.
    /// - Throws: ``StoreError``, such as ``StoreError/checksumMismatch(type:key:)`` for a damaged link.
    @available(*, noasync, message: "await the call")
    public func detach<Target, Cardinality, Constraints>(
        _ ids: [Target.ID], relation: KeyPath<Self, OneWayRelation<Target, Cardinality, Constraints>>,
        in destination: some RecordWritable, ignoringDamage: Bool = false
    ) throws {
        try Self.detach(relation, of: id, ids, in: destination, ignoringDamage)
    }

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
    /// Saves the entities inside a mutual relation, and its links. The entity itself is not saved.
    ///
    /// - Parameters:
    ///   - relation: The relation, such as `\.$chats`.
    ///   - inverse: The relation of the other type, such as `\.$users`.
    ///   - destination: The context of a write transaction, or a store.
    /// - Throws: The errors of ``save(to:options:)-(RecordWritable,_)``. Nothing is then stored.
    @available(*, noasync, message: "await the call")
    public func save<Target, Cardinality, Constraints, InverseCardinality, InverseConstraints>(
        _ relation: KeyPath<Self, MutualRelation<Target, Cardinality, Constraints>>,
        inverse: KeyPath<Target, MutualRelation<Self, InverseCardinality, InverseConstraints>>,
        to destination: some RecordWritable
    ) throws {
        try Self.checkInverse(relation, inverse)
        try saveRelation(relation, to: destination)
    }

    /// Does not exist: the inverse is missing.
    @available(*, unavailable, message: "a mutual relation is saved with its inverse: save(\\.$x, inverse: \\.$y, to:)")
    public func save<Target, Cardinality, Constraints>(
        _ relation: KeyPath<Self, MutualRelation<Target, Cardinality, Constraints>>,
        to destination: some RecordWritable
    ) throws {}

    /// Removes the links of a mutual relation. The entities at both ends stay.
    ///
    /// ```swift
    /// try user.detach(\.$chats, inverse: \.$users, in: store)
    /// ```
    ///
    /// - Parameters:
    ///   - relation: The relation, such as `\.$chats`.
    ///   - inverse: The relation of the other type, such as `\.$users`.
    ///   - destination: The context of a write transaction, or a store.
    ///   - ignoringDamage: Whether a damaged link is removed as well. False to throw for it.
    /// - Throws: ``StoreError``, such as ``StoreError/checksumMismatch(type:key:)`` for a damaged link.
    @available(*, noasync, message: "await the call")
    public func detach<Target, Cardinality, Constraints, InverseCardinality, InverseConstraints>(
        _ relation: KeyPath<Self, MutualRelation<Target, Cardinality, Constraints>>,
        inverse: KeyPath<Target, MutualRelation<Self, InverseCardinality, InverseConstraints>>,
        in destination: some RecordWritable, ignoringDamage: Bool = false
    ) throws {
        try Self.checkInverse(relation, inverse)
        try Self.detach(relation, of: id, nil as [Target.ID]?, in: destination, ignoringDamage)
    }

    /// Removes the links of a mutual relation to some entities. The entities at both ends stay.
    ///
    /// - Parameters:
    ///   - ids: The entities to detach. Entities that are not linked are ignored.
    ///   - relation: The relation, such as `\.$chats`.
    ///   - inverse: The relation of the other type, such as `\.$users`.
    ///   - destination: The context of a write transaction, or a store.
    ///   - ignoringDamage: Whether a damaged link is removed as well. False to throw for it.
    /// - Throws: ``StoreError``, such as ``StoreError/checksumMismatch(type:key:)`` for a damaged link.
    @available(*, noasync, message: "await the call")
    public func detach<Target, Cardinality, Constraints, InverseCardinality, InverseConstraints>(
        _ ids: [Target.ID], relation: KeyPath<Self, MutualRelation<Target, Cardinality, Constraints>>,
        inverse: KeyPath<Target, MutualRelation<Self, InverseCardinality, InverseConstraints>>,
        in destination: some RecordWritable, ignoringDamage: Bool = false
    ) throws {
        try Self.checkInverse(relation, inverse)
        try Self.detach(relation, of: id, ids, in: destination, ignoringDamage)
    }

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
        try Self.checkInverse(relation, inverse)
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
        try Self.checkInverse(relation, inverse)
        try Self.deleteTargets(relation, of: id, ids, from: destination)
    }
}

// MARK: The work

extension EntityModelProtocol {
    private func saveRelation(_ path: AnyKeyPath, to destination: some RecordWritable) throws {
        let index = try Self.relation(at: path).index
        let key = KeyWriter.bytes { encodeKey(into: &$0) }
        try destination.writingStatement { try $0.saveRelation(index, of: self, key) }
    }

    private static func detach<TargetID: KeyComponent>(
        _ path: AnyKeyPath, of id: ID, _ ids: [TargetID]?, in destination: some RecordWritable,
        _ ignoresDamage: Bool
    ) throws {
        let (_, end) = try relation(at: path)
        let key = KeyWriter.bytes(of: id)
        try destination.writingStatement { context in
            try context.statement { context in
                guard let ids else {
                    return try context.removeAllLinks(end, of: key, ignoringDamage: ignoresDamage)
                }
                let targets = ids.map { KeyWriter.bytes(of: $0) }
                try context.removeLinks(end, of: key, to: targets, ignoringDamage: ignoresDamage)
            }
        }
    }

    private static func deleteTargets<TargetID: KeyComponent>(
        _ path: AnyKeyPath, of id: ID, _ ids: [TargetID]?, from destination: some RecordWritable
    ) throws {
        let (_, end) = try relation(at: path)
        let key = KeyWriter.bytes(of: id)
        let wanted = ids.map { Set($0.map { KeyWriter.bytes(of: $0) }) }
        try destination.writingStatement { context in
            try context.statement { context in
                let linked = try context.targets(of: key, end)
                let targets = linked.filter { wanted?.contains($0) ?? true }
                for target in targets { _ = try end.description.target.delete(target, in: context) }
                try context.removeLinks(end, of: key, to: targets)
            }
        }
    }

    /// - Throws: ``StoreError/relationMismatch(type:relation:inverse:)`` if the relations are not inverse.
    private static func checkInverse<Target: EntityModelProtocol>(
        _ path: AnyKeyPath, _ inverse: PartialKeyPath<Target>
    ) throws {
        let relation = try relation(at: path).end.description
        guard let other = Target.relationIndex(of: inverse).map({ Target.relationDescriptions[$0] }),
            other.property == relation.inverseProperty
        else {
            throw StoreError.relationMismatch(
                type: schema.name, relation: relation.property, inverse: "\(inverse)")
        }
    }
}

extension TransactionContext {
    /// Returns the keys of an entity's targets in a relation.
    fileprivate func targets(of key: [UInt8], _ end: RelationEnd) throws -> [[UInt8]] {
        try translatingErrors {
            guard let (links, side) = try storedLinksForWriting(end) else { return [] }
            return try links.links.targets(of: key, side).map(\.key)
        }
    }

    /// Removes the links of an entity to some targets.
    fileprivate func removeLinks(
        _ end: RelationEnd, of key: [UInt8], to targets: [[UInt8]], ignoringDamage: Bool = false
    ) throws {
        try translatingErrors {
            guard let (links, side) = try storedLinksForWriting(end) else { return }
            try links.remove(key, targets, side, ignoringDamage: ignoringDamage)
        }
    }
}
