// The targets of a relation, owner by owner.

import LMDB
import TroveCoding

/// An entity, and the entities that a relation leads to from it.
public struct RelatedGroup<Owner: EntityModelProtocol, Target: EntityModelProtocol>: Sendable {
    /// The id of the entity.
    public let owner: Owner.ID
    /// The stored targets, in the order of the owner's list.
    public let targets: [Target]
}

extension RelatedGroup: Equatable where Target: Equatable {}

extension QueryAggregating where Record: EntityModelProtocol {
    /// Returns the matches of the query, each with the entities that a relation leads to.
    ///
    /// ```swift
    /// for group in try User.filter(\.name == "Bob").relatedGroups(\.$chats, in: store) {
    ///     print(group.owner, group.targets.count)
    /// }
    /// ```
    ///
    /// The matches are in the query's order; matches without targets have an empty list. Ids that are not stored are
    /// left out. Each target is decoded once, however many owners it has.
    ///
    /// - Parameters:
    ///   - relation: A relation, such as `\.$chats`.
    ///   - source: A context, or a store.
    /// - Throws: ``StoreError/relationMismatch(type:relation:inverse:)``, and the errors of
    ///   ``Query/resolve(in:)-(RecordReadable)``.
    /// - Complexity: O((*m* + *k*) log *n*) for *m* matches with *k* links.
    @available(*, noasync, message: "await the call")
    public func relatedGroups<Target, Directionality, Cardinality, Constraints>(
        _ relation: KeyPath<Record, Relation<Target, Directionality, Cardinality, Constraints>>,
        in source: some RecordReadable
    ) throws -> [RelatedGroup<Record, Target>] {
        let declared = try Record.relation(at: relation).declared
        return try source.reading { context in
            let owners = try asQuery.keys(in: context)
            return try translatingErrors { try context.targets(of: owners, declared, Target.self) }
        }
    }

    /// The async form of ``relatedGroups(_:in:)-(_,RecordReadable)``.
    public func relatedGroups<Target, Directionality, Cardinality, Constraints>(
        _ relation: KeyPath<Record, Relation<Target, Directionality, Cardinality, Constraints>> & Sendable,
        in store: Store
    ) async throws -> [RelatedGroup<Record, Target>] {
        try await store.read { try relatedGroups(relation, in: $0) }
    }
}

extension BoundQuery where Record: EntityModelProtocol {
    /// Returns the matches of the query, each with the entities that a relation leads to.
    ///
    /// - Parameter relation: A relation, such as `\.$chats`.
    @available(*, noasync, message: "await the call")
    public func relatedGroups<Target, Directionality, Cardinality, Constraints>(
        _ relation: KeyPath<Record, Relation<Target, Directionality, Cardinality, Constraints>>
    ) throws -> [RelatedGroup<Record, Target>] {
        try query.relatedGroups(relation, in: source)
    }
}

extension BoundQuery where Record: EntityModelProtocol, Source == Store {
    /// The async form of ``relatedGroups(_:)``.
    public func relatedGroups<Target, Directionality, Cardinality, Constraints>(
        _ relation: KeyPath<Record, Relation<Target, Directionality, Cardinality, Constraints>> & Sendable
    ) async throws -> [RelatedGroup<Record, Target>] {
        try await query.relatedGroups(relation, in: source)
    }
}

extension ReadContext {
    /// Returns the targets of a relation for each of some owners. Each target is decoded once.
    fileprivate func targets<Owner: EntityModelProtocol, Target: EntityModelProtocol>(
        of owners: [Owner.ID], _ relation: DeclaredRelation, _ type: Target.Type
    ) throws -> [RelatedGroup<Owner, Target>] {
        let distinctOwners = SortedKeys(KeyList(owners))
        let lists = try TargetLists(links(relation), of: distinctOwners.keys)
        let distinct = SortedKeys(lists.keys)
        var targets: [Target] = []
        let found = try FoundTargets(Query<Target>(), among: distinct.keys, in: self) { matches, table in
            var matches = matches
            while let index = matches.popFirst() { targets.append(try Target.decode(matches[index], table)) }
        }
        let chosen = try ChosenTargets(
            lists, distinct.places, found, offset: 0, limit: nil, after: nil, of: Target.schema)
        return zip(owners, distinctOwners.places).map { owner, place in
            RelatedGroup(owner: owner, targets: chosen[Int(place)].map { targets[Int($0)] })
        }
    }
}
