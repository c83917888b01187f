// Bulk queries: all relations of the found entities, to some depth.

import TroveCoding

/// The form of all relations at a depth of a bulk query.
///
/// ```swift
/// let user = try User.query("1").with(.entities, .fragments, .ids).resolve(in: store)
/// ```
///
/// This returns a user with all related entities, with all entities related to these as fragments, and with the ids of
/// all entities related to the fragments.
///
/// Each form can have a filter on the metadata that the store keeps of entities, such as
/// `.entities(filter: .updated(within: yesterday...now))`. A filtered list is a slice. All types at this depth have to
/// keep the times of their saves.
public struct NestedRelations: Hashable, Sendable {
    let form: NestedForm
    let filter: MetadataFilter?

    private init(_ form: NestedForm, _ filter: MetadataFilter? = nil) {
        self.form = form
        self.filter = filter
    }

    /// The linked entities.
    public static let entities = NestedRelations(.entities)

    /// The linked entities as fragments.
    public static let fragments = NestedRelations(.fragments)

    /// The ids of the linked entities.
    public static let ids = NestedRelations(.ids)

    /// All stored entities of the type of a to-many relation, linked or not, in the order of their keys. The linked
    /// entity of a to-one relation.
    ///
    /// The result is a whole list, not a slice: saving it back links its owner with all of these entities. Entities
    /// that can have one owner only lose their former owner.
    public static let schemaEntities = NestedRelations(.entities.ofSchema)

    /// All stored entities of the type of a to-many relation, linked or not, as fragments: a whole list, as with
    /// ``schemaEntities``. The linked entity of a to-one relation as a fragment.
    public static let schemaFragments = NestedRelations(.fragments.ofSchema)

    /// The linked entities that match a filter.
    public static func entities(filter: MetadataFilter) -> NestedRelations { NestedRelations(.entities, filter) }

    /// The linked entities that match a filter, as fragments.
    public static func fragments(filter: MetadataFilter) -> NestedRelations { NestedRelations(.fragments, filter) }

    /// All stored entities of the type of a to-many relation that match a filter, linked or not, in the order of their
    /// keys. The linked entity of a to-one relation, if it matches.
    public static func schemaEntities(filter: MetadataFilter) -> NestedRelations {
        NestedRelations(.entities.ofSchema, filter)
    }

    /// All stored entities of the type of a to-many relation that match a filter, linked or not, as fragments. The
    /// linked entity of a to-one relation as a fragment, if it matches.
    public static func schemaFragments(filter: MetadataFilter) -> NestedRelations {
        NestedRelations(.fragments.ofSchema, filter)
    }
}

extension NestedRelations: CustomStringConvertible {
    /// The form as Swift, without the dot.
    public var description: String {
        let content =
            switch form.content {
            case .entities: form.isOfSchema ? "schemaEntities" : "entities"
            case .fragments: form.isOfSchema ? "schemaFragments" : "fragments"
            case .ids: "ids"
            }
        return content + (filter.map { "(filter: \($0))" } ?? "")
    }
}

extension GraphShaping where Record: EntityModelProtocol {
    /// Returns the query with all relations of its entities, to some depth: the first form for the relations of the
    /// found entities, the second for the relations of the related entities, and so on.
    ///
    /// A type can shape its part of the query: ``EntityModelProtocol/nestedQueryModifier(_:nested:)``.
    ///
    /// The relations that lead back are followed too. So the number of requests grows with the depth, as the number of
    /// paths from relation to relation does.
    public func with(_ nested: NestedRelations...) -> Self { with(nested) }

    /// Returns the query with all relations of its entities, to some depth. Without any forms, it requests no relation.
    public func with(_ nested: [NestedRelations]) -> Self {
        changing { $0 = $0.modified(nested) }
    }

    /// Returns the query without a request for a relation.
    ///
    /// - Parameter relation: The key path of the relation: `\.$admins`.
    public func without<Target, Direction, Cardinality, Constraints>(
        _ relation: KeyPath<Record, Relation<Target, Direction, Cardinality, Constraints>>
    ) -> Self {
        changing { $0.removeRequest(for: relation) }
    }
}

extension Query where Record: EntityModelProtocol {
    /// Returns the query as the type shapes it for a bulk query. Without any forms, the type is not called: a modifier
    /// that requests a relation in any case would continue without end, if two types lead to each other.
    func modified(_ nested: [NestedRelations]) -> Query {
        nested.isEmpty ? self : Record.nestedQueryModifier(self, nested: nested)
    }

    /// Returns the query with all relations of its entities, to some depth, as
    /// ``EntityModelProtocol/nestedQueryModifier(_:nested:)`` does by default.
    public func withAllRelations(_ nested: [NestedRelations]) -> Query {
        guard let form = nested.first else { return self }
        let rest = Array(nested.dropFirst())
        return changing { query in
            for relation in Record.relations { query.add(Self.request(relation.accessor, form, rest)) }
        }
    }

    private static func request<Accessor: RelationAccessor<Record>>(
        _ accessor: Accessor, _ form: NestedRelations, _ nested: [NestedRelations]
    ) -> any NestedStep<Record> {
        RelationRequest(accessor, form, nested)
    }
}

extension EntityModelProtocol {
    /// Returns a query for all entities of the type with all their relations, to some depth.
    ///
    /// - Parameter nested: The forms of the relations: the first for the relations of the entities, the second for
    ///   the relations of the related entities, and so on.
    public static func queryAll(with nested: NestedRelations...) -> Query<Self> { Query().with(nested) }

    /// Returns a query for all entities of the type with all their relations, to some depth, bound to a context.
    ///
    /// - Parameters:
    ///   - nested: The forms of the relations: the first for the relations of the entities, the second for the
    ///     relations of the related entities, and so on.
    ///   - source: A context, or a store.
    public static func queryAll<Source: RecordReadable>(
        with nested: NestedRelations..., in source: Source
    ) -> Bound<Query<Self>, Source> {
        Bound(Query().with(nested), in: source)
    }
}
