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

/// A request for the matches of a query, each with the entities that a relation leads to:
/// ``Query/relatedGroups(_:)``.
public struct RelatedGroupsRequest<Owner: EntityModelProtocol, Target: EntityModelProtocol>: StoreRequest {
    private let query: Query<Owner>
    private let relation: Result<DeclaredRelation, StoreError>

    init(_ query: Query<Owner>, _ relation: Result<DeclaredRelation, StoreError>) {
        self.query = query
        self.relation = relation
    }

    /// Returns the matches, in the query's order. Matches without targets have an empty list.
    ///
    /// - Throws: ``StoreError/EntityError/relationMismatch(type:relation:inverse:)``, and the errors of the query.
    public func value(in context: ReadContext) throws -> [RelatedGroup<Owner, Target>] {
        let declared = try relation.get()
        let owners = try query.keys(in: context)
        return try translatingErrors { try context.targets(of: owners, declared, Target.self) }
    }
}

extension Query where Record: EntityModelProtocol {
    /// Returns a request for the matches of the query, each with the entities that a relation leads to.
    ///
    /// ```swift
    /// for group in try User.filter(\.name == "Bob").relatedGroups(\.$chats).resolve(in: store) {
    ///     print(group.owner, group.targets.count)
    /// }
    /// ```
    ///
    /// The matches are in the query's order; matches without targets have an empty list. Ids that are not stored are
    /// left out. Each target is decoded once, however many owners it has.
    ///
    /// - Parameter relation: A relation, such as `\.$chats`.
    /// - Returns: A request, which throws ``StoreError/EntityError/relationMismatch(type:relation:inverse:)``.
    /// - Complexity: O((*m* + *k*) log *n*) for *m* matches with *k* links.
    public func relatedGroups<Target, Directionality, Cardinality, Constraints>(
        _ relation: KeyPath<Record, Relation<Target, Directionality, Cardinality, Constraints>>
    ) -> RelatedGroupsRequest<Record, Target> {
        RelatedGroupsRequest(self, Record.declaredRelation(at: relation))
    }
}

extension EntityModelProtocol {
    /// Returns the declaration of a relation; an error if the type has none at the key path.
    static func declaredRelation<Target, Directionality, Cardinality, Constraints>(
        at path: KeyPath<Self, Relation<Target, Directionality, Cardinality, Constraints>>
    ) -> Result<DeclaredRelation, StoreError> {
        Result { () throws(StoreError) in try relation(at: path).declared }
    }
}

extension Bound {
    /// Returns a request for the matches, each with the entities that a relation leads to; see
    /// ``Query/relatedGroups(_:)``.
    ///
    /// - Parameter relation: A relation, such as `\.$chats`.
    public func relatedGroups<Record: EntityModelProtocol, Target, Directionality, Cardinality, Constraints>(
        _ relation: KeyPath<Record, Relation<Target, Directionality, Cardinality, Constraints>>
    ) -> Bound<RelatedGroupsRequest<Record, Target>, Source> where Request == Query<Record> {
        Bound<_, Source>(request.relatedGroups(relation), in: source)
    }

    /// Returns a request for the entities, each with the entities that a relation leads to; see
    /// ``RecordListQuery/relatedGroups(_:)``.
    ///
    /// - Parameter relation: A relation, such as `\.$chats`.
    public func relatedGroups<Record: EntityModelProtocol, Target, Directionality, Cardinality, Constraints>(
        _ relation: KeyPath<Record, Relation<Target, Directionality, Cardinality, Constraints>>
    ) -> Bound<RelatedGroupsRequest<Record, Target>, Source> where Request == RecordListQuery<Record> {
        Bound<_, Source>(request.relatedGroups(relation), in: source)
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
