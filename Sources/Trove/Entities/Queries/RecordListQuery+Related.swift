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
    /// - Throws: When run, ``StoreError/EntityError/relationMismatch(type:relation:inverse:)``, and
    ///   ``StoreError/QueryError/noContinuation(type:key:)`` if a page begins after an entity that is no longer
    ///   related.
    /// - Complexity: O(*k* log *n*) for *k* links read of *n*. The links before a page are read too.
    public func related<Target, Directionality, Cardinality, Constraints>(
        _ relation: KeyPath<Record, Relation<Target, Directionality, Cardinality, Constraints>>
    ) -> Query<Target> {
        query.related(relation)
    }

    /// Returns a request for the entities, each with the entities that a relation leads to.
    ///
    /// The entities are in the order of the list, each once; entities without targets have an empty list. Entities that
    /// are not stored are left out.
    ///
    /// - Parameter relation: A relation, such as `\.$chats`.
    /// - Returns: A request, which throws ``StoreError/EntityError/relationMismatch(type:relation:inverse:)``.
    /// - Complexity: O((*m* + *k*) log *n*) for *m* entities with *k* links.
    public func relatedGroups<Target, Directionality, Cardinality, Constraints>(
        _ relation: KeyPath<Record, Relation<Target, Directionality, Cardinality, Constraints>>
    ) -> RelatedGroupsRequest<Record, Target> {
        query.relatedGroups(relation)
    }
}

extension Bound {
    /// Returns a query for the entities that a relation leads to; see ``RecordListQuery/related(_:)``.
    ///
    /// - Parameter relation: A relation, such as `\.$messages`.
    public func related<Record: EntityModelProtocol, Target, Directionality, Cardinality, Constraints>(
        _ relation: KeyPath<Record, Relation<Target, Directionality, Cardinality, Constraints>>
    ) -> Bound<Query<Target>, Source> where Request == RecordListQuery<Record> {
        Bound<Query<Target>, Source>(request.related(relation), in: source)
    }
}
