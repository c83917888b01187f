// The targets of several requests of a bulk query that lead to the same type, in the same form.
//
//     Chat.users and Chat.admins, both with all relations as ids
//
// Each user is looked up and decoded once for both, and the level below has each of them once. So the number of levels
// grows with the depth and the number of types, instead of the number of paths from relation to relation.

import LMDB
import TroveCoding

/// The type of targets, their form, and the forms of their relations.
struct BulkForm: Equatable {
    let target: ObjectIdentifier
    let form: NestedForm
    let filter: MetadataFilter?
    let nested: [NestedRelations]
}

/// The targets of several requests, without their type.
protocol SharedTargetsProtocol: AnyObject {}

/// The distinct targets of several requests.
final class SharedTargets<Target: EntityModelProtocol>: SharedTargetsProtocol {
    let query: Query<Target>
    let values: ReadTargets<Target>

    init(_ query: Query<Target>, _ values: ReadTargets<Target>) {
        self.query = query
        self.values = values
    }
}

/// The targets of several requests, which are handed out together.
final class MergedTargets<Owner: IndexKeyRecord>: FetchedTargets {
    private let parts: [any FetchedTargets<Owner>]

    /// - Parameter parts: The targets of each request. All have the same level.
    init(_ parts: [any FetchedTargets<Owner>]) { self.parts = parts }

    var firstEntity: StoredKey? { parts.first?.firstEntity }

    var level: (any GraphLevelProtocol)? { parts.first?.level }

    func handOut(to owners: inout [Owner], _ places: [Int32]) {
        for part in parts { part.handOut(to: &owners, places) }
    }
}

extension RelationRequest {
    var bulkForm: BulkForm? {
        guard case .bulk(let nested, let filter) = content, form.content != .ids,
            !(form.isOfSchema && relation.isToMany)
        else { return nil }
        return BulkForm(target: ObjectIdentifier(Target.self), form: form, filter: filter, nested: nested)
    }

    func fetch(
        for owners: KeyList, with others: [any NestedStep<Owner>], in context: ReadContext
    ) throws -> (any FetchedTargets<Owner>)? {
        let query = try query()
        // A page reads only a part of each list.
        guard query.limit == nil, query.offset == 0, query.continuation == nil else { return nil }
        let steps = [self] + others
        let lists = try steps.map { try $0.targetLists(of: owners, in: context) }
        var keys = KeyList()
        for list in lists {
            list.keys.withKeys { views in
                for index in 0..<views.count { keys.append(views[index]) }
            }
        }
        let distinct = SortedKeys(keys)
        var targets: [Target] = []
        let found = try FoundTargets(query, among: distinct.keys, in: context) { matches, table in
            try accessor.code.decodeAll(matches, table, &targets)
        }
        let shared = SharedTargets(query, ReadTargets(targets, found.keys, query))
        var start = 0
        let parts = try zip(steps, lists).map { step, list in
            let places = Array(distinct.places[start..<start + list.keys.count])
            start += list.keys.count
            let chosen = try ChosenTargets(
                list, places, found, offset: 0, limit: nil, after: nil, of: Target.schema)
            return step.targets(chosen, of: shared)
        }
        let all = parts.compactMap(\.self)
        return all.count == parts.count ? MergedTargets(all) : nil
    }

    func targetLists(of owners: KeyList, in context: ReadContext) throws -> TargetLists {
        try TargetLists(links(in: context), of: owners, limit: relation.isToMany ? .max : 1)
    }

    func targets(_ chosen: ChosenTargets, of shared: any SharedTargetsProtocol) -> (any FetchedTargets<Owner>)? {
        (shared as? SharedTargets<Target>).map { LinkedTargets(self, $0.query, chosen: chosen, values: $0.values) }
    }
}

extension ReadTargets {
    /// Creates the values of decoded targets, with a level if the query requests their relations.
    init(_ targets: [Target], _ keys: KeyList, _ query: Query<Target>) {
        self = query.nested.isEmpty ? .entities(targets) : .level(GraphLevel(targets, keys: keys, query.nested))
    }
}
