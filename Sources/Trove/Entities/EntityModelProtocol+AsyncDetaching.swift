// The async forms of the statements about a single relation of an entity. The statements of many tasks share a commit.

// MARK: One-way relations

extension EntityModelProtocol {
    /// The async form of `save(_:to:)`.
    public func save<Target, Cardinality, Constraints>(
        _ relation: KeyPath<Self, OneWayRelation<Target, Cardinality, Constraints>> & Sendable, to store: Store
    ) async throws {
        try await store.write { try save(relation, to: $0) }
    }

    /// The async form of `detach(_:in:)`.
    public func detach<Target, Cardinality, Constraints>(
        _ relation: KeyPath<Self, OneWayRelation<Target, Cardinality, Constraints>> & Sendable, in store: Store,
        ignoringDamage: Bool = false
    ) async throws {
        try await store.write { try detach(relation, in: $0, ignoringDamage: ignoringDamage) }
    }

    /// The async form of `detach(_:relation:in:)`.
    public func detach<Target, Cardinality, Constraints>(
        _ ids: [Target.ID],
        relation: KeyPath<Self, OneWayRelation<Target, Cardinality, Constraints>> & Sendable,
        in store: Store,
        ignoringDamage: Bool = false
    ) async throws {
        try await store.write { try detach(ids, relation: relation, in: $0, ignoringDamage: ignoringDamage) }
    }

    /// The async form of `delete(_:from:)`.
    public func delete<Target, Cardinality, Constraints>(
        _ relation: KeyPath<Self, OneWayRelation<Target, Cardinality, Constraints>> & Sendable, from store: Store
    ) async throws {
        try await store.write { try delete(relation, from: $0) }
    }

    /// The async form of `delete(_:relation:from:)`.
    public func delete<Target, Cardinality, Constraints>(
        _ ids: [Target.ID],
        relation: KeyPath<Self, OneWayRelation<Target, Cardinality, Constraints>> & Sendable,
        from store: Store
    ) async throws {
        try await store.write { try delete(ids, relation: relation, from: $0) }
    }
}

// MARK: Mutual relations

extension EntityModelProtocol {
    /// The async form of `save(_:inverse:to:)`.
    public func save<Target, Cardinality, Constraints, InverseCardinality, InverseConstraints>(
        _ relation: KeyPath<Self, MutualRelation<Target, Cardinality, Constraints>> & Sendable,
        inverse: KeyPath<Target, MutualRelation<Self, InverseCardinality, InverseConstraints>> & Sendable,
        to store: Store
    ) async throws {
        try await store.write { try save(relation, inverse: inverse, to: $0) }
    }

    /// The async form of `detach(_:inverse:in:)`.
    public func detach<Target, Cardinality, Constraints, InverseCardinality, InverseConstraints>(
        _ relation: KeyPath<Self, MutualRelation<Target, Cardinality, Constraints>> & Sendable,
        inverse: KeyPath<Target, MutualRelation<Self, InverseCardinality, InverseConstraints>> & Sendable,
        in store: Store,
        ignoringDamage: Bool = false
    ) async throws {
        try await store.write { try detach(relation, inverse: inverse, in: $0, ignoringDamage: ignoringDamage) }
    }

    /// The async form of `detach(_:relation:inverse:in:)`.
    public func detach<Target, Cardinality, Constraints, InverseCardinality, InverseConstraints>(
        _ ids: [Target.ID],
        relation: KeyPath<Self, MutualRelation<Target, Cardinality, Constraints>> & Sendable,
        inverse: KeyPath<Target, MutualRelation<Self, InverseCardinality, InverseConstraints>> & Sendable,
        in store: Store,
        ignoringDamage: Bool = false
    ) async throws {
        try await store.write {
            try detach(ids, relation: relation, inverse: inverse, in: $0, ignoringDamage: ignoringDamage)
        }
    }

    /// The async form of `delete(_:inverse:from:)`.
    public func delete<Target, Cardinality, Constraints, InverseCardinality, InverseConstraints>(
        _ relation: KeyPath<Self, MutualRelation<Target, Cardinality, Constraints>> & Sendable,
        inverse: KeyPath<Target, MutualRelation<Self, InverseCardinality, InverseConstraints>> & Sendable,
        from store: Store
    ) async throws {
        try await store.write { try delete(relation, inverse: inverse, from: $0) }
    }

    /// The async form of `delete(_:relation:inverse:from:)`.
    public func delete<Target, Cardinality, Constraints, InverseCardinality, InverseConstraints>(
        _ ids: [Target.ID],
        relation: KeyPath<Self, MutualRelation<Target, Cardinality, Constraints>> & Sendable,
        inverse: KeyPath<Target, MutualRelation<Self, InverseCardinality, InverseConstraints>> & Sendable,
        from store: Store
    ) async throws {
        try await store.write { try delete(ids, relation: relation, inverse: inverse, from: $0) }
    }
}
