// The targets of a relation that links lead to, for all owners of a level.

import LMDB
import TroveCoding

/// The values of targets, which owners share.
enum TargetValues<Target: EntityModelProtocol> {
    case ids([Target.ID])
    case entities([Target])
    case level(GraphLevel<Target>)
}

/// The linked targets of a request.
final class LinkedTargets<Accessor: RelationAccessor>: FetchedTargets {
    typealias Owner = Accessor.Owner
    typealias Target = Accessor.Target
    typealias Links = (links: LinkTable, side: LinkSide)

    private let request: RelationRequest<Accessor>
    private let query: Query<Target>
    private let chosen: ChosenTargets
    private let values: TargetValues<Target>

    /// Creates the targets of a request from targets that were read for several requests.
    init(
        _ request: RelationRequest<Accessor>, _ query: Query<Target>, _ chosen: ChosenTargets,
        _ values: TargetValues<Target>
    ) {
        (self.request, self.query) = (request, query)
        self.chosen = chosen
        self.values = values
    }

    /// Reads the ids of all links, also of targets that are not stored.
    ///
    /// - Parameter links: The links; nil if the store has none.
    init(
        _ request: RelationRequest<Accessor>, _ query: Query<Target>, idsOf owners: KeyList, _ links: Links?
    ) throws {
        let isToMany = request.relation.isToMany
        let lists = try TargetLists(
            links, of: owners, offset: isToMany ? query.offset : 0,
            limit: isToMany ? max(0, query.limit ?? .max) : 1)
        (self.request, self.query) = (request, query)
        chosen = ChosenTargets(lists)
        values = .ids(try Self.ids(lists.keys, links?.links))
    }

    /// Reads the stored targets.
    ///
    /// - Parameter links: The links; nil if the store has none.
    init(
        _ request: RelationRequest<Accessor>, _ query: Query<Target>, of owners: KeyList, _ links: Links?,
        in context: ReadContext
    ) throws {
        let isToMany = request.relation.isToMany
        let isPage = query.limit != nil && query.selectsTargets
        let decodes = request.form.content != .ids && !isPage
        // A limit of links is enough, unless targets are not stored.
        var limit = isToMany ? (query.selectsTargets ? .max : query.targetsWanted) : 1
        var targets: [Target] = []
        var found: FoundTargets
        var chosen: ChosenTargets
        repeat {
            let lists = try TargetLists(links, of: owners, limit: limit)
            let distinct = SortedKeys(lists.keys)
            targets = []
            found = try FoundTargets(query, among: distinct.keys, in: context) { entry, table in
                if decodes { targets.append(try request.accessor.code.decode(entry, table)) }
            }
            chosen = try ChosenTargets(
                lists, distinct.places, found, offset: query.offset, limit: query.limit, after: query.startInList,
                of: Target.schema)
            limit = limit.multipliedReportingOverflow(by: 4).overflow ? .max : max(4, 4 * limit)
        } while isToMany && chosen.needsLinks
        if !decodes { found.keepKeys(chosen.renumber(found.keys.count)) }
        (self.request, self.query) = (request, query)
        self.chosen = chosen
        if request.form.content == .ids {
            values = .ids(try Self.ids(found.keys, links?.links))
            return
        }
        if !decodes {
            _ = try FoundTargets(Query<Target>(), among: found.keys, in: context) { entry, table in
                targets.append(try request.accessor.code.decode(entry, table))
            }
        }
        values = TargetValues(targets, found.keys, query)
    }

    private static func ids(_ keys: KeyList, _ links: LinkTable?) throws -> [Target.ID] {
        try keys.map { key in
            do throws(CodingError) {
                return try key.component()
            } catch {
                throw StoreError.corrupted(
                    type: links?.name ?? Target.schema.name, key: Target.schema.storedKey(Array(key)), reason: error)
            }
        }
    }

    var firstEntity: StoredKey? {
        switch values {
        case .ids: nil
        case .entities(let targets): targets.first?.storedKey
        case .level(let level): level.records.first?.storedKey
        }
    }

    var level: (any GraphLevelProtocol)? { if case .level(let level) = values { level } else { nil } }

    func handOut(to owners: inout [Owner], _ places: [Int32]) {
        switch values {
        case .ids(let ids):
            handOut(ids, to: &owners, places) {
                .id($0)
            } list: {
                .ids($0, isSlice: $1)
            }
        case .entities(let targets): handOut(targets, to: &owners, places)
        case .level(let level): handOut(level.records, to: &owners, places)
        }
    }

    private func handOut(_ targets: [Target], to owners: inout [Owner], _ places: [Int32]) {
        let isFragment = request.form.isFragment
        handOut(targets, to: &owners, places) {
            .entity($0, isFragment: isFragment)
        } list: {
            .entities($0, isFragment: isFragment, isSlice: $1)
        }
    }

    private func handOut<Value>(
        _ values: [Value], to owners: inout [Owner], _ places: [Int32],
        single: (Value) -> RelationState<Target>, list: ([Value], _ isSlice: Bool) -> RelationState<Target>
    ) {
        let accessor = request.accessor
        guard request.relation.isToMany else {
            // Owners of the same target share its box.
            let states = values.map(single)
            for index in owners.indices {
                let target = chosen[Int(places[index])].first
                accessor.set(target.map { states[Int($0)] } ?? .none, in: &owners[index])
            }
            return
        }
        let isSlice = request.form.isSlice || query.selectsTargets
        for index in owners.indices {
            let place = Int(places[index])
            let targets = chosen[place].map { values[Int($0)] }
            accessor.set(list(targets, isSlice || chosen.areParts[place]), in: &owners[index])
        }
    }
}

extension Query {
    /// The number of targets of an owner that the page needs.
    fileprivate var targetsWanted: Int {
        guard let limit else { return .max }
        let (wanted, overflow) = offset.addingReportingOverflow(Swift.max(0, limit))
        return overflow ? .max : wanted
    }

    /// The key of the target after which each owner's page begins, if it is in the order of the list; otherwise nil.
    fileprivate var startInList: [UInt8]? { hasOrder ? nil : continuation?.key }
}
