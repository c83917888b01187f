// Statements that remove the links of a single relation of an entity.
//
// A statement on a mutual relation names its inverse, so that a reader of the call sees both sides of the change.

import TroveCoding

// MARK: One-way relations

extension EntityModelProtocol {
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
}

// MARK: Mutual relations

extension EntityModelProtocol {
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
        try Self.checkInverse(of: relation, inverse)
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
        try Self.checkInverse(of: relation, inverse)
        try Self.detach(relation, of: id, ids, in: destination, ignoringDamage)
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
