// A nested request for a relation: its targets as entities or as ids, filtered, sorted and cut for each owner.

import LMDB
import TroveCoding

/// A request for the targets of a relation.
final class RelationRequest<Accessor: RelationAccessor>: NestedStep {
    typealias Owner = Accessor.Owner
    typealias Target = Accessor.Target

    /// The query for the targets: its filter, order and page apply to the targets of each owner.
    enum Content {
        case query(Query<Target>)
        /// The targets that match a filter, with all their relations in these forms. The query is made when the request
        /// runs: the queries for all depths could be too many, even if there are no targets.
        case bulk([NestedRelations], MetadataFilter?)
    }

    let accessor: Accessor
    let form: NestedForm
    let content: Content
    let depth: Int
    let failure: StoreError?

    init(_ accessor: Accessor, _ form: NestedForm, _ query: Query<Target>) {
        // A key path of a generic type would be created again for each query.
        let depth = (form.content == .ids ? 0 : 1) + query.nested.reduce(0) { max($0, $1.depth) }
        self.accessor = accessor
        self.form = form
        self.depth = depth
        content = .query(query)
        do {
            try query.check()
            failure = Self.failure(depth)
        } catch {
            failure = error as? StoreError
        }
    }

    init(_ accessor: Accessor, _ form: NestedRelations, _ nested: [NestedRelations]) {
        self.accessor = accessor
        self.form = form.form
        depth = 1
        content = .bulk(nested, form.filter)
        failure = nil
    }

    /// Returns the error for too many levels.
    private static func failure(_ depth: Int) -> StoreError? {
        guard depth >= graphLimit else { return nil }
        let name = Target.schema.name
        return .entity(.graphTooDeep(type: name, key: StoredKey([], of: name), limit: graphLimit))
    }

    var relation: RelationDescription { accessor.description }

    /// Returns the query for the targets.
    func query() throws -> Query<Target> {
        switch content {
        case .query(let query): return query
        case .bulk where form.content == .ids: return Query()
        case .bulk(let nested, let filter):
            var query =
                nested.isEmpty
                ? Target.nestedQueryModifier(Query(), nested: []).withoutRequests : Query<Target>().modified(nested)
            if let filter { query = query.filter(filter.filter(Target.self)) }
            try query.check()
            return query
        }
    }

    /// Returns the links of the relation; nil if the store has none.
    func links(in context: ReadContext) throws -> (links: LinkTable, side: LinkSide)? {
        try Owner.relationIndex(of: relation.path.path).flatMap { index in
            try context.links(try Owner.declaredRelations()[index])
        }
    }

    func fetch(for owners: KeyList, in context: ReadContext) throws -> any FetchedTargets<Owner> {
        let query = try query()
        if form.isOfSchema, relation.isToMany { return try SchemaTargets(self, query, in: context) }
        let links = try links(in: context)
        return form.content == .ids && !query.selectsTargets
            ? try LinkedTargets(self, query, idsOf: owners, links)
            : try LinkedTargets(self, query, of: owners, links, in: context)
    }
}
