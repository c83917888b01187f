// The targets of a relation that links lead to, for all owners of a level.

import LMDB
import TroveCoding

/// The targets that were read for a level, which owners share.
enum ReadTargets<Target: EntityModelProtocol> {
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
    private let values: ReadTargets<Target>

    /// Creates the targets of a request from targets that were read for several requests.
    init(
        _ request: RelationRequest<Accessor>, _ query: Query<Target>, chosen: ChosenTargets,
        values: ReadTargets<Target>
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
        values = .ids(try Self.ids(request, lists.keys, links?.links))
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
        let decodeAll = request.accessor.code.decodeAll
        // A limit of links is enough, unless targets are not stored.
        var limit = isToMany ? (query.selectsTargets ? .max : query.targetsWanted) : 1
        var targets: [Target] = []
        var found: FoundTargets
        var chosen: ChosenTargets
        repeat {
            let lists = try TargetLists(links, of: owners, limit: limit)
            let distinct = SortedKeys(lists.keys)
            targets = []
            if decodes { targets.reserveCapacity(distinct.keys.count) }
            found = try FoundTargets(
                query, among: distinct.keys, keepsKeys: !decodes || !query.nested.isEmpty, in: context
            ) { matches, table in
                if decodes { try decodeAll(matches, table, &targets) }
            }
            chosen = try ChosenTargets(
                lists, distinct.places, found, offset: query.offset, limit: query.limit, after: query.startInList,
                of: Target.schema)
            limit = limit.multipliedReportingOverflow(by: 4).overflow ? .max : max(4, 4 * limit)
        } while isToMany && chosen.needsLinks
        if !decodes { found.keepKeys(chosen.renumber(found.count)) }
        (self.request, self.query) = (request, query)
        self.chosen = chosen
        if request.form.content == .ids {
            values = .ids(try Self.ids(request, found.keys, links?.links))
            return
        }
        if !decodes {
            _ = try FoundTargets(Query<Target>(), among: found.keys, in: context) { matches, table in
                try decodeAll(matches, table, &targets)
            }
        }
        values = ReadTargets(targets, found.keys, query)
    }

    private static func ids(
        _ request: RelationRequest<Accessor>, _ keys: KeyList, _ links: LinkTable?
    ) throws -> [Target.ID] {
        try keys.withKeys { keys in
            try request.accessor.code.ids(keys) { key, reason in
                StoreError.record(
                    .corrupted(
                        type: links?.name ?? Target.schema.name, key: Target.schema.storedKey(key.copy()),
                        reason: reason))
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
        let targets: TargetValues<Target> =
            switch values {
            case .ids(let ids): .ids(ids)
            case .entities(let entities): .entities(entities)
            case .level(let level): .entities(level.records)
            }
        var form = request.form
        form.isSlice = form.isSlice || query.selectsTargets
        request.accessor.handOut(targets, chosen, form, &owners, places)
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
