// The entities that relations lead to from several entities, which a program names.

import TroveCoding

extension RecordListQuery where Record: EntityModelProtocol {
    /// Returns a query for the entities that a relation leads to from some entities: each entity once, in the order of
    /// its first appearance.
    ///
    /// ```swift
    /// let chats = try User.query(["2", "1"]).related(\.$chats).resolve(in: store)
    /// ```
    ///
    /// The targets of the first entity come first, in the order of its list, then the targets of the next entity. Ids
    /// that are not stored are left out, and an entity that is not stored has no targets.
    ///
    /// - Parameter relation: A relation, such as `\.$chats`.
    /// - Throws: When run, ``StoreError/relationMismatch(type:relation:inverse:)``, and
    ///   ``StoreError/noContinuation(type:key:)`` if a page begins after an entity that is no longer related.
    /// - Complexity: O(*k* log *n*) for *k* links read of *n*. The links before a page are read too.
    public func related<Target, Directionality, Cardinality, Constraints>(
        _ relation: KeyPath<Record, Relation<Target, Directionality, Cardinality, Constraints>>
    ) -> Query<Target> {
        query.related(relation)
    }

    /// Returns the entities, each with the entities that a relation leads to.
    ///
    /// The entities are in the order of the list, each once; entities without targets have an empty list. Entities that
    /// are not stored are left out.
    ///
    /// - Parameters:
    ///   - relation: A relation, such as `\.$chats`.
    ///   - source: A context, or a store.
    /// - Throws: The errors of ``QueryAggregating/relatedGroups(_:in:)-(_,RecordReadable)``.
    /// - Complexity: O((*m* + *k*) log *n*) for *m* entities with *k* links.
    @available(*, noasync, message: "await the call")
    public func relatedGroups<Target, Directionality, Cardinality, Constraints>(
        _ relation: KeyPath<Record, Relation<Target, Directionality, Cardinality, Constraints>>,
        in source: some RecordReadable
    ) throws -> [RelatedGroup<Record, Target>] {
        try query.relatedGroups(relation, in: source)
    }

    /// The async form of ``relatedGroups(_:in:)-(_,RecordReadable)``.
    public func relatedGroups<Target, Directionality, Cardinality, Constraints>(
        _ relation: KeyPath<Record, Relation<Target, Directionality, Cardinality, Constraints>> & Sendable,
        in store: Store
    ) async throws -> [RelatedGroup<Record, Target>] {
        try await query.relatedGroups(relation, in: store)
    }
}

extension BoundRecordListQuery where Record: EntityModelProtocol {
    /// Returns a query for the entities that a relation leads to from the entities, each once, in the order of its
    /// first appearance.
    ///
    /// - Parameter relation: A relation, such as `\.$chats`.
    public func related<Target, Directionality, Cardinality, Constraints>(
        _ relation: KeyPath<Record, Relation<Target, Directionality, Cardinality, Constraints>>
    ) -> BoundQuery<Target, Source> {
        BoundQuery<Target, Source>(query.related(relation), in: source)
    }

    /// Returns the entities, each with the entities that a relation leads to.
    ///
    /// - Parameter relation: A relation, such as `\.$chats`.
    @available(*, noasync, message: "await the call")
    public func relatedGroups<Target, Directionality, Cardinality, Constraints>(
        _ relation: KeyPath<Record, Relation<Target, Directionality, Cardinality, Constraints>>
    ) throws -> [RelatedGroup<Record, Target>] {
        try query.relatedGroups(relation, in: source)
    }
}

extension BoundRecordListQuery where Record: EntityModelProtocol, Source == Store {
    /// The async form of ``relatedGroups(_:)``.
    public func relatedGroups<Target, Directionality, Cardinality, Constraints>(
        _ relation: KeyPath<Record, Relation<Target, Directionality, Cardinality, Constraints>> & Sendable
    ) async throws -> [RelatedGroup<Record, Target>] {
        try await query.relatedGroups(relation, in: source)
    }
}
