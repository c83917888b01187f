// Statements on a relation that name its inverse, as those of SwiftletModel do.

import Trove

extension EntityModelProtocol {
    /// The spelling of `Trove` is `save(_:to:)`.
    ///
    /// - Parameter inverse: The relation of the other type. Another one throws, as does any inverse of a one-way
    ///   relation; nil is not checked.
    @available(*, noasync, message: "await the call")
    public func save<Target, Directionality, Cardinality, Constraints>(
        _ relation: KeyPath<Self, Relation<Target, Directionality, Cardinality, Constraints>>,
        inverse: PartialKeyPath<Target>?, to destination: some RecordWritable
    ) throws {
        try Self.check(inverse, of: relation)
        try save(relation, to: destination)
    }

    /// The spelling of `Trove` is `detach(_:in:)`.
    ///
    /// - Parameter inverse: The relation of the other type. Another one throws, as does any inverse of a one-way
    ///   relation; nil is not checked.
    @available(*, noasync, message: "await the call")
    public func detach<Target, Directionality, Cardinality, Constraints>(
        _ relation: KeyPath<Self, Relation<Target, Directionality, Cardinality, Constraints>>,
        inverse: PartialKeyPath<Target>?, in destination: some RecordWritable, ignoringDamage: Bool = false
    ) throws {
        try Self.check(inverse, of: relation)
        try detach(relation, in: destination, ignoringDamage: ignoringDamage)
    }

    /// The spelling of `Trove` is `detach(_:ids:in:)`.
    ///
    /// - Parameter inverse: The relation of the other type. Another one throws, as does any inverse of a one-way
    ///   relation. By default, it is not checked.
    @available(*, noasync, message: "await the call")
    public func detach<Target, Directionality, Cardinality, Constraints>(
        _ ids: [Target.ID], relation: KeyPath<Self, Relation<Target, Directionality, Cardinality, Constraints>>,
        inverse: PartialKeyPath<Target>? = nil, in destination: some RecordWritable, ignoringDamage: Bool = false
    ) throws {
        try Self.check(inverse, of: relation)
        try detach(relation, ids: ids, in: destination, ignoringDamage: ignoringDamage)
    }

    /// The spelling of `Trove` is `delete(_:from:)`.
    ///
    /// - Parameter inverse: The relation of the other type. Another one throws, as does any inverse of a one-way
    ///   relation; nil is not checked.
    @available(*, noasync, message: "await the call")
    public func delete<Target, Directionality, Cardinality, Constraints>(
        _ relation: KeyPath<Self, Relation<Target, Directionality, Cardinality, Constraints>>,
        inverse: PartialKeyPath<Target>?, from destination: some RecordWritable
    ) throws {
        try Self.check(inverse, of: relation)
        try delete(relation, from: destination)
    }

    /// The spelling of `Trove` is `delete(_:ids:from:)`.
    ///
    /// - Parameter inverse: The relation of the other type. Another one throws, as does any inverse of a one-way
    ///   relation. By default, it is not checked.
    @available(*, noasync, message: "await the call")
    public func delete<Target, Directionality, Cardinality, Constraints>(
        _ ids: [Target.ID], relation: KeyPath<Self, Relation<Target, Directionality, Cardinality, Constraints>>,
        inverse: PartialKeyPath<Target>? = nil, from destination: some RecordWritable
    ) throws {
        try Self.check(inverse, of: relation)
        try delete(relation, ids: ids, from: destination)
    }
}

// MARK: Async

extension EntityModelProtocol {
    /// The spelling of `Trove` is the async `save(_:to:)`.
    public func save<Target, Directionality, Cardinality, Constraints>(
        _ relation: KeyPath<Self, Relation<Target, Directionality, Cardinality, Constraints>> & Sendable,
        inverse: PartialKeyPath<Target>?, to store: Store
    ) async throws {
        try Self.check(inverse, of: relation)
        try await save(relation, to: store)
    }

    /// The spelling of `Trove` is the async `detach(_:in:)`.
    public func detach<Target, Directionality, Cardinality, Constraints>(
        _ relation: KeyPath<Self, Relation<Target, Directionality, Cardinality, Constraints>> & Sendable,
        inverse: PartialKeyPath<Target>?, in store: Store, ignoringDamage: Bool = false
    ) async throws {
        try Self.check(inverse, of: relation)
        try await detach(relation, in: store, ignoringDamage: ignoringDamage)
    }

    /// The spelling of `Trove` is the async `detach(_:ids:in:)`.
    public func detach<Target, Directionality, Cardinality, Constraints>(
        _ ids: [Target.ID],
        relation: KeyPath<Self, Relation<Target, Directionality, Cardinality, Constraints>> & Sendable,
        inverse: PartialKeyPath<Target>? = nil, in store: Store, ignoringDamage: Bool = false
    ) async throws {
        try Self.check(inverse, of: relation)
        try await detach(relation, ids: ids, in: store, ignoringDamage: ignoringDamage)
    }

    /// The spelling of `Trove` is the async `delete(_:from:)`.
    public func delete<Target, Directionality, Cardinality, Constraints>(
        _ relation: KeyPath<Self, Relation<Target, Directionality, Cardinality, Constraints>> & Sendable,
        inverse: PartialKeyPath<Target>?, from store: Store
    ) async throws {
        try Self.check(inverse, of: relation)
        try await delete(relation, from: store)
    }

    /// The spelling of `Trove` is the async `delete(_:ids:from:)`.
    public func delete<Target, Directionality, Cardinality, Constraints>(
        _ ids: [Target.ID],
        relation: KeyPath<Self, Relation<Target, Directionality, Cardinality, Constraints>> & Sendable,
        inverse: PartialKeyPath<Target>? = nil, from store: Store
    ) async throws {
        try Self.check(inverse, of: relation)
        try await delete(relation, ids: ids, from: store)
    }
}

extension EntityModelProtocol {
    /// Checks the named inverse, if any.
    private static func check<Target: EntityModelProtocol>(
        _ inverse: PartialKeyPath<Target>?, of relation: AnyKeyPath
    ) throws {
        if let inverse { try checkInverse(of: relation, inverse) }
    }
}
