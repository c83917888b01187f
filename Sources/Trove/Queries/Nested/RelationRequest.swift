// A nested request for a relation: its targets as entities or as ids, filtered, sorted and cut for each owner.

import LMDB
import TroveCoding

/// A request for the targets of a relation.
final class RelationRequest<Accessor: RelationAccessor>: NestedStep {
    typealias Owner = Accessor.Owner
    typealias Target = Accessor.Target

    /// The query for the targets: its filter, order and page are those of each owner's targets.
    enum Content {
        case query(Query<Target>)
        /// All relations of the targets, in these forms. The query is made when the request runs: the queries for all
        /// depths could be too many, even if there are no targets.
        case bulk([Nested])
    }

    let accessor: Accessor
    let form: NestedForm
    let content: Content
    let depth: Int
    let failure: StoreError?

    init(_ accessor: Accessor, _ form: NestedForm, _ query: Query<Target>) {
        // A key path of a generic type would be made anew for each query.
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

    init(_ accessor: Accessor, _ form: NestedForm, _ nested: [Nested]) {
        self.accessor = accessor
        self.form = form
        depth = 1
        content = .bulk(nested)
        failure = nil
    }

    /// Returns the error for too many levels.
    private static func failure(_ depth: Int) -> StoreError? {
        guard depth >= graphLimit else { return nil }
        let name = Target.schema.name
        return .graphTooDeep(type: name, key: StoredKey([], of: name), limit: graphLimit)
    }

    var relation: RelationDescription { accessor.description }

    /// Returns the query for the targets.
    private func query() throws -> Query<Target> {
        switch content {
        case .query(let query): return query
        case .bulk where form.content == .ids: return Query()
        case .bulk(let nested):
            let query = Target.nestedQueryModifier(Query(), nested: nested)
            try query.check()
            return query
        }
    }

    func fetch(for owners: KeyList, in context: ReadContext) throws -> any FetchedTargets<Owner> {
        let query = try query()
        if form.isOfSchema, relation.isToMany { return try SchemaTargets(self, query, in: context) }
        let links = try Owner.relationIndex(of: relation.path.path).flatMap { index in
            try context.links(try Owner.relationEnds()[index])
        }
        return form.content == .ids && !query.selectsTargets
            ? try LinkedTargets(self, query, idsOf: owners, links)
            : try LinkedTargets(self, query, of: owners, links, in: context)
    }
}
