// All stored entities of a relation's type, in place of the linked ones.

import TroveCoding

/// The stored entities of a type, for every owner.
final class SchemaTargets<Accessor: RelationAccessor>: FetchedTargets {
    typealias Owner = Accessor.Owner
    typealias Target = Accessor.Target

    private let request: RelationRequest<Accessor>
    private let query: Query<Target>
    private let targets: [Target]
    private let completed: GraphLevel<Target>?

    init(_ request: RelationRequest<Accessor>, _ query: Query<Target>, in context: ReadContext) throws {
        (self.request, self.query) = (request, query)
        let decode = request.accessor.code.decode
        targets = try (query.hasOrder ? query : query.order(.ascending)).collect(in: context) { matches, index, table in
            try decode(matches[index], table)
        }
        completed = query.nested.isEmpty ? nil : GraphLevel(targets, query.nested)
    }

    var firstEntity: StoredKey? { targets.first?.storedKey }

    var level: (any GraphLevelProtocol)? { completed }

    func handOut(to owners: inout [Owner], _ places: [Int32]) {
        let isPart = query.selectsTargets || query.limit != nil || query.offset > 0
        let state = RelationState<Target>.entities(
            completed?.records ?? targets, isFragment: request.form.isFragment, isSlice: request.form.isSlice || isPart)
        for index in owners.indices { request.accessor.set(state, in: &owners[index]) }
    }
}
