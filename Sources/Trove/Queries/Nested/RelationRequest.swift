// A nested request for a relation: its targets as entities or as ids, filtered, sorted and cut for each owner.

import LMDB
import TroveCoding

/// A request for the targets of a relation.
final class RelationRequest<Accessor: RelationAccessor>: NestedStep {
    typealias Owner = Accessor.Owner
    typealias Target = Accessor.Target

    let accessor: Accessor
    let form: NestedForm
    /// The filter, order and page of each owner's targets, and the requests for their relations.
    let query: Query<Target>
    let depth: Int
    let failure: StoreError?

    init(_ accessor: Accessor, _ form: NestedForm, _ query: Query<Target>) {
        self.accessor = accessor
        self.form = form
        self.query = query
        depth = 1 + (query.nested.map(\.depth).max() ?? 0)
        do {
            try query.check()
            failure = nil
        } catch {
            failure = error as? StoreError
        }
    }

    var relation: RelationDescription { accessor.description }

    func fetch(for owners: KeyList, in context: ReadContext) throws -> any FetchedTargets<Owner> {
        if form.isOfSchema, relation.isToMany { return try SchemaTargets(self, in: context) }
        let links = try Owner.relationIndex(of: relation.path.path).flatMap { index in
            try context.links(try Owner.relationEnds()[index])
        }
        return form.content == .ids && !query.selectsTargets
            ? try LinkedTargets(self, idsOf: owners, links) : try LinkedTargets(self, of: owners, links, in: context)
    }
}
