// The methods that add requests for relations to a query of entities.

import TroveCoding

extension GraphShaping where Record: EntityModelProtocol {
    // MARK: Entities

    /// Returns the query with the targets of a to-one relation.
    ///
    /// The relation is ``Relation/none`` if there is no target, or if the target is not stored.
    ///
    /// - Parameters:
    ///   - relation: The key path of the relation: `\.$author`.
    ///   - nested: Adds requests for relations of the targets.
    public func with<Target, Direction, Constraints>(
        _ relation: KeyPath<Record, ToOneRelation<Target, Direction, Constraints>>,
        nested: (NestedRecordQuery<Target>) -> NestedRecordQuery<Target> = { $0 }
    ) -> Self {
        requesting(relation, .entities, nested(NestedRecordQuery()).query)
    }

    /// Returns the query with the targets of a to-many relation, in the order of the list.
    ///
    /// Targets that are not stored are left out. A list that lacks links of its owner is a slice, and so is the result
    /// of a nested query with a filter or an order: saving it takes nothing away.
    ///
    /// - Parameters:
    ///   - relation: The key path of the relation: `\.$messages`.
    ///   - nested: Filters, sorts and cuts the targets of each owner, and adds requests for their relations.
    public func with<Target, Direction, Constraints>(
        _ relation: KeyPath<Record, ToManyRelation<Target, Direction, Constraints>>,
        nested: (Query<Target>) -> Query<Target> = { $0 }
    ) -> Self {
        requesting(relation, .entities, nested(Query()))
    }

    /// Returns the query with the targets of a to-many relation as a slice.
    ///
    /// - Parameters:
    ///   - relation: The key path of the relation: `\.$messages`.
    ///   - nested: Filters, sorts and cuts the targets of each owner, and adds requests for their relations.
    public func with<Target, Direction, Constraints>(
        slice relation: KeyPath<Record, ToManyRelation<Target, Direction, Constraints>>,
        nested: (Query<Target>) -> Query<Target> = { $0 }
    ) -> Self {
        requesting(relation, .entities.slice, nested(Query()))
    }

    // MARK: Fragments

    /// Returns the query with the targets of a to-one relation as a fragment. See `.fragment`.
    ///
    /// - Parameters:
    ///   - relation: The key path of the relation: `\.$author`.
    ///   - nested: Adds requests for relations of the targets.
    public func fragment<Target, Direction, Constraints>(
        _ relation: KeyPath<Record, ToOneRelation<Target, Direction, Constraints>>,
        nested: (NestedRecordQuery<Target>) -> NestedRecordQuery<Target> = { $0 }
    ) -> Self {
        requesting(relation, .fragments, nested(NestedRecordQuery()).query)
    }

    /// Returns the query with the targets of a to-many relation as fragments.
    ///
    /// - Parameters:
    ///   - relation: The key path of the relation: `\.$messages`.
    ///   - nested: Filters, sorts and cuts the targets of each owner, and adds requests for their relations.
    public func fragment<Target, Direction, Constraints>(
        _ relation: KeyPath<Record, ToManyRelation<Target, Direction, Constraints>>,
        nested: (Query<Target>) -> Query<Target> = { $0 }
    ) -> Self {
        requesting(relation, .fragments, nested(Query()))
    }

    /// Returns the query with the targets of a to-many relation as fragments, in a slice.
    ///
    /// - Parameters:
    ///   - relation: The key path of the relation: `\.$messages`.
    ///   - nested: Filters, sorts and cuts the targets of each owner, and adds requests for their relations.
    public func fragment<Target, Direction, Constraints>(
        slice relation: KeyPath<Record, ToManyRelation<Target, Direction, Constraints>>,
        nested: (Query<Target>) -> Query<Target> = { $0 }
    ) -> Self {
        requesting(relation, .fragments.slice, nested(Query()))
    }

    // MARK: Ids

    /// Returns the query with the id of the target of a to-one relation, which need not be stored.
    ///
    /// The relation is ``Relation/none`` if there is no target.
    ///
    /// - Parameter relation: The key path of the relation: `\.$author`.
    public func id<Target, Direction, Constraints>(
        _ relation: KeyPath<Record, ToOneRelation<Target, Direction, Constraints>>
    ) -> Self {
        requesting(relation, .ids, Query())
    }

    /// Returns the query with the ids of the targets of a to-many relation, in the order of the list.
    ///
    /// The targets need not be stored. With a filter or an order, only stored targets are found.
    ///
    /// - Parameters:
    ///   - relation: The key path of the relation: `\.$messages`.
    ///   - nested: Filters, sorts and cuts the targets of each owner.
    public func id<Target, Direction, Constraints>(
        _ relation: KeyPath<Record, ToManyRelation<Target, Direction, Constraints>>,
        nested: (Query<Target>) -> Query<Target> = { $0 }
    ) -> Self {
        requesting(relation, .ids, nested(Query()))
    }

    /// Returns the query with the ids of the targets of a to-many relation as a slice.
    ///
    /// - Parameters:
    ///   - relation: The key path of the relation: `\.$messages`.
    ///   - nested: Filters, sorts and cuts the targets of each owner.
    public func id<Target, Direction, Constraints>(
        slice relation: KeyPath<Record, ToManyRelation<Target, Direction, Constraints>>,
        nested: (Query<Target>) -> Query<Target> = { $0 }
    ) -> Self {
        requesting(relation, .ids.slice, nested(Query()))
    }

    private func requesting<Target, Direction, Cardinality, Constraints>(
        _ path: KeyPath<Record, Relation<Target, Direction, Cardinality, Constraints>>, _ form: NestedForm,
        _ query: Query<Target>
    ) -> Self {
        changing { owners in
            typealias Accessor = ClosureAccessor<Record, Target, Direction, Cardinality, Constraints>
            guard let index = Record.relationIndex(of: path),
                let accessor = Record.relations[index].accessor as? Accessor
            else {
                return owners.fail(.query(.notStored(type: Record.schema.name, property: path.textWithoutAddresses)))
            }
            owners.add(RelationRequest(accessor, form, query))
        }
    }
}
