// Statements that remove the links of a single relation of an entity.

import TroveCoding

extension EntityModelProtocol {
    /// Removes the links of a relation. The entities at both ends stay.
    ///
    /// ```swift
    /// try user.detach(\.$chats, in: store)
    /// ```
    ///
    /// - Parameters:
    ///   - relation: The relation, such as `\.$chats`.
    ///   - destination: The context of a write transaction, or a store.
    ///   - ignoringDamage: Whether a damaged link is removed as well. False to throw for it.
    /// - Throws: ``StoreError``, such as ``StoreError/RecordError/checksumMismatch(type:key:)`` for a damaged link.
    @available(*, noasync, message: "await the call")
    public func detach<Target, Directionality, Cardinality, Constraints>(
        _ relation: KeyPath<Self, Relation<Target, Directionality, Cardinality, Constraints>>,
        in destination: some RecordWritable, ignoringDamage: Bool = false
    ) throws {
        try Self.detach(relation, of: id, nil as [Target.ID]?, in: destination, ignoringDamage)
    }

    /// Removes the links of a relation to some entities. The entities at both ends stay.
    ///
    /// ```swift
    /// try user.detach(\.$chats, ids: [3], in: store)
    /// ```
    ///
    /// - Parameters:
    ///   - relation: The relation, such as `\.$chats`.
    ///   - ids: The entities to detach. Entities that are not linked are ignored.
    ///   - destination: The context of a write transaction, or a store.
    ///   - ignoringDamage: Whether a damaged link is removed as well. False to throw for it.
    /// - Throws: ``StoreError``, such as ``StoreError/RecordError/checksumMismatch(type:key:)`` for a damaged link.
    @available(*, noasync, message: "await the call")
    public func detach<Target, Directionality, Cardinality, Constraints>(
        _ relation: KeyPath<Self, Relation<Target, Directionality, Cardinality, Constraints>>, ids: [Target.ID],
        in destination: some RecordWritable, ignoringDamage: Bool = false
    ) throws {
        try Self.detach(relation, of: id, ids, in: destination, ignoringDamage)
    }

    /// The async form of `detach(_:in:)`. The statements of many tasks share a commit.
    public func detach<Target, Directionality, Cardinality, Constraints>(
        _ relation: KeyPath<Self, Relation<Target, Directionality, Cardinality, Constraints>> & Sendable,
        in store: Store, ignoringDamage: Bool = false
    ) async throws {
        try await store.write { try detach(relation, in: $0, ignoringDamage: ignoringDamage) }
    }

    /// The async form of `detach(_:ids:in:)`. The statements of many tasks share a commit.
    public func detach<Target, Directionality, Cardinality, Constraints>(
        _ relation: KeyPath<Self, Relation<Target, Directionality, Cardinality, Constraints>> & Sendable,
        ids: [Target.ID], in store: Store, ignoringDamage: Bool = false
    ) async throws {
        try await store.write { try detach(relation, ids: ids, in: $0, ignoringDamage: ignoringDamage) }
    }
}

// MARK: The work

extension EntityModelProtocol {
    private static func detach<TargetID: KeyComponent>(
        _ path: AnyKeyPath, of id: ID, _ ids: [TargetID]?, in destination: some RecordWritable,
        _ ignoresDamage: Bool
    ) throws {
        let relation = try relation(at: path).declared
        let key = KeyWriter.bytes(of: id)
        try destination.writingStatement { context in
            try context.statement { context in
                guard let ids else {
                    return try context.removeAllLinks(relation, of: key, ignoringDamage: ignoresDamage)
                }
                let targets = ids.map { KeyWriter.bytes(of: $0) }
                try context.removeLinks(relation, of: key, to: targets, ignoringDamage: ignoresDamage)
            }
        }
    }
}

extension TransactionContext {
    /// Removes the links of an entity to some targets.
    func removeLinks(
        _ relation: DeclaredRelation, of key: [UInt8], to targets: [[UInt8]], ignoringDamage: Bool = false
    ) throws {
        try translatingErrors {
            guard let (links, side) = try linkWriter(of: relation) else { return }
            try links.remove(key, targets, side, ignoringDamage: ignoringDamage)
        }
    }
}
